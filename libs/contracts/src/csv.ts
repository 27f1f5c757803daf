/** What spreadsheets read as the beginning of a formula, and the full-width signs that some take for the others. */
const SIGNS = new Set('=+-@＝＋－＠');
/** After which a reader of a file may begin another cell: which one it takes depends on its language and settings. */
const SEPARATORS = new Set(',;|\t\n\v\f\r\u0085\u2028\u2029');
const BLANK = /[\s"]/;
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/**
 * The text of a cell, of which no spreadsheet makes a formula, by whatever separator it reads the file: an apostrophe, which shows as text,
 * stands before each sign that could begin one. Quotes and separators are still to be escaped.
 */
export function cellText(text: string): string {
  const begins = FORMULA.test(text);
  let isStart = !begins;
  let safe = begins ? "'" : '';
  for (const letter of text) {
    if (isStart && SIGNS.has(letter)) safe += "'";
    safe += letter;
    isStart = SEPARATORS.has(letter) || (isStart && BLANK.test(letter));
  }
  return safe;
}
