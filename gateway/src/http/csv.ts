import { cellText, type Community, separatorFor } from '@meetmark/contracts';
import type { FastifyRequest } from 'fastify';
import { readerLocale } from './session.js';

export type Cell = string | number | boolean | null;

/** Quotes a cell according to RFC 4180, whether commas or semicolons separate the cells. */
const toCell = (value: Cell): string => {
  const text = typeof value === 'string' ? cellText(value) : String(value ?? '');
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Excel needs this mark at the start of a file to read CSV as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Returns a function that writes a row as a line, with the separator of the reader's language. */
export function lineWriter(
  request: FastifyRequest,
  community: Pick<Community, 'locale' | 'languages'>,
): (row: readonly Cell[]) => string {
  const separator = separatorFor(readerLocale(request, community) ?? community.locale);
  return (row) => `${row.map(toCell).join(separator)}\r\n`;
}
