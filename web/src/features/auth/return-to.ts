/** The path when it stays on this site: one leading `/`, no backslash, no scheme, no control character (D9); else null. */
export function safeReturnTo(path: string | null): string | null {
  // eslint-disable-next-line no-control-regex -- browsers drop tabs and line breaks inside addresses
  if (!path || !/^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(path)) return null;
  const url = URL.canParse(path, window.location.origin) ? new URL(path, window.location.origin) : null;
  return url?.origin === window.location.origin ? url.pathname + url.search + url.hash : null;
}

/** Where login begins; the visitor comes back to `path` afterwards. */
export const loginPath = (path: string) => `/api/login?returnTo=${encodeURIComponent(path)}`;

const currentPath = () => window.location.pathname + window.location.search;

/** A full-page redirect, so that the server decides how one signs in. */
export const goToLogin = (path = currentPath()) => window.location.assign(loginPath(path));
