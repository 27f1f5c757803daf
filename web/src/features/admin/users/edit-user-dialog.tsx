import type { User } from '@meetmark/contracts';
import { adminUsersText as text } from '../../../strings/admin-users';
import { useMember } from '../../auth/session';
import { UnableAlert } from '../shared/unable-alert';
import { useSaveUser } from './use-save-user';
import { UserDialog } from './user-dialog';
import { useUpdateUser } from './users.api';

export function EditUserDialog({ user, close }: { user: User; close: () => void }) {
  const me = useMember();
  const { save, saving, refusal, refusalRead } = useSaveUser(useUpdateUser(), {
    done: text.updated,
    taken: text.emailInUse,
    fallback: text.updateFailed,
  });
  const { id, email, firstName, lastName, isAdmin } = user;
  return (
    <>
      <UserDialog
        title={text.editTitle}
        submit={text.update}
        submitting={text.updating}
        initial={{ email, firstName, lastName, isAdmin }}
        fixedRole={id === me.id ? text.ownRoleHint : undefined}
        saving={saving}
        close={close}
        onSubmit={(fields, dismiss) => save({ ...fields, id }, dismiss)}
      />
      {refusal !== null && <UnableAlert message={refusal} close={refusalRead} />}
    </>
  );
}
