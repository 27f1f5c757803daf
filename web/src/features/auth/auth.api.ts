import type { SecondStepMethod, User } from '@meetmark/contracts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  detailsOf,
  mayBeDone,
  readUnlessUnauthorized,
  send,
  sendForJson,
  useIdempotencyKey,
} from '../../api/client';
import { dehydratedResponse, takeDehydratedResponse } from '../../api/dehydrated-queries';
import { CURRENT_USER_KEY } from '../../api/query-client';
import { forgetPersisted, persist, readPersisted, TYPED } from '../../ui/persisted-state';

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

const CURRENT_USER = '/api/user';
const UNAUTHORIZED = 401;
const RETRY_DELAY = 1_000; // milliseconds

async function lookUp(signal?: AbortSignal): Promise<User | null> {
  if (wasSignedInHere()) takeDehydratedResponse(CURRENT_USER);
  const headers = { 'Cache-Control': 'no-cache' };
  const user = await readUnlessUnauthorized<User>(CURRENT_USER, { signal, headers });
  if (user) noteSignedIn();
  return user;
}

/** Whether this browser may have a session: only the server knows. */
export const mayBeSignedIn = () =>
  wasSignedInHere() || dehydratedResponse(CURRENT_USER)?.status !== UNAUTHORIZED;

let earlyLookUp: Promise<User | null> | undefined;
let earlyUser: User | null | undefined;

/** Fetches the current user before the first render, so that the first screen is the right one. */
export async function lookUpEarly(): Promise<void> {
  earlyLookUp = lookUp();
  earlyUser = await earlyLookUp;
}

/** The signed-in user, or null. Always stale, never cached. */
export const currentUserQuery = queryOptions({
  queryKey: CURRENT_USER_KEY,
  queryFn: ({ signal }) => {
    const early = earlyLookUp;
    earlyLookUp = earlyUser = undefined;
    return early ?? lookUp(signal);
  },
  // A browser without a session gets the answer with the page. A browser that has had one ignores it:
  // the page may be an old copy of the browser's own.
  initialData: () => (earlyUser === undefined && !mayBeSignedIn() ? null : earlyUser),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: true,
  refetchOnMount: true,
  refetchOnReconnect: true,
});

/** Stores the current user from an answer, without another call. */
export function rememberUser(client: QueryClient, user: User): void {
  noteSignedIn();
  client.setQueryData(CURRENT_USER_KEY, user);
}

function useEntry<Payload>(path: string, headersFor?: (payload: Payload) => Record<string, string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (payload: Payload) =>
      sendForJson<User>(path, { method: 'POST', body: payload, headers: headersFor?.(payload) }),
    // only a call with a key may be repeated without harm
    retry: (failures, error) => headersFor !== undefined && failures === 0 && mayBeDone(error),
    retryDelay: RETRY_DELAY,
    onSuccess: async (user) => {
      rememberUser(client, user);
      await client.invalidateQueries();
    },
  });
}

/** The methods of the second step, when a sign-in needs one. */
export const secondStepOf = (error: unknown): SecondStepMethod[] | null => {
  const refusal = detailsOf(error, 'SECOND_FACTOR_REQUIRED');
  return refusal ? (refusal.methods ?? []) : null;
};

export const useSignIn = () => useEntry<Credentials>('/api/login');
/** A sign-up whose answer was lost is sent once more under its key, which leads to the same account. */
export const useSignUp = () => useEntry<SignUp>('/api/register', useIdempotencyKey());

export const requestSignInCode = (email: string) =>
  send('/api/sign-in-code', { method: 'POST', body: { email } });

export const useSignOut = () =>
  useMutation({
    mutationFn: () => {
      forgetPersisted(TYPED);
      return send('/api/logout', { method: 'POST' });
    },
    onSuccess: () => window.location.assign('/'),
    onError: (error) => {
      console.error('Signing out failed', error);
      window.location.assign('/api/logout');
    },
  });

export const useChangePassword = () =>
  useMutation({
    mutationFn: (change: PasswordChange) =>
      send('/api/user/change-password', { method: 'PUT', body: change }),
  });

/** Ends every session of the account, perhaps this browser's, too: the current user is fetched again. */
export function useResetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reset: PasswordReset) => send('/api/reset-password', { method: 'POST', body: reset }),
    onSuccess: () => void client.invalidateQueries({ queryKey: CURRENT_USER_KEY }),
  });
}

/** Answers the same whether or not the address has an account. */
export const useRequestResetCode = () =>
  useMutation({
    mutationFn: (email: string) => send('/api/forgot-password', { method: 'POST', body: { email } }),
  });

const STORAGE_KEY = 'signed-in-here';

/** Whether this browser has ever had a session. */
const wasSignedInHere = () => readPersisted(STORAGE_KEY) !== null;

const noteSignedIn = () => persist(STORAGE_KEY, 'yes');
