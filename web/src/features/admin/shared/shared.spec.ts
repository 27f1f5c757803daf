import fc from 'fast-check';
import Papa from 'papaparse';
import { QueryClient } from '@tanstack/react-query';
import { fileDate, toCsv } from './csv';
import { removeRow } from './optimistic-removal';

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

const LIST = ['/api/things'];
const FIRST = [...LIST, 'page 1'];
const rows = (...ids: string[]) => ids.map((id) => ({ id }));

function cacheOf(...ids: string[]): QueryClient {
  const client = new QueryClient();
  client.setQueryData(FIRST, { items: rows(...ids), total: 10, next: null });
  return client;
}

describe('An optimistic removal', () => {
  it('takes the row out of every page and counts one less', async () => {
    const client = cacheOf('a', 'b', 'c');
    client.setQueryData([...LIST, 'found by b'], { items: rows('b'), total: 1, next: null });
    await removeRow(client, LIST, 'b');
    expect(client.getQueryData(FIRST)).toEqual({ items: rows('a', 'c'), total: 9, next: null });
    expect(client.getQueryData([...LIST, 'found by b'])).toEqual({ items: [], total: 0, next: null });
  });

  it('puts the row back where it was', async () => {
    const client = cacheOf('a', 'b', 'c');
    const restore = await removeRow(client, LIST, 'b');
    restore();
    expect(client.getQueryData(FIRST)).toEqual({ items: rows('a', 'b', 'c'), total: 10, next: null });
  });

  it('does not bring back another row that was deleted meanwhile', async () => {
    const client = cacheOf('a', 'b', 'c');
    const restore = await removeRow(client, LIST, 'b');
    await removeRow(client, LIST, 'c');
    restore();
    expect(client.getQueryData(FIRST)).toEqual({ items: rows('a', 'b'), total: 9, next: null });
  });

  it('leaves a row alone that a fresh answer has brought back already', async () => {
    const client = cacheOf('a', 'b');
    const restore = await removeRow(client, LIST, 'b');
    client.setQueryData(FIRST, { items: rows('a', 'b'), total: 10, next: null });
    restore();
    expect(client.getQueryData(FIRST)).toEqual({ items: rows('a', 'b'), total: 10, next: null });
  });
});
