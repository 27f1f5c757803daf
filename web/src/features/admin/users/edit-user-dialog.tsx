import type { User } from '@meetmark/contracts';
import { isUnauthorized } from '../../../api/client';
import { adminUsersText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { useToasts } from '../../../ui/toasts';
import { useOnce } from '../../../ui/use-once';
import { useLoggedOutRedirect } from '../../auth/logged-out';
import { useMember } from '../../auth/session';
import { useLast } from '../shared/use-last';
import { useUnableAlert } from '../shared/use-unable-alert';
import { UserDialog } from './user-dialog';
import { refusalText } from './user-form';
import { useUpdateUser } from './users.api';

interface EditUserDialogProps {
  /** Whom to edit; null keeps the dialog closed. */
  user: User | null;
  onClose: () => void;
}

export function EditUserDialog({ user, onClose }: EditUserDialogProps) {
  const toasts = useToasts();
  const alertUnable = useUnableAlert();
  const loggedOut = useLoggedOutRedirect();
  const me = useMember();
  const updating = useUpdateUser();
  const update = useOnce(updating);
  // Keeps the fields while the dialog fades out.
  const shown = useLast(user);
  if (!shown) return null;
  const { id, email, firstName, lastName, isAdmin } = shown;
  return (
    <UserDialog
      open={user !== null}
      title={text.editTitle}
      submit={text.update}
      submitting={text.updating}
      initial={{ email, firstName, lastName, isAdmin }}
      fixedRole={id === me.id ? text.ownRoleHint : undefined}
      saving={updating.isPending}
      onClose={onClose}
      onSubmit={(fields) =>
        update(
          { ...fields, id },
          {
            onSuccess: () => {
              toasts.success(commonText.success, text.updated);
              onClose();
            },
            onError: (error) =>
              isUnauthorized(error)
                ? loggedOut()
                : alertUnable(refusalText(error, { taken: text.emailInUse, fallback: text.updateFailed })),
          },
        )
      }
    />
  );
}
