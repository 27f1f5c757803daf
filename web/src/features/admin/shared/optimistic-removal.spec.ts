import { QueryClient } from '@tanstack/react-query';
import { removeRow } from './optimistic-removal';

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
