type Cell = string | number | boolean | null;

/** What a spreadsheet may take for the beginning of a formula, also after blanks, and in full-width signs, which some read as the others. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** RFC 4180. A text that would be a formula begins with an apostrophe, which spreadsheets show as text. */
const cellOf = (value: Cell): string => {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** By which spreadsheets know UTF-8; a file begins with it. */
export const BYTE_ORDER_MARK = '\uFEFF';

export const linesOf = (rows: (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
