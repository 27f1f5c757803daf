import type { User } from '@meetmark/contracts';
import { adminUsersText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { useToasts } from '../../../ui/toasts';
import { useOnce } from '../../../ui/use-once';
import { useMember } from '../../auth/session';
import { useRefusalAlert } from './use-refusal-alert';
import { UserDialog } from './user-dialog';
import { useUpdateUser } from './users.api';

export function EditUserDialog({ user, close }: { user: User; close: () => void }) {
  const toasts = useToasts();
  const refused = useRefusalAlert({ taken: text.emailInUse, fallback: text.updateFailed });
  const me = useMember();
  const updating = useUpdateUser();
  const update = useOnce(updating);
  const { id, email, firstName, lastName, isAdmin } = user;
  return (
    <UserDialog
      title={text.editTitle}
      submit={text.update}
      submitting={text.updating}
      initial={{ email, firstName, lastName, isAdmin }}
      fixedRole={id === me.id ? text.ownRoleHint : undefined}
      saving={updating.isPending}
      close={close}
      onSubmit={(fields, dismiss) =>
        update(
          { ...fields, id },
          {
            onSuccess: () => {
              toasts.success(commonText.success, text.updated);
              dismiss();
            },
            onError: refused,
          },
        )
      }
    />
  );
}
