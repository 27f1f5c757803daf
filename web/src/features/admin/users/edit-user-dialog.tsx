import type { User } from '@meetmark/contracts';
import { useState } from 'react';
import { changesSince, editConflictOf } from '../../../ui/edit-conflict';
import { adminUsersText as text } from '../../../strings/admin';
import { useMember } from '../../auth/session';
import { UnableAlert } from '../shared/confirm-dialog';
import { useSaveUser } from './use-save-user';
import { UserDialog } from './user-dialog';
import type { UserFields } from './user-form';
import { useUpdateUser } from './users.api';

const fieldsOf = ({ email, firstName, lastName, isAdmin }: User): UserFields => ({
  email,
  firstName,
  lastName,
  isAdmin,
});

export function EditUserDialog({ user, close }: { user: User; close: () => void }) {
  const me = useMember();
  const [base, setBase] = useState(user); // the list behind the dialog may learn of a newer one meanwhile
  const updating = useUpdateUser();
  const conflict = editConflictOf<User>(updating.error);
  const { save, saving, refusal, refusalRead } = useSaveUser(updating, {
    done: text.updated,
    taken: text.emailInUse,
    fallback: text.updateFailed,
  });
  const { id, version } = base;
  return (
    <>
      <UserDialog
        title={text.editTitle}
        submit={text.update}
        submitting={text.updating}
        initial={fieldsOf(base)}
        fixedRole={id === me.id ? text.ownRoleHint : undefined}
        saving={saving}
        close={close}
        onSubmit={(fields, dismiss) => save({ ...fields, id, version }, dismiss)}
        conflict={
          conflict && {
            edits: conflict.edits,
            base: fieldsOf(base),
            theirs: fieldsOf(conflict.present),
            // only what was changed here: what somebody else changed elsewhere stays
            saveMine: (fields, dismiss) =>
              save(
                { ...changesSince(fieldsOf(base), fields), id, version: conflict.present.version },
                dismiss,
              ),
            takeTheirs: () => {
              setBase(conflict.present);
              updating.reset();
            },
          }
        }
      />
      {refusal !== null && <UnableAlert message={refusal} close={refusalRead} />}
    </>
  );
}
