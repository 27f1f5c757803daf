/** Characters that start a formula in spreadsheets, including full-width variants. */
const SIGNS = new Set('=+-@＝＋－＠');
/** Some spreadsheets start a new cell or row at these characters, depending on language and settings. */
const SEPARATORS = new Set(',;|\t\n\v\f\r\u0085\u2028\u2029');
const BLANK = /[\s"]/;
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/**
 * Disables formulas at the start of the text and after each separator. The caller must still escape quotes
 * and separators.
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

export const separatorFor = (locale: string): ',' | ';' =>
  new Intl.NumberFormat(locale).format(0.5).includes(',') ? ';' : ',';
