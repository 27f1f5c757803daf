import { adminUsersText as text } from '../../../strings/admin';
import { UnableAlert } from '../shared/confirm-dialog';
import { useSaveUser } from './use-save-user';
import { UserDialog } from './user-dialog';
import type { UserFields } from './user-form';
import { useCreateUser } from './users.api';

const BLANK: UserFields = { email: '', firstName: '', lastName: '', password: '', isAdmin: false };

export function AddUserDialog({ close }: { close: () => void }) {
  const { save, saving, refusal, refusalRead } = useSaveUser(useCreateUser(), {
    done: text.created,
    taken: text.emailExists,
    fallback: text.createFailed,
  });
  return (
    <>
      <UserDialog
        title={text.addTitle}
        submit={text.create}
        submitting={text.creating}
        initial={BLANK}
        saving={saving}
        close={close}
        onSubmit={({ password = '', ...fields }, dismiss) => save({ ...fields, password }, dismiss)}
      />
      {refusal !== null && <UnableAlert message={refusal} close={refusalRead} />}
    </>
  );
}
