import { DomainError, UUID_PATTERN } from '@meetmark/contracts';

/** Where a page ended: the row's date and id, which give the list a total order that inserts do not disturb. */
export interface Keyset {
  date: Date;
  id: string;
}

export const encodeCursor = ({ date, id }: Keyset): string =>
  Buffer.from(`${date.toISOString()} ${id}`).toString('base64url');

/** @throws DomainError MALFORMED_CURSOR */
export function decodeCursor(cursor: string): Keyset {
  const [moment = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const date = new Date(moment);
  if (Number.isNaN(date.getTime()) || !UUID_PATTERN.test(id) || rest.length > 0)
    throw new DomainError('MALFORMED_CURSOR');
  return { date, id };
}
