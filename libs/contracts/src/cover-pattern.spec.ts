import { coverPattern } from './cover-pattern.js';
import { DEFAULT_BRAND } from './palette.js';

const { covers } = DEFAULT_BRAND.both;
const ONE = '0190b000-0000-7000-8000-000000000001';

describe('The picture of an event without one', () => {
  it('is the same for the same event', () => {
    expect(coverPattern(ONE, covers)).toBe(coverPattern(ONE, covers));
  });

  it('differs between events whose ids are neighbours', () => {
    expect(coverPattern(ONE, covers)).not.toBe(coverPattern(ONE.replace(/1$/, '2'), covers));
  });

  it('has the colours that it is given and no other', () => {
    const drawn = Array.from({ length: 40 }, (_, seed) =>
      coverPattern(String(seed), [['#111111', '#222222', '#333333']]),
    );
    const colours = new Set(drawn.join('').match(/#[0-9a-f]{6}/g));
    expect([...colours].sort()).toEqual(['#111111', '#222222', '#333333']);
  });
});
