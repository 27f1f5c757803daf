import {
  type BrandPalettes,
  DEFAULT_BRAND,
  PALETTES,
  palettesOf,
  type Scheme,
} from '@meetmark/contracts/palette';
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
function pairs(scheme: Scheme, palettes: BrandPalettes): [string, string][] {
  const { both } = palettes;
  const brand = palettesOf(palettes)[scheme];
  const { canvas, surface, raised } = brand;
  const { deep } = both;
  return [
    ...[canvas, surface, raised].flatMap((ground): [string, string][] => [
      [brand.primary, ground],
      [brand.primaryHover, ground],
      [brand.accent, ground],
      ...[brand.ink, brand.inkSoft, brand.warm, brand.danger].map((words): [string, string] => [
        words,
        ground,
      ]),
    ]),
    [brand.ink, brand.selected],
    [brand.ink, brand.primarySoft],
    [brand.primary, brand.primarySoft],
    [brand.accent, brand.accentSoft],
    ...[brand.fill, brand.fillHover, brand.fillActive].map((fill): [string, string] => [brand.onFill, fill]),
    ...[both.onDeep, both.onDeepSoft, both.onDeepAccent].map((words): [string, string] => [words, deep]),
    [both.mark, both.markSoft],
    [both.markAccent, '#ffffff'],
  ];
}

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);

describe('the colours of a brand', () => {
  it('of any colour reach 4.5 : 1 wherever words stand on them', () => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        const palettes = brandPalettes(colour);
        for (const scheme of ['light', 'dark'] as const)
          for (const [text, ground] of pairs(scheme, palettes))
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

  it('are the brand colour itself on buttons, and in words where it can be read', () => {
    expect(brandPalettes('#8A1C4A').light).toMatchObject({ primary: '#8a1c4a', fill: '#8a1c4a' });
    const { light, dark, both } = brandPalettes('#ffee00');
    expect([light.fill, light.onFill, dark.fill, both.deep]).toEqual([
      ...['#ffee00', '#161616', '#ffee00', '#ffee00'],
    ]);
    expect(light.primary).not.toBe('#ffee00');
  });

  it('make a button that is found on a dark page', () => {
    const { fill } = brandPalettes('#000000').dark;
    expect(contrast(fill, PALETTES.dark.surface)).toBeGreaterThanOrEqual(3);
  });

  it('of black are greys: nothing has a hue that the community did not choose', () => {
    const hues = JSON.stringify(brandPalettes('#000000')).match(/#[0-9a-f]{6}/g)!;
    expect(hues.filter((hex) => !/^#(..)\1\1$/.test(hex))).toEqual([]);
  });

  it('take their places in the page', () => {
    const brand = brandPalettes('#8a1c4a');
    expect(brandedPage(':root{--primary:{{light.primary}};--ink:#14211c}', brand)).toBe(
      ':root{--primary:#8a1c4a;--ink:#14211c}',
    );
    expect(brandedPage('{{dark.primarySoft}} {{dark.ink}} {{dark.none}} {{name}}', brand)).toBe(
      `${brand.dark.primarySoft} ${brand.dark.ink} {{dark.none}} {{name}}`,
    );
    expect(brandedPage('{{dark.ink}}', DEFAULT_BRAND)).toBe(PALETTES.dark.ink);
  });
});
