import fc from 'fast-check';
import { cellText } from './csv.js';

const blanks = fc.string({ unit: fc.constantFrom(' ', '"', '\u00a0'), maxLength: 3 });
const separator = fc.constantFrom(...',;|\t\n\r');
const sign = fc.constantFrom(...'=+-@＝＋－＠');
const text = fc.string({ unit: 'binary' });

/** What begins as a formula for a reader that knows one separator and, as several do, no quotes. */
const formulas = (cell: string, by: string) =>
  `"${cell}"`
    .split(/[\r\n\v\f\u0085\u2028\u2029]/)
    .flatMap((line) => line.split(by))
    .filter((part) => /^[\s"]*[=+\-@＝＋－＠]/.test(part));

it('is no formula by whatever separator it is read', () => {
  const hostile = fc
    .array(
      fc.oneof(
        text,
        fc.tuple(separator, blanks, sign, text).map((parts) => parts.join('')),
      ),
    )
    .map((parts) => parts.join(''));
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
])('turns %j into %j', (typed, cell) => expect(cellText(typed)).toBe(cell));

it('takes time in proportion to the text', () => {
  const began = performance.now();
  cellText(`${'\n"; '.repeat(250_000)}x`);
  expect(performance.now() - began).toBeLessThan(2_000);
});
