import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './keyset-page.js';

const id = '01990000-0000-7000-8000-000000000000';
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const malformed = expect.objectContaining({ code: 'MALFORMED_CURSOR' });

describe('cursors', () => {
  it('decodes a cursor to the key and id that it encodes', () => {
    const stored = fc.string({ unit: 'binary' }).filter((key) => !key.includes('\0'));
    fc.assert(
      fc.property(stored, fc.uuid(), (key, id) =>
        expect(decodeCursor(encodeCursor('name', { key, id }), 'name', 'text')).toEqual({ key, id }),
      ),
    );
    const at = { key: '2026-11-21T10:00:00.123Z', id };
    expect(decodeCursor(encodeCursor('-at', at), '-at', 'timestamptz')).toEqual(at);
  });

  it('keeps a cursor within its length limit for the longest names', () => {
    expect(encodeCursor('name', { key: '𝔸'.repeat(201), id }).length).toBeLessThan(2_000);
  });

  it('rejects a malformed cursor or one with another sort order', () => {
    const foreign = fc.oneof(fc.string(), fc.base64String(), fc.jsonValue().map(encoded));
    fc.assert(
      fc.property(foreign, (cursor) => expect(() => decodeCursor(cursor, 'name', 'text')).toThrow(malformed)),
    );
    const almost = [
      ['name', 'key'],
      ['name', 'key', id, ''],
      ['name', 1, id],
      ['name', 'key', '1'],
      ['-name', 'key', id],
      ['name', 'a\0', id],
    ];
    for (const parts of almost) expect(() => decodeCursor(encoded(parts), 'name', 'text')).toThrow(malformed);
  });

  it.each(['yesterday', 'infinity', '2026-13-01T00:00:00Z'])('rejects the cursor timestamp %s', (key) => {
    expect(() => decodeCursor(encodeCursor('-at', { key, id }), '-at', 'timestamptz')).toThrow(malformed);
  });
});
