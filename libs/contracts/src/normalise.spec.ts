import { normalisePassword, toNfc } from './normalise.js';

describe('toNfc', () => {
  it.each([
    ['Cafe\u0301', 'Café'],
    ['각'.normalize('NFD'), '각'],
    ['\u212b', 'Å'],
    ['ﬁ ＡＢＣ', 'ﬁ ＡＢＣ'],
    ['a\ud800b', 'a\ud800b'],
    ['', ''],
  ])('turns %j into the NFC form %j', (given, expected) => expect(toNfc(given)).toBe(expected));

  it('sorts up to 30 combining marks in a row as Unicode does', () => {
    const text = `a${'\u0315'.repeat(15)}${'\u0334'.repeat(15)}`.repeat(3);
    expect(toNfc(text)).toBe(text.normalize('NFC'));
  });

  it('leaves more than 30 combining marks in a row unsorted', () => {
    const text = `a${'\u0315'.repeat(30)}\u0334`;
    expect(toNfc(text)).toBe(text);
    expect(text.normalize('NFC')).not.toBe(text);
  });
});

it.each([
  ['Cafe\u0301', 'Café'],
  ['a\u00a0b\u2003c\u3000d e', 'a b c d e'],
  [' A\tB ', ' A\tB '],
  ['ＡＢＣﬁ', 'ＡＢＣﬁ'],
])('normalises the password %j to %j', (typed, expected) => expect(normalisePassword(typed)).toBe(expected));
