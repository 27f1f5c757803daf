import type { User } from '@meetmark/contracts';
import { adminUsersText as text } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode, isUnauthorized, serverMessage } from '../../../api/client';
import { useOnce } from '../../../ui/action-button';
import { changesSince, getEditConflict } from '../../../ui/edit-conflict';
import { useToasts } from '../../../ui/toasts';
import { useLoggedOutRedirect, useMember } from '../../auth/session';
import { UnableAlert } from '../shared/confirm-dialog';
import { UserDialog, type UserFields } from './user-form';
import { useCreateUser, useUpdateUser } from './users.api';

const BLANK: UserFields = { email: '', firstName: '', lastName: '', password: '', role: 'member' };

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

const toFormFields = ({ email, firstName, lastName, role }: User): UserFields => ({
  email,
  firstName,
  lastName,
  role,
});

export function EditUserDialog({ user, close }: { user: User; close: () => void }) {
  const me = useMember();
  const [base, setBase] = useState(user);
  const updating = useUpdateUser();
  const conflict = getEditConflict<User>(updating.error);
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
        initial={toFormFields(base)}
        fixedRole={id === me.id ? text.ownRoleHint : undefined}
        saving={saving}
        close={close}
        onSubmit={(fields, dismiss) => save({ ...fields, id, version }, dismiss)}
        conflict={
          conflict && {
            edits: conflict.edits,
            base: toFormFields(base),
            theirs: toFormFields(conflict.present),
            // sends only the fields that this admin changed, to keep the other admin's changes
            saveMine: (fields, dismiss) =>
              save(
                { ...changesSince(toFormFields(base), fields), id, version: conflict.present.version },
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

interface SaveWords {
  done: string;
  taken: string;
  fallback: string;
}

function useSaveUser<Payload>(saving: UseMutationResult<User, Error, Payload>, words: SaveWords) {
  const toasts = useToasts();
  const loggedOut = useLoggedOutRedirect();
  const saveOnce = useOnce(saving);
  const [refusal, setRefusal] = useState<string | null>(null);
  const save = (payload: Payload, dismiss: () => void) =>
    saveOnce(payload, {
      onSuccess: () => {
        toasts.success(commonText.success, words.done);
        dismiss();
      },
      onError: (error) => {
        if (isUnauthorized(error)) return loggedOut();
        return getEditConflict(error) ? undefined : setRefusal(refusalText(error, words));
      },
    });
  return { save, saving: saving.isPending, refusal, refusalRead: () => setRefusal(null) };
}

function refusalText(error: unknown, { taken, fallback }: SaveWords): string {
  const message = serverMessage(error);
  if (message === null) return fallback;
  if (hasCode(error, 'EMAIL_EXISTS') || hasCode(error, 'EMAIL_TAKEN')) return taken;
  return message;
}
