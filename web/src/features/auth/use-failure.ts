import { isUnauthorized } from '../../api/client';
import { commonText } from '../../strings/common';
import { useToasts } from '../../ui/toasts';
import { useLoggedOutRedirect } from './logged-out';

/** Tells of a call that failed, in the given words; a session that has ended leads to the login instead. */
export function useFailure(): (error: unknown, text: string) => void {
  const toasts = useToasts();
  const loggedOut = useLoggedOutRedirect();
  return (error, text) => {
    if (isUnauthorized(error)) loggedOut();
    else toasts.error(commonText.error, text);
  };
}
