import type { User } from '@meetmark/contracts';
import { commonText } from '@meetmark/i18n/texts/common';
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
import { isCancelled } from '../../api/mutation';
import { useToasts } from '../../ui/toasts';
import { currentUserQuery } from './current-user';
import { goToLogin } from './return-to';

type Session =
  | { status: 'loading'; user: null }
  | { status: 'anonymous'; user: null }
  | { status: 'signed-in'; user: User };

export const SessionContext = createContext<Session>({ status: 'loading', user: null });

export const useSession = () => use(SessionContext);

export function useMember(): User {
  const { user } = useSession();
  if (!user) throw new Error('useMember is used outside of SignedInOnly');
  return user;
}

export const mayOrganise = ({ isAdmin, role }: Pick<User, 'isAdmin' | 'role'>) =>
  isAdmin || role === 'organiser';

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data: user, isPending } = useQuery(currentUserQuery);
  const session = useMemo((): Session => {
    if (isPending) return { status: 'loading', user: null };
    return user ? { status: 'signed-in', user } : { status: 'anonymous', user: null };
  }, [isPending, user]);
  const underWay = useIsMutating();
  useEffect(() => {
    if (user && underWay === 0) speak(user.locale ?? null);
  }, [user, underWay]);
  // keeps the current screen until the next screen's files are loaded
  return <SessionContext value={useDeferredValue(session)}>{children}</SessionContext>;
}

const LOGIN_DELAY = 500;
/** Milliseconds after which the login opens even if the toast wasn't shown. */
const LOGIN_AT_LAST = 5_000;

export function useLoggedOutRedirect(): () => void {
  const toasts = useToasts();
  const leaving = useRef(false);
  return useCallback(() => {
    if (leaving.current) return;
    leaving.current = true;
    // opens the login even if another toast replaces this one before it is visible
    const unseen = setTimeout(() => goToLogin(), LOGIN_AT_LAST);
    toasts.error(commonText.unauthorized, commonText.loggingInAgain, () => {
      clearTimeout(unseen);
      setTimeout(() => goToLogin(), LOGIN_DELAY);
    });
  }, [toasts]);
}

export function LoggedOutRedirect(): null {
  const redirect = useLoggedOutRedirect();
  useEffect(() => {
    redirect();
  }, [redirect]);
  return null;
}

export function useFailure(): (error: unknown, text: string) => void {
  const toasts = useToasts();
  const loggedOut = useLoggedOutRedirect();
  return (error, text) => {
    if (isCancelled(error)) return;
    if (isUnauthorized(error)) loggedOut();
    else toasts.error(commonText.error, text);
  };
}
