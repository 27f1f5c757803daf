import { useCallback, useEffect, useRef } from 'react';
import { commonText } from '../../strings/common';
import { useToasts } from '../../ui/toasts';
import { goToLogin } from './return-to';

/** Milliseconds that the toast is read before the browser leaves for the login (section 9). */
export const LOGIN_DELAY = 500;

/** Says that the session is over and goes to the login shortly after; a second call while waiting does nothing. */
export function useLoggedOutRedirect(): () => void {
  const toasts = useToasts();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return useCallback(() => {
    if (timer.current) return;
    toasts.error(commonText.unauthorized, commonText.loggingInAgain);
    timer.current = setTimeout(() => goToLogin(), LOGIN_DELAY);
  }, [toasts]);
}

/** Does so on its own wherever it is rendered: for screens that nobody but a signed-in user should be on. */
export function LoggedOutRedirect(): null {
  const redirect = useLoggedOutRedirect();
  useEffect(redirect, [redirect]);
  return null;
}
