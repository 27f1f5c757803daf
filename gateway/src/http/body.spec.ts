import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DomainError } from '@meetmark/contracts';
import { dearerBy } from '@meetmark/testing/hostile-texts';
import { BECOMES } from './body-budget.js';
import { MAX_DEPTH, MAX_VALUES, parseJson } from './body.js';

const codeOf = (bytes: Buffer | string, pictures = false) => {
  try {
    parseJson(Buffer.from(bytes), MAX_VALUES, pictures);
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

  it('may hold empty lists and objects as other values', () => {
    expect(codeOf(`[${Array(MAX_VALUES).fill('{ }').join(' , ')}]`)).toBe('accepted');
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const memory = () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
/** Bytes: as large as a body with a picture may be. */
const LARGE = 7_000_000;
const filled = (before: string, unit: string, after: string) =>
  Buffer.from(before + unit.repeat(Math.floor(LARGE / Buffer.byteLength(unit))) + after);
const PICTURE = filled('{"bannerImageUrl":"data:image/png;base64,', 'iVBORw0K', '"}');

describe('a body as large as a picture', () => {
  it.each([
    ['one', PICTURE],
    [
      'one with escaped slashes',
      filled('{"title":"a","bannerImageUrl":"data:image\\/png;base64,', `${'A'.repeat(60)}\\/`, '"}'),
    ],
    ['several', filled('{"sponsors":[', `{"logoUrl":"data:${'A'.repeat(500_000)}"},`, '{}]}')],
  ])('is taken when it is %s', (_, body) => {
    expect(codeOf(body, true)).toBe('accepted');
    expect(codeOf(body)).toBe('BODY_TOO_LARGE');
  });

  it('becomes no more memory than is counted for it', () => {
    const kept: unknown[] = [];
    const most = (body: Buffer) => {
      const before = memory();
      try {
        kept.push(parseJson(body, MAX_VALUES, true));
      } catch {
        return 0; // nothing is kept, and nothing was made: it was counted before
      }
      return (memory() - before) / body.length;
    };
    const values = `{${Array.from({ length: MAX_VALUES }, (_, n) => `"${n}${'é'.repeat(20)}":{}`).join()}}`;
    // beside the bytes as they were received
    expect(most(PICTURE)).toBeLessThan(BECOMES.large - 2);
    expect(most(Buffer.from(values))).toBeLessThan(BECOMES.small - 2);
    expect(kept.length).toBe(2);
  });

  it.each([
    ['numbers', filled('[', '0,', '0]'), 'BODY_TOO_LARGE'],
    ['objects', filled('[', '{},', '0]'), 'BODY_TOO_LARGE'],
    ['objects, one after the other', filled('{"a":{},"b":{},', '"":0,', '"":0}'), 'BODY_TOO_LARGE'],
    ['lists in lists', filled('', '[', ''), 'BODY_TOO_DEEP'],
    ['another text', filled('{"title":"', 'a', '"}'), 'BODY_TOO_LARGE'],
    ['text of escapes', filled('{"title":"', '\\u00e9', '"}'), 'BODY_TOO_LARGE'],
    ['text without an end', filled('{"title":"', '\\"', ''), 'BODY_TOO_LARGE'],
    ['a data URL of escapes', filled('{"title":"data:', '\\/', '"}'), 'BODY_TOO_LARGE'],
    ['a data URL of other letters', filled('{"title":"data:', 'é', '"}'), 'BODY_TOO_LARGE'],
    ['data URLs without an end', filled('["', 'data:","', ''), 'BODY_TOO_LARGE'],
    ['a number', filled('{"capacity":', '9', '}'), 'BODY_TOO_LARGE'],
    ['spaces', filled('{', ' ', '}'), 'BODY_TOO_LARGE'],
  ])('is refused when it is %s, in less time than a picture takes', async (_, body, code) => {
    expect(codeOf(body, true)).toBe(code);
    const parse = (bytes: Buffer) => () => codeOf(bytes, true);
    expect(await dearerBy(20, parse(PICTURE), parse(body))).toBeLessThan(20);
  });
});
