import { QueryClient } from '@tanstack/react-query';
import { fileDate, toCsv } from './csv';
import { removeRow } from './optimistic-removal';

describe('A CSV file', () => {
  it('starts with a byte order mark, uses the reader’s separator and escapes formulas', () => {
    const rows = [{ Name: 'Zoë; or "Zoe", maybe', Price: '=1,5' }];
    const name = '"Zoë; or ""Zoe"", maybe"';
    expect(toCsv(rows, 'en-GB')).toBe(`\uFEFFName,Price\r\n${name},"'=1,5"`);
    expect(toCsv(rows, 'de')).toBe(`\uFEFFName;Price\r\n${name};'=1,5`);
  });

  it('is named with the current date in the viewer’s time zone', () => {
    expect(fileDate(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
  });
});

const LIST = ['/api/things'];
const FIRST = [...LIST, 'page 1'];
const rows = (...ids: string[]) => ids.map((id) => ({ id }));

function createCache(...ids: string[]): QueryClient {
  const client = new QueryClient();
  client.setQueryData(FIRST, { items: rows(...ids), total: 10, next: null });
  return client;
}

describe('An optimistic removal', () => {
  it('removes the row from every page and reduces the total', async () => {
    const client = createCache('a', 'b', 'c');
    client.setQueryData([...LIST, 'found by b'], { items: rows('b'), total: 1, next: null });
    await removeRow(client, LIST, 'b');
    expect(client.getQueryData(FIRST)).toEqual({ items: rows('a', 'c'), total: 9, next: null });
    expect(client.getQueryData([...LIST, 'found by b'])).toEqual({ items: [], total: 0, next: null });
  });

  it('restores the row at its previous position', async () => {
    const client = createCache('a', 'b', 'c');
    const restore = await removeRow(client, LIST, 'b');
    restore();
    expect(client.getQueryData(FIRST)).toEqual({ items: rows('a', 'b', 'c'), total: 10, next: null });
  });

  it('does not restore another row deleted in the meantime', async () => {
    const client = createCache('a', 'b', 'c');
    const restore = await removeRow(client, LIST, 'b');
    await removeRow(client, LIST, 'c');
    restore();
    expect(client.getQueryData(FIRST)).toEqual({ items: rows('a', 'b'), total: 9, next: null });
  });

  it('does not duplicate a row that a refetch has already restored', async () => {
    const client = createCache('a', 'b');
    const restore = await removeRow(client, LIST, 'b');
    client.setQueryData(FIRST, { items: rows('a', 'b'), total: 10, next: null });
    restore();
    expect(client.getQueryData(FIRST)).toEqual({ items: rows('a', 'b'), total: 10, next: null });
  });
});
