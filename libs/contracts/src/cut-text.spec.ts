import { cutText, shortenText } from './cut-text.js';
import { firstGrapheme } from './first-grapheme.js';

const FAMILY = '👨‍👩‍👧';
const ACCENTED = 'e\u0301';

describe('cutText', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 4, 'long'],
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
    [`ab${FAMILY}c`, 6, 'ab'],
    [`a${FAMILY}c`, 1 + FAMILY.length, `a${FAMILY}`],
    [`caf${ACCENTED}s`, 4, 'caf'],
    ['🇬🇧🇫🇷', 6, '🇬🇧'],
    ['one\r\ntwo', 4, 'one'],
  ])('cuts %j to at most %d characters: %j', (text, max, cut) => expect(cutText(text, max)).toBe(cut));

  it('cuts within a grapheme that exceeds the limit, but never within a surrogate pair', () => {
    expect(cutText(`a${'\u0301'.repeat(300)}`, 255)).toHaveLength(255);
    expect(cutText(`😀${'\u0301'.repeat(3)}`, 1)).toBe('');
  });
});

describe('shortenText', () => {
  it.each([
    ['fits in', 7, 'fits in'],
    ['does not fit', 9, 'does not…'],
    ['does not fit', 10, 'does not…'],
    ['does😀not fit', 6, 'does…'],
  ])('shortens %j to at most %d characters: %j', (text, max, shortened) =>
    expect(shortenText(text, max)).toBe(shortened),
  );
});

it.each([
  ['Ada', 'A'],
  [`${ACCENTED}ric`, ACCENTED],
  [`${FAMILY} Meetup`, FAMILY],
  ['🇬🇧 Britain', '🇬🇧'],
  ['', ''],
])('returns the first grapheme of %j', (text, letter) => expect(firstGrapheme(text)).toBe(letter));
