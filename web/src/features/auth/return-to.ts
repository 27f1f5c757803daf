import { persist, readPersisted } from '../../ui/persisted-state';

/** One leading `/`, no backslash, no control character: browsers drop tabs and line breaks inside addresses. */
const LOCAL = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** The path when it stays on this site, else null. The check is on the browser's own reading: `/.//evil` becomes `//evil`. */
export function safeReturnTo(path: string | null): string | null {
  const { origin } = window.location;
  if (!path || !LOCAL.test(path) || !URL.canParse(path, origin)) return null;
  const url = new URL(path, origin);
  return url.origin === origin && LOCAL.test(url.pathname) ? url.pathname + url.search + url.hash : null;
}

const ON_THE_WAY = 'on-the-way';

/** Notes where signing in leads, for a mailed link that opens in another tab. Of two that were asked for, the later one counts. */
export const noteReturnTo = (path = new URLSearchParams(window.location.search).get('returnTo')) =>
  persist(ON_THE_WAY, safeReturnTo(path));

/** What `noteReturnTo` noted in this browser. */
export const notedReturnTo = () => safeReturnTo(readPersisted(ON_THE_WAY));

/** Where login begins; the visitor comes back to `path` afterwards. */
export const loginPath = (path: string) => `/api/login?returnTo=${encodeURIComponent(path)}`;

const currentPath = () => window.location.pathname + window.location.search;

/** A full-page redirect, so that the server decides how to sign in. */
export const goToLogin = (path = currentPath()) => window.location.assign(loginPath(path));
