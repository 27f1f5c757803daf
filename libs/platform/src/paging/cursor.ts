import { DomainError, isMoment, UUID_PATTERN } from '@meetmark/contracts';

/** Where a page ended: the sort key and the id of its last row, which give the list a total order that inserts do not disturb. */
export interface Position {
  key: string;
  id: string;
}

/** Opaque to clients. The order's name is in it: a cursor of a list that is sorted otherwise is refused. */
export const encodeCursor = (order: string, { key, id }: Position): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString('base64url');

/** @throws DomainError MALFORMED_CURSOR */
export function decodeCursor(cursor: string, order: string, type: 'text' | 'timestamptz'): Position {
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(parts) || parts.length !== 3) throw new DomainError('MALFORMED_CURSOR');
  const [name, key, id] = parts as unknown[];
  if (name !== order || typeof key !== 'string' || typeof id !== 'string' || !UUID_PATTERN.test(id))
    throw new DomainError('MALFORMED_CURSOR');
  if (key.includes('\0') || (type === 'timestamptz' && !isMoment(key)))
    throw new DomainError('MALFORMED_CURSOR');
  return { key, id };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // typed by hand: refused like any other cursor that is not ours
  }
}
