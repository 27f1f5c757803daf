import fc from 'fast-check';
import { cellText, separatorFor } from './csv.js';
import { LOCALES } from '@meetmark/i18n/locales';

const blanks = fc.string({ unit: fc.constantFrom(' ', '"', '\u00a0'), maxLength: 3 });
const separator = fc.constantFrom(...',;|\t\n\r');
const sign = fc.constantFrom(...'=+-@＝＋－＠');
const text = fc.string({ unit: 'binary' });

/**
 * Returns the cells that a spreadsheet would read as formulas if it used this separator and ignored quotes.
 */
const formulas = (cell: string, by: string) =>
  `"${cell}"`
    .split(/[\r\n\v\f\u0085\u2028\u2029]/)
    .flatMap((line) => line.split(by))
    .filter((part) => /^[\s"]*[=+\-@＝＋－＠]/.test(part));

it('disables formulas in CSV cells for every separator', () => {
  const likely = fc.tuple(separator, blanks, sign, text).map((parts) => parts.join(''));
  const hostile = fc.array(fc.oneof(text, likely)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(hostile, separator, (typed, by) => expect(formulas(cellText(typed), by)).toEqual([])),
  );
});

it.each([
  ['=1+1', "'=1+1"],
  ['  -2', "'  -2"],
  ['\ttab', "'\ttab"],
  ["Eve;=cmd|' /C calc'!A0", "Eve;'=cmd|' /C calc'!A0"],
  ['Eve; "+1', 'Eve; "\'+1'],
  ['a\n- b', "a\n'- b"],
  ['\t=1', "'\t'=1"],
  ['a@b.example, 2 + 3 = 5; x-y', 'a@b.example, 2 + 3 = 5; x-y'],
  ['', ''],
])('turns the text %j into the CSV cell %j', (typed, cell) => expect(cellText(typed)).toBe(cell));

it('uses the separator that spreadsheets expect in each language', () => {
  const separators = LOCALES.map((locale) => `${locale} ${separatorFor(locale)}`);
  expect(separators).toEqual(['en-US ,', 'en-GB ,', 'de ;', 'fr ;', 'es ;', 'nl ;']);
  for (const locale of ['de-CH', 'es-MX']) expect(separatorFor(locale)).toBe(',');
  expect(separatorFor('de-x-du')).toBe(';');
});

it('escapes a million characters without timing out', () => {
  const text = cellText(`${'\n"; '.repeat(250_000)}x`);
  expect(text.length).toBeGreaterThan(500_000);
});
