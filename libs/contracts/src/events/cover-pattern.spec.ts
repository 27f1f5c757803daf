import { chosenPattern, coverAddress, coverPattern, PATTERNS, patternUrl } from './cover-pattern.js';
import { DEFAULT_BRAND } from '../palette.js';

const { covers } = DEFAULT_BRAND.both;
const ONE = '0190b000-0000-7000-8000-000000000001';

describe('generated event images', () => {
  it('draws the same image for the same event', () => {
    expect(coverPattern(ONE, covers)).toBe(coverPattern(ONE, covers));
  });

  it('draws different images for events with neighbouring ids', () => {
    expect(coverPattern(ONE, covers)).not.toBe(coverPattern(ONE.replace(/1$/, '2'), covers));
  });

  it('draws event images in exactly the given colours', () => {
    const drawn = Array.from({ length: 40 }, (_, seed) =>
      coverPattern(String(seed), [['#111111', '#222222', '#333333']]),
    );
    const colours = new Set(drawn.join('').match(/#[0-9a-f]{6}/g));
    expect([...colours].sort()).toEqual(['#111111', '#222222', '#333333']);
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
    const drawn = chosenPattern(number, [['#111111', '#222222', '#333333']]);
    expect([...new Set(drawn.match(/#[0-9a-f]{6}/g))].sort()).toEqual(['#111111', '#222222', '#333333']);
    expect(chosenPattern(number, covers)).toBe(chosenPattern(number, covers));
  });

  it('gives each combination of pattern and colours its own URL', () => {
    const addresses = numbers.flatMap((number) => [
      patternUrl(number, covers),
      patternUrl(number, [['#111111', '#222222']]),
    ]);
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
