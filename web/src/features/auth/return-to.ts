import { persist, readPersisted } from '../../ui/persisted-state';

/**
 * Matches paths that start with a single `/`. Excludes `\`, which browsers read as `/`, and control
 * characters, which browsers may drop.
 */
const LOCAL = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** Returns null if the path leads to another site. For example, browsers read `/.//evil` as `//evil`. */
export function safeReturnTo(path: string | null): string | null {
  const { origin } = window.location;
  if (!path || !LOCAL.test(path) || !URL.canParse(path, origin)) return null;
  const url = new URL(path, origin);
  return url.origin === origin && LOCAL.test(url.pathname) ? url.pathname + url.search + url.hash : null;
}

const ON_THE_WAY = 'on-the-way';

/**
 * Stores the page to return to, because an emailed link opens another tab. Replaces a page stored earlier.
 */
export const noteReturnTo = (path = new URLSearchParams(window.location.search).get('returnTo')) =>
  persist(ON_THE_WAY, safeReturnTo(path));

export const notedReturnTo = () => safeReturnTo(readPersisted(ON_THE_WAY));

export const loginPath = (path: string) => `/api/login?returnTo=${encodeURIComponent(path)}`;

const currentPath = () => window.location.pathname + window.location.search;

export const goToLogin = (path = currentPath()) => window.location.assign(loginPath(path));
