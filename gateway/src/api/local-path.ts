/** A host that resolves nowhere: an address that leads to another one leads out. */
const HERE = 'http://here.invalid';
/** One slash, no backslash, no control characters. */
const LOCAL = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** A path on this very site, or null. What counts is what a browser makes of it: `/.//evil.example` becomes `//evil.example`. */
export function localPath(value: unknown): string | null {
  if (typeof value !== 'string' || !LOCAL.test(value) || !URL.canParse(value, HERE)) return null;
  const { origin, pathname, search, hash } = new URL(value, HERE);
  return origin === HERE && LOCAL.test(pathname) ? pathname + search + hash : null;
}
