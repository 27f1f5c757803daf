import type { User } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useDeferredValue, useMemo } from 'react';
import { currentUserQuery } from './auth.api';

export type Session =
  | { status: 'loading'; user: null }
  | { status: 'anonymous'; user: null }
  | { status: 'signed-in'; user: User };

export const SessionContext = createContext<Session>({ status: 'loading', user: null });

export const useSession = () => use(SessionContext);

/** The signed-in user on screens that only a signed-in user reaches. */
export function useMember(): User {
  const { user } = useSession();
  if (!user) throw new Error('useMember is used outside of SignedInOnly');
  return user;
}

/** One observer of the current user for the whole application: it is looked up once on mount, on focus and on reconnect. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data: user, isPending } = useQuery(currentUserQuery);
  // One object as long as it says the same: all that reads it is drawn again with each new one.
  const session = useMemo((): Session => {
    if (isPending) return { status: 'loading', user: null };
    return user ? { status: 'signed-in', user } : { status: 'anonymous', user: null };
  }, [isPending, user]);
  // Deferred: signing in leaves what is painted until the files of the next screen have arrived.
  return <SessionContext value={useDeferredValue(session)}>{children}</SessionContext>;
}
