import { chosenPattern, coverAddress, coverPattern, PATTERNS, patternUrl } from './cover-pattern.js';
import { DEFAULT_BRAND } from '../palette.js';

const { covers } = DEFAULT_BRAND.both;
const ONE = '0190b000-0000-7000-8000-000000000001';

const COLOURS = ['#111111', '#222222', '#333333'];
const findColours = (drawing: string) => [...new Set(drawing.match(/#[0-9a-f]{6}/g))].sort();

describe('generated event images', () => {
  it('differ even for neighbouring ids, but stay the same for an event', () => {
    expect(coverPattern(ONE, covers)).toBe(coverPattern(ONE, covers));
    expect(coverPattern(ONE, covers)).not.toBe(coverPattern(ONE.replace(/1$/, '2'), covers));
  });

  it('use exactly the given colours', () => {
    const drawn = Array.from({ length: 40 }, (_, seed) => coverPattern(String(seed), [COLOURS]));
    expect(findColours(drawn.join(''))).toEqual(COLOURS);
  });
});

describe('selectable patterns', () => {
  const numbers = Array.from({ length: PATTERNS }, (_, index) => index + 1);
  const getShapes = (drawing: string) => drawing.replaceAll(/#[0-9a-f]{6}/g, '');

  it('offers eight patterns with different shapes', () => {
    const drawn = numbers.map((number) => getShapes(chosenPattern(number, covers)));
    expect(new Set(drawn).size).toBe(8);
    for (const drawing of drawn) expect(drawing).not.toMatch(/NaN|undefined/);
  });

  it.each(numbers)('draws pattern %i in exactly the given colours', (number) => {
    expect(findColours(chosenPattern(number, [COLOURS]))).toEqual(COLOURS);
    expect(chosenPattern(number, covers)).toBe(chosenPattern(number, covers));
  });

  it('gives each combination of pattern and colours its own URL', () => {
    const addresses = numbers.flatMap((number) =>
      [covers, [COLOURS]].map((each) => patternUrl(number, each)),
    );
    expect(new Set(addresses).size).toBe(16);
    for (const address of addresses) expect(address).toMatch(/^\/media\/patterns\/[1-8]-[0-9a-z]{1,7}\.svg$/);
  });

  it('uses the selected pattern only when the event has no image', () => {
    const url = '/media/banners/x.webp';
    expect(coverAddress({ bannerImageUrl: url, coverPattern: 2 }, covers)).toBe(url);
    expect(coverAddress({ bannerImageUrl: null, coverPattern: 2 }, covers)).toBe(patternUrl(2, covers));
    expect(coverAddress({ bannerImageUrl: null, coverPattern: null }, covers)).toBeNull();
    expect(coverAddress({ bannerImageUrl: null }, covers)).toBeNull();
  });
});
