import type { User } from '@meetmark/contracts';
import { adminUsersText as text } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { serverMessage } from '../../../api/client';
import { useCommunity } from '../../../api/community';
import { mailDraft, openMailDraft } from '../../../ui/mail-draft';
import { useToasts } from '../../../ui/toasts';
import { useFailure } from '../../auth/session';
import { generatePassword } from '../../auth/generate-password';
import {
  useDeleteUser,
  useRemoveSecondFactors,
  useSendResetCode,
  useSetAdmin,
  useSetPassword,
} from './users.api';

export type AccountAction = 'promote' | 'demote' | 'resetEmail' | 'removeFactors' | 'remove';

type UserActions = Record<AccountAction | 'sendResetCode', (user: User) => Promise<void>>;

/** Call this hook in the list, not in a row, because the row may disappear before the response arrives. */
export function useUserActions(): UserActions {
  const toasts = useToasts();
  const failed = useFailure();
  const { name: community } = useCommunity();
  const setAdmin = useSetAdmin();
  const setPassword = useSetPassword();
  const sendCode = useSendResetCode();
  const removeFactors = useRemoveSecondFactors();
  const deletion = useDeleteUser();

  const tell = async (call: Promise<unknown>, told: { done: string; failed: (error: unknown) => string }) => {
    try {
      await call;
      toasts.success(commonText.success, told.done);
    } catch (error) {
      failed(error, told.failed(error));
    }
  };

  const changeRole = (id: string, isAdmin: boolean, done: string) =>
    tell(setAdmin.mutateAsync({ id, isAdmin }), {
      done,
      failed: (error) => serverMessage(error) ?? text.toggleFailed,
    });

  const resetPassword = async ({ id, email, firstName }: User) => {
    const newPassword = generatePassword();
    await setPassword.mutateAsync({ id, newPassword });
    const body = text.draftBody({
      first: firstName,
      community,
      password: newPassword,
      address: window.location.origin,
    });
    openMailDraft(mailDraft({ to: email, subject: text.draftSubject({ community }), body }));
  };

  return {
    promote: ({ id, firstName, lastName }) =>
      changeRole(id, true, text.promoted({ first: firstName, last: lastName })),
    demote: ({ id, firstName, lastName }) =>
      changeRole(id, false, text.demoted({ first: firstName, last: lastName })),
    resetEmail: (user) =>
      tell(resetPassword(user), {
        done: text.passwordReset,
        failed: (error) => serverMessage(error) ?? text.passwordResetFailed,
      }),
    sendResetCode: ({ id, email }) =>
      tell(sendCode.mutateAsync(id), {
        done: text.resetCodeSent({ email }),
        failed: (error) => serverMessage(error) ?? text.resetCodeFailed,
      }),
    removeFactors: ({ id, firstName, lastName }) =>
      tell(removeFactors.mutateAsync(id), {
        done: text.factorsRemoved({ first: firstName, last: lastName }),
        failed: (error) => serverMessage(error) ?? text.factorsFailed,
      }),
    remove: ({ id }) =>
      tell(deletion.mutateAsync(id), { done: text.deleted, failed: () => text.deleteFailed }),
  };
}
