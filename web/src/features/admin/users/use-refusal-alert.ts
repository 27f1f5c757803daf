import { App } from 'antd';
import { isUnauthorized, serverMessage } from '../../../api/client';
import { adminText } from '../../../strings/admin';
import { useLoggedOutRedirect } from '../../auth/logged-out';

interface RefusalWords {
  /** When another account has the address. */
  taken: string;
  /** When the server said nothing. */
  fallback: string;
}

/** The server's own words, except where the specification has words for an address that is taken. */
export function refusalText(error: unknown, { taken, fallback }: RefusalWords): string {
  const message = serverMessage(error);
  if (message === null) return fallback;
  return /already (exists|taken)/i.test(message) ? taken : message;
}

/** 'Unable to Complete Action': stays until it is read, over the form that caused it. */
export function useRefusalAlert(words: RefusalWords): (error: unknown) => void {
  const { modal } = App.useApp();
  const loggedOut = useLoggedOutRedirect();
  return (error) => {
    if (isUnauthorized(error)) loggedOut();
    else
      modal.error({
        title: adminText.unableTitle,
        content: refusalText(error, words),
        okText: adminText.ok,
      });
  };
}
