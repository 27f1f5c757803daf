type Cell = string | number | boolean | null;

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** RFC 4180. A text that would be a formula begins with an apostrophe, which spreadsheets show as text. */
const cellOf = (value: Cell): string => {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Begins with the mark by which spreadsheets know UTF-8. */
export const csvOf = (rows: (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
