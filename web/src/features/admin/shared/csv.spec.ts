import fc from 'fast-check';
import Papa from 'papaparse';
import { fileDate, toCsv } from './csv';

/** The one cell of a file, as a spreadsheet reads it. */
const cell = (text: string) =>
  Papa.parse<string[]>(toCsv([{ Name: text }]).slice(1), { delimiter: ',', newline: '\r\n' }).data[1]?.[0];

describe('A CSV file', () => {
  it('makes plain text of whatever a spreadsheet may take for a formula', () => {
    expect(cell(' =1')).toBe("' =1");
    expect(cell('Eve;=1, +2')).toBe("Eve;'=1, '+2");
  });

  it('keeps every other text as it is, with its quotes, commas and line breaks', () => {
    const other = fc.string({ unit: 'binary' }).filter((typed) => !/[=+\-@＝＋－＠]|^[\t\r\n]/.test(typed));
    fc.assert(fc.property(other, (typed) => expect(cell(`x${typed}`)).toBe(`x${typed}`)));
  });

  it('begins with the mark by which Excel knows UTF-8', () => {
    expect(toCsv([{ Name: 'Zoë' }]).charCodeAt(0)).toBe(0xfeff);
  });

  it('is named by the day on the viewer’s clock', () => {
    expect(fileDate(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
  });
});
