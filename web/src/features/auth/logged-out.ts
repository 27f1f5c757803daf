import { useCallback, useEffect, useRef } from 'react';
import { commonText } from '../../strings/common';
import { toastOutlet, useToasts } from '../../ui/toasts';
import { goToLogin } from './return-to';

/** Milliseconds that the toast is read before the browser leaves for the login (section 9). */
const LOGIN_DELAY = 500;

/** Says that the session is over and goes to the login shortly after; a second call while waiting does nothing. */
export function useLoggedOutRedirect(): () => void {
  const toasts = useToasts();
  const leaving = useRef(false);
  return useCallback(() => {
    if (leaving.current) return;
    leaving.current = true;
    toasts.error(commonText.unauthorized, commonText.loggingInAgain);
    const leave = () => setTimeout(() => goToLogin(), LOGIN_DELAY);
    // What shows it may still be on its way: before that nothing can be read.
    toastOutlet.load().then(leave, leave);
  }, [toasts]);
}

/** Does so on its own wherever it is rendered: for screens that nobody but a signed-in user should be on. */
export function LoggedOutRedirect(): null {
  const redirect = useLoggedOutRedirect();
  useEffect(() => {
    redirect();
  }, [redirect]);
  return null;
}
