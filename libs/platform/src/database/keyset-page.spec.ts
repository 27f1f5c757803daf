import { decodeCursor, encodeCursor } from './keyset-page.js';

const id = '01990000-0000-7000-8000-000000000000';
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it.each<[string, 'text' | 'timestamptz']>([
    ['Ødegård "Ö" 🎉', 'text'],
    ['', 'text'],
    ['2026-11-21T10:00:00.123Z', 'timestamptz'],
  ])('says where a page ended: %s', (key, type) => {
    expect(decodeCursor(encodeCursor('name', { key, id }), 'name', type)).toEqual({ key, id });
  });

  it('holds two names of the greatest length within its limit', () => {
    expect(encodeCursor('name', { key: '𝔸'.repeat(201), id }).length).toBeLessThan(2_000);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['what is no JSON', Buffer.from('{').toString('base64url')],
    ['too few parts', encoded(['name', 'key'])],
    ['too many parts', encoded(['name', 'key', id, 'more'])],
    ['an object', encoded({ name: 'name', key: 'key', id })],
    ['a key that is no text', encoded(['name', 1, id])],
    ['an id that is none', encoded(['name', 'key', '1'])],
    ['the cursor of another order', encoded(['-name', 'key', id])],
    ['a key that cannot be stored', encoded(['name', 'a\0', id])],
  ])('is refused when it holds %s', (_, cursor) => {
    expect(() => decodeCursor(cursor, 'name', 'text')).toThrow(
      expect.objectContaining({ code: 'MALFORMED_CURSOR' }),
    );
  });

  it.each(['yesterday', 'infinity', '2026-13-01T00:00:00Z'])('is refused with the moment %s', (key) => {
    const decode = () => decodeCursor(encodeCursor('-at', { key, id }), '-at', 'timestamptz');
    expect(decode).toThrow(expect.objectContaining({ code: 'MALFORMED_CURSOR' }));
  });
});
