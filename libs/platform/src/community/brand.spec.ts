import {
  type BrandPalettes,
  DEFAULT_BRAND,
  PALETTES,
  buildPalettes,
  type Scheme,
} from '@meetmark/contracts/palette';
import fc from 'fast-check';
import { brandPalettes, brandedPage } from './brand.js';

/**
 * Relative luminance according to WCAG 2.2. Doesn't use the colour library, because the tests check its
 * results.
 */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function pairs(scheme: Scheme, palettes: BrandPalettes): [string, string][] {
  const { both } = palettes;
  const brand = buildPalettes(palettes)[scheme];
  const on = (ground: string, ...texts: string[]) => texts.map((text): [string, string] => [text, ground]);
  const { primary, primaryHover, accent, ink, inkSoft, warm, danger } = brand;
  return [
    ...[brand.canvas, brand.surface, brand.raised].flatMap((ground) =>
      on(ground, primary, primaryHover, accent, ink, inkSoft, warm, danger),
    ),
    ...on(brand.selected, ink),
    ...on(brand.primarySoft, ink, primary),
    ...on(brand.accentSoft, accent),
    ...[brand.fill, brand.fillHover, brand.fillActive].flatMap((fill) => on(fill, brand.onFill)),
    ...on(both.deep, both.onDeep, both.onDeepSoft, both.onDeepAccent),
    ...on(both.markSoft, both.mark),
    ...on('#ffffff', both.markAccent),
  ];
}

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`);

const EXAMPLES = ['#000000', '#ffffff', '#ffee00', '#808080', '#0000ff', '#00ff00'];
const twoColours = fc.tuple(anyColour, fc.option(anyColour));
const examples = EXAMPLES.flatMap((one): [[string, string | null]][] => [
  [[one, null]],
  ...EXAMPLES.map((other): [[string, string]] => [[one, other]]),
]);

describe('brandPalettes', () => {
  it('gives text a contrast of 4.5:1, and soft dark backgrounds 1.2:1, for any brand colours', () => {
    fc.assert(
      fc.property(twoColours, ([first, second]) => {
        const colours = brandPalettes(first, second);
        for (const palettes of [colours, brandPalettes(null, second)])
          for (const scheme of ['light', 'dark'] as const)
            expect(pairs(scheme, palettes).filter(([text, ground]) => contrast(text, ground) < 4.5)).toEqual(
              [],
            );
        const { canvas, surface, raised, primarySoft, accentSoft } = colours.dark;
        for (const soft of [primarySoft, accentSoft])
          for (const ground of [canvas, surface, raised])
            expect(contrast(soft, ground)).toBeGreaterThanOrEqual(1.2);
      }),
      { numRuns: 150, examples },
    );
  });

  it('keeps the second brand colour where it stands out from the first', () => {
    fc.assert(
      fc.property(anyColour, anyColour, (first, second) => {
        const { both } = brandPalettes(first, second);
        const alone = brandPalettes(first).both;
        expect(contrast(both.deepFirst, both.deep)).toBeGreaterThanOrEqual(1.5);
        expect([both.deep, ...both.covers.map(([ground]) => ground)]).toEqual([
          ...[alone.deep, ...alone.covers.map(([ground]) => ground)],
        ]);
        if (contrast(second, both.deep) >= 1.5) expect(both.deepFirst).toBe(second);
        for (const [ground = '', ...inks] of both.covers)
          if (contrast(second, ground) >= 1.5) expect(inks).toContain(second);
      }),
    );
    const { light, both } = brandPalettes('#d0021b', '#1FB5A8');
    expect([light.fill, both.deepFirst]).toEqual(['#d0021b', '#1fb5a8']);
    expect(light.accent).not.toBe(light.primary);
  });

  it('falls back to the first colour, or to the default colours', () => {
    const { light, both } = brandPalettes('#8a1c4a');
    expect([light.accent, both.markAccent]).toEqual([light.primary, light.primary]);
    expect(brandPalettes('#8a1c4a', null)).toEqual(brandPalettes('#8a1c4a'));
    expect(brandPalettes(null, null)).toBe(DEFAULT_BRAND);
  });

  it('keeps the brand colour on buttons, but adjusts unreadable text colours', () => {
    expect(brandPalettes('#8A1C4A').light).toMatchObject({ primary: '#8a1c4a', fill: '#8a1c4a' });
    const { light, dark, both } = brandPalettes('#ffee00');
    expect([light.fill, light.onFill, dark.fill, both.deep]).toEqual([
      ...['#ffee00', '#161616', '#ffee00', '#ffee00'],
    ]);
    expect(light.primary).not.toBe('#ffee00');
  });

  it('derives only grey colours from black, with a button that stands out in dark mode', () => {
    const palettes = brandPalettes('#000000');
    expect(contrast(palettes.dark.fill, PALETTES.dark.surface)).toBeGreaterThanOrEqual(3);
    const colours = JSON.stringify(palettes).match(/#[0-9a-f]{6}/g)!;
    expect(colours.filter((hex) => !/^#(..)\1\1$/.test(hex))).toEqual([]);
  });

  it('replaces the colour placeholders in a page', () => {
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
