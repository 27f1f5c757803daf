import { DomainError } from '@meetmark/contracts';
import { MAX_DEPTH, MAX_VALUES, parseJson } from './body.js';

const codeOf = (bytes: Buffer | string) => {
  try {
    parseJson(Buffer.from(bytes));
    return 'accepted';
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
};
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a JSON body', () => {
  it('may be empty', () => {
    expect(parseJson(Buffer.alloc(0))).toBeUndefined();
  });

  it('keeps every character that it may hold', () => {
    expect(parseJson(Buffer.from('{"name":"Zoë 🎉\\n\\u0001"}'))).toEqual({ name: 'Zoë 🎉\n\u0001' });
  });

  it.each([
    ['half a character', Buffer.from([0x22, 0xc3, 0x22]), 'MALFORMED_TEXT'],
    ['a character in too many bytes', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'MALFORMED_TEXT'],
    ['a surrogate on its own, in bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'MALFORMED_TEXT'],
    ['an escaped NUL', '{"a":"b\\u0000"}', 'MALFORMED_TEXT'],
    ['a NUL in a key', '{"a\\u0000":1}', 'MALFORMED_TEXT'],
    ['a NUL deep inside', '{"a":[{"b":"\\u0000"}]}', 'MALFORMED_TEXT'],
    ['a bare NUL', '{"a":"\0"}', 'MALFORMED_JSON'],
    ['no JSON', '{a:1}', 'MALFORMED_JSON'],
    ['two values', '{}{}', 'MALFORMED_JSON'],
    ['a number that never ends', '1e', 'MALFORMED_JSON'],
    ['a key that reaches for the prototype', '{"__proto__":{"isAdmin":true}}', 'VALIDATION_FAILED'],
    ['such a key deep inside', '{"a":[{"constructor":{}}]}', 'VALIDATION_FAILED'],
    ['the prototype by its other name', '{"prototype":1}', 'VALIDATION_FAILED'],
    ['what every object has', '{"hasOwnProperty":1}', 'VALIDATION_FAILED'],
  ])('is refused with %s', (_, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  it('may be nested so far and no further', () => {
    expect(codeOf(nested(MAX_DEPTH))).toBe('accepted');
    expect(codeOf(nested(MAX_DEPTH + 1))).toBe('BODY_TOO_DEEP');
    expect(codeOf(nested(30_000))).toBe('BODY_TOO_DEEP');
  });

  it('may hold so many values and no more, wherever they stand', () => {
    const list = (length: number) => JSON.stringify(Array(length).fill(0));
    const object = (size: number) =>
      JSON.stringify({ a: Object.fromEntries(Array.from({ length: size - 1 }, (_, n) => [`n${n}`, n])) });
    for (const body of [list, object]) {
      expect(codeOf(body(MAX_VALUES))).toBe('accepted');
      expect(codeOf(body(MAX_VALUES + 1))).toBe('BODY_TOO_LARGE');
    }
  });
});
