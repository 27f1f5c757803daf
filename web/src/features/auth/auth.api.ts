import type { SecondStepMethod, User } from '@meetmark/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, getErrorDetails, mayBeDone, send, sendForJson, useIdempotencyKey } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { CURRENT_USER_KEY } from '../../api/query-client';
import { forgetPersisted, TYPED } from '../../ui/persisted-state';
import { lookUp, rememberUser } from './current-user';

interface Credentials {
  email: string;
  password: string;
}

interface SignUp extends Credentials {
  firstName: string;
  lastName: string;
  linkedInUrl: string | null;
}

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

export interface PasswordReset {
  email: string;
  token: string;
  newPassword: string;
}

const RETRY_DELAY = 1_000;

/**
 * Rejects with instructions if the browser didn't store the session.
 * @param how which instructions: `doneNotKept` if the call did more than sign in
 */
export async function requireKept<Answer>(answer: Answer, how: 'notKept' | 'doneNotKept'): Promise<Answer> {
  // ignores a failed check, because it says nothing about cookies and the sign-in itself succeeded
  if ((await lookUp().catch(() => undefined)) === null) throw (await import('./not-kept')).default(how);
  return answer;
}

export const notKeptMessage = (error: unknown): string | null =>
  error instanceof ApiError && error.status === 0 ? error.text : null;

function useEntry<Payload>(
  path: string,
  how: 'notKept' | 'doneNotKept',
  headersFor?: (payload: Payload) => Record<string, string>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (payload: Payload) => {
      const headers = headersFor?.(payload);
      return requireKept(await sendForJson<User>(path, { method: 'POST', body: payload, headers }), how);
    },
    // only a call with an idempotency key is safe to repeat
    retry: (failures, error) => headersFor !== undefined && failures === 0 && mayBeDone(error),
    retryDelay: RETRY_DELAY,
    onSuccess: async (user) => {
      rememberUser(client, user);
      await client.invalidateQueries();
    },
  });
}

export const getSecondStep = (error: unknown): SecondStepMethod[] | null => {
  const refusal = getErrorDetails(error, 'SECOND_FACTOR_REQUIRED');
  return refusal ? (refusal.methods ?? []) : null;
};

export const useSignIn = () => useEntry<Credentials>('/api/login', 'notKept');
export const useSignUp = () => useEntry<SignUp>('/api/register', 'doneNotKept', useIdempotencyKey());

export const requestSignInCode = (email: string) =>
  send('/api/sign-in-code', { method: 'POST', body: { email } });

export const useSignOut = () =>
  useMutation({
    mutationFn: () => {
      forgetPersisted(TYPED);
      return send('/api/logout', { method: 'POST' });
    },
    onSettled: (_answer, error) => {
      if (error) console.error('Signing out failed', error);
      window.location.assign(error ? '/api/logout' : '/');
    },
  });

export const useChangePassword = () =>
  useMutation({
    mutationFn: (change: PasswordChange) =>
      send('/api/user/change-password', { method: 'PUT', body: change }),
  });

/** Fetches the current user again, because a reset ends all sessions of the account. */
export function useResetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reset: PasswordReset) => send('/api/reset-password', { method: 'POST', body: reset }),
    onSuccess: () => void client.invalidateQueries({ queryKey: CURRENT_USER_KEY }),
  });
}

export const useRequestResetCode = () =>
  useMutation({
    mutationFn: (email: string) => send('/api/forgot-password', { method: 'POST', body: { email } }),
  });
