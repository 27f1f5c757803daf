/** A path on this very site, or null: one slash, no backslash, no scheme, no control characters (D9). */
export function localPath(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])[^\\]*$/.test(value)) return null;
  return /\p{Cc}/u.test(value) ? null : value;
}
