import { adminUsersText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { useToasts } from '../../../ui/toasts';
import { useOnce } from '../../../ui/use-once';
import { useRefusalAlert } from './use-refusal-alert';
import { UserDialog } from './user-dialog';
import type { UserFields } from './user-form';
import { useCreateUser } from './users.api';

const BLANK: UserFields = { email: '', firstName: '', lastName: '', password: '', isAdmin: false };

export function AddUserDialog({ close }: { close: () => void }) {
  const toasts = useToasts();
  const refused = useRefusalAlert({ taken: text.emailExists, fallback: text.createFailed });
  const creating = useCreateUser();
  const create = useOnce(creating);
  return (
    <UserDialog
      title={text.addTitle}
      submit={text.create}
      submitting={text.creating}
      initial={BLANK}
      saving={creating.isPending}
      close={close}
      onSubmit={({ password = '', ...fields }, dismiss) =>
        create(
          { ...fields, password },
          {
            onSuccess: () => {
              toasts.success(commonText.success, text.created);
              dismiss();
            },
            onError: refused,
          },
        )
      }
    />
  );
}
