/** One leading `/`, no backslash, no control character: browsers drop tabs and line breaks inside addresses. */
const LOCAL = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** The path when it stays on this site, else null. The check is on the browser's own reading: `/.//evil` becomes `//evil`. */
export function safeReturnTo(path: string | null): string | null {
  const { origin } = window.location;
  if (!path || !LOCAL.test(path) || !URL.canParse(path, origin)) return null;
  const url = new URL(path, origin);
  return url.origin === origin && LOCAL.test(url.pathname) ? url.pathname + url.search + url.hash : null;
}

/** Where login begins; the visitor comes back to `path` afterwards. */
export const loginPath = (path: string) => `/api/login?returnTo=${encodeURIComponent(path)}`;

const currentPath = () => window.location.pathname + window.location.search;

/** A full-page redirect, so that the server decides how to sign in. */
export const goToLogin = (path = currentPath()) => window.location.assign(loginPath(path));
