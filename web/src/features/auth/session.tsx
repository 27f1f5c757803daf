import type { User } from '@meetmark/contracts';
import { commonText } from '@meetmark/contracts/texts/common';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { isUnauthorized } from '../../api/client';
import { speak } from '../../api/language';
import { useToasts } from '../../ui/toasts';
import { currentUserQuery } from './auth.api';
import { goToLogin } from './return-to';

type Session =
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

/** Owners and organisers create events. */
export const mayOrganise = ({ isAdmin, role }: Pick<User, 'isAdmin' | 'role'>) =>
  isAdmin || role === 'organiser';

/** One observer of the current user for the whole application: it is looked up once on mount, on focus and on reconnect. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data: user, isPending } = useQuery(currentUserQuery);
  // The same object while nothing changes: every reader renders again with a new one.
  const session = useMemo((): Session => {
    if (isPending) return { status: 'loading', user: null };
    return user ? { status: 'signed-in', user } : { status: 'anonymous', user: null };
  }, [isPending, user]);
  const underWay = useIsMutating();
  useEffect(() => {
    if (user && underWay === 0) speak(user.locale ?? null);
  }, [user, underWay]);
  // Deferred: after signing in, the present screen stays until the files of the next have arrived.
  return <SessionContext value={useDeferredValue(session)}>{children}</SessionContext>;
}

/** Milliseconds for which the toast is shown before the browser leaves for the login. */
const LOGIN_DELAY = 500;
/** Milliseconds after which it leaves whether or not the toast was shown. */
const LOGIN_AT_LAST = 5_000;

/** Says that the session is over and goes to the login shortly after; a second call while waiting does nothing. */
export function useLoggedOutRedirect(): () => void {
  const toasts = useToasts();
  const leaving = useRef(false);
  return useCallback(() => {
    if (leaving.current) return;
    leaving.current = true;
    // The delay begins once the toast can be read; it never is when another one takes its place before.
    const unseen = setTimeout(() => goToLogin(), LOGIN_AT_LAST);
    toasts.error(commonText.unauthorized, commonText.loggingInAgain, () => {
      clearTimeout(unseen);
      setTimeout(() => goToLogin(), LOGIN_DELAY);
    });
  }, [toasts]);
}

/** Does so wherever it is rendered: for screens that need a session. */
export function LoggedOutRedirect(): null {
  const redirect = useLoggedOutRedirect();
  useEffect(() => {
    redirect();
  }, [redirect]);
  return null;
}

/** Shows that a call failed, in the given words; a session that has ended leads to the login instead. */
export function useFailure(): (error: unknown, text: string) => void {
  const toasts = useToasts();
  const loggedOut = useLoggedOutRedirect();
  return (error, text) => {
    if (isUnauthorized(error)) loggedOut();
    else toasts.error(commonText.error, text);
  };
}
