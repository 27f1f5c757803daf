import Papa from 'papaparse';
import { fileDate, toCsv } from './csv';

/** The one cell of a file, as a spreadsheet reads it. */
const cell = (text: string) => {
  const parsed = Papa.parse<Record<string, string>>(toCsv([{ Name: text }]).slice(1), { header: true });
  return parsed.data[0]?.Name;
};

describe('A CSV file', () => {
  it.each([
    '=HYPERLINK("https://evil.example","x")',
    '+1+1',
    '-2+3',
    '@SUM(A1:A9)',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    ' =1+1',
    '=1+1\nsecond line',
    '＝1+1',
    '＋1+1',
    '－2+3',
    '＠SUM(A1:A9)',
    ' ＝1+1',
  ])('makes %j plain text', (formula) => {
    expect(cell(formula)).toBe(`'${formula}`);
  });

  it.each(['Ada "the first" Lovelace', 'Smith, John', 'two\nlines', 'Zoë O’Neil', 'a=b', 'x@example.org'])(
    'keeps %j as it is',
    (text) => {
      expect(cell(text)).toBe(text);
    },
  );

  it('begins with the mark by which Excel knows UTF-8', () => {
    expect(toCsv([{ Name: 'Zoë' }]).charCodeAt(0)).toBe(0xfeff);
  });

  it('is named by the day on the viewer’s clock', () => {
    expect(fileDate(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
  });
});
