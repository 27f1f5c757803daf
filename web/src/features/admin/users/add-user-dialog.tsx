import { isUnauthorized } from '../../../api/client';
import { adminUsersText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { useToasts } from '../../../ui/toasts';
import { useOnce } from '../../../ui/use-once';
import { useLoggedOutRedirect } from '../../auth/logged-out';
import { useUnableAlert } from '../shared/use-unable-alert';
import { UserDialog } from './user-dialog';
import { refusalText, type UserFields } from './user-form';
import { useCreateUser } from './users.api';

const BLANK: UserFields = { email: '', firstName: '', lastName: '', password: '', isAdmin: false };

export function AddUserDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const toasts = useToasts();
  const alertUnable = useUnableAlert();
  const loggedOut = useLoggedOutRedirect();
  const creating = useCreateUser();
  const create = useOnce(creating);
  return (
    <UserDialog
      open={open}
      title={text.addTitle}
      submit={text.create}
      submitting={text.creating}
      initial={BLANK}
      saving={creating.isPending}
      onClose={onClose}
      onSubmit={({ password = '', ...fields }) =>
        create(
          { ...fields, password },
          {
            onSuccess: () => {
              toasts.success(commonText.success, text.created);
              onClose();
            },
            onError: (error) =>
              isUnauthorized(error)
                ? loggedOut()
                : alertUnable(refusalText(error, { taken: text.emailExists, fallback: text.createFailed })),
          },
        )
      }
    />
  );
}
