import { type DomainError, PALETTES, type Scheme } from '@meetmark/contracts';
import fc from 'fast-check';
import { brandPalettes, brandedPage } from './brand.js';

/** Relative luminance of WCAG 2.2, written out here: a control of the library that the code uses. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Text and what it stands on, wherever screens and mails put them together. */
function pairs(scheme: Scheme, brandColour: string): [string, string][] {
  const { primary, primaryHover, primaryActive, onPrimary, primarySoft } = brandPalettes(brandColour)[scheme];
  const { canvas, surface, raised } = PALETTES[scheme];
  return [
    ...[canvas, surface, raised].flatMap((ground): [string, string][] => [
      [primary, ground],
      [primaryHover, ground],
    ]),
    [primary, primarySoft],
    [onPrimary, primary],
    [onPrimary, primaryHover],
    [onPrimary, primaryActive],
  ];
}

const nearestTo = (brandColour: string): string | undefined => {
  try {
    brandPalettes(brandColour);
    return undefined;
  } catch (error) {
    return (error as DomainError).details?.nearest;
  }
};

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);

describe('the colours of a brand', () => {
  it('of any colour, or of the nearest that is readable, reach 4.5 : 1 wherever they stand together', () => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        const brandColour = nearestTo(colour) ?? colour;
        for (const scheme of ['light', 'dark'] as const)
          for (const [text, ground] of pairs(scheme, brandColour))
            expect([colour, scheme, text, ground, contrast(text, ground) >= 4.5]).toEqual([
              ...[colour, scheme, text, ground],
              true,
            ]);
      }),
      {
        numRuns: 500,
        examples: [['#000000'], ['#ffffff'], ['#ffee00'], ['#808080'], ['#0000ff'], ['#00ff00']],
      },
    );
  });

  it('are the brand colour itself in the light scheme', () => {
    expect(brandPalettes('#8A1C4A').light.primary).toBe('#8a1c4a');
  });

  it('refuse a colour that is hard to read, and name the nearest of its hue', () => {
    expect(() => brandPalettes('#ffee00')).toThrow(
      expect.objectContaining({
        code: 'COLOUR_UNREADABLE',
        details: {
          nearest: nearestTo('#ffee00'),
          fields: { brandColour: [expect.stringContaining('hard to read')] },
        },
      }),
    );
    expect(nearestTo(nearestTo('#ffee00')!)).toBeUndefined();
  });

  it('take their places in the page', () => {
    const brand = brandPalettes('#8a1c4a');
    expect(brandedPage(':root{--primary:{{light.primary}};--ink:#14211c}', brand)).toBe(
      ':root{--primary:#8a1c4a;--ink:#14211c}',
    );
    expect(brandedPage('{{dark.primarySoft}} {{dark.ink}} {{name}}', brand)).toBe(
      `${brand.dark.primarySoft} {{dark.ink}} {{name}}`,
    );
  });
});
