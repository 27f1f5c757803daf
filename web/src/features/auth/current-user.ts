import type { User } from '@meetmark/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { readUnlessUnauthorized } from '../../api/client';
import { dehydratedResponse, takeDehydratedResponse } from '../../api/dehydrated-queries';
import { CURRENT_USER_KEY } from '../../api/query-client';
import { persist, readPersisted } from '../../ui/persisted-state';

const CURRENT_USER = '/api/user';
const UNAUTHORIZED = 401;

export async function lookUp(signal?: AbortSignal): Promise<User | null> {
  if (wasSignedInHere()) takeDehydratedResponse(CURRENT_USER);
  const headers = { 'Cache-Control': 'no-cache' };
  const user = await readUnlessUnauthorized<User>(CURRENT_USER, { signal, headers });
  if (user) noteSignedIn();
  return user;
}

export const mayBeSignedIn = () =>
  wasSignedInHere() || dehydratedResponse(CURRENT_USER)?.status !== UNAUTHORIZED;

let earlyLookUp: Promise<User | null> | undefined;
let earlyUser: User | null | undefined;

/** Fetches the current user before the first render, to show the right screen. */
export async function lookUpEarly(): Promise<void> {
  earlyLookUp = lookUp();
  earlyUser = await earlyLookUp;
}

export const currentUserQuery = queryOptions({
  queryKey: CURRENT_USER_KEY,
  queryFn: ({ signal }) => {
    const early = earlyLookUp;
    earlyLookUp = earlyUser = undefined;
    return early ?? lookUp(signal);
  },
  initialData: () => (earlyUser === undefined && !mayBeSignedIn() ? null : earlyUser),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: true,
  refetchOnMount: true,
  refetchOnReconnect: true,
});

export function rememberUser(client: QueryClient, user: User): void {
  noteSignedIn();
  client.setQueryData(CURRENT_USER_KEY, user);
}

const STORAGE_KEY = 'signed-in-here';

const wasSignedInHere = () => readPersisted(STORAGE_KEY) !== null;

const noteSignedIn = () => persist(STORAGE_KEY, 'yes');
