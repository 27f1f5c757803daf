import {
  type BrandColours,
  type BrandPalettes,
  DEFAULT_BRAND,
  type Grounds,
  buildPalettes,
  type PictureColours,
  type Scheme,
  TINTED,
} from '@meetmark/contracts/palette';
import { clampChroma, converter, formatHex, type Oklch, parse, wcagContrast, wcagLuminance } from 'culori';

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const TEXT = 4.5;
/** Minimum contrast of controls (WCAG 2.2, 1.4.11). */
const CONTROL = 3;
const DRAWN = 1.5;
const MARK = 1.2;
/** Added to a minimum contrast, so that colours still reach it after rounding. */
const MARGIN = 0.02;
const STEP = 0.002;

const oklch = converter('oklch');

/** Text colours in order of preference. On any brand colour, at least one of them is readable. */
const INKS = ['#ffffff', '#161616'];

const listGrounds = ({ canvas, surface, raised }: Grounds) => [canvas, surface, raised];

const readable = (text: string, grounds: string[], ratio = TEXT) =>
  grounds.every((ground) => wcagContrast(text, ground) >= ratio);

const at = (colour: Oklch, l: number): string => formatHex(clampChroma({ ...colour, l }, 'oklch'))!;

function firstBetween(colour: Oklch, from: number, end: number, holds: (hex: string) => boolean): string {
  const step = Math.sign(end - from) * STEP;
  for (let l = from; step > 0 ? l < end : l > end; l += step) {
    const hex = at(colour, l);
    if (holds(hex)) return hex;
  }
  return at(colour, end);
}

/**
 * Lines and text. To keep their contrast, they only become darker in the light scheme and lighter in the dark
 * scheme. Backgrounds change in the opposite direction.
 */
const WORDS = ['line', 'lineStrong', 'ink', 'inkSoft'];

/** Tints the neutral colours without reducing contrast. A grey brand colour leaves them grey. */
function tintedIn({ h, c }: Oklch, scheme: Scheme): Grounds {
  const tint = (name: keyof Grounds) => {
    const product = DEFAULT_BRAND[scheme][name];
    const { l, c: most } = oklch(parse(product)) as Oklch;
    const isLighter = WORDS.includes(name) === (scheme === 'dark');
    const target = wcagLuminance(product);
    const tinted: Oklch = { mode: 'oklch', l, c: Math.min(c, most), ...(h !== undefined && { h }) };
    return firstBetween(tinted, l, isLighter ? 1 : 0, (hex) =>
      isLighter ? wcagLuminance(hex) >= target : wcagLuminance(hex) <= target,
    );
  };
  return Object.fromEntries(TINTED.map((name) => [name, tint(name)])) as unknown as Grounds;
}

const inkOn = (ground: string): string => INKS.find((ink) => wcagContrast(ink, ground) >= TEXT) ?? '#000000';

const clamp = (lightness: number) => Math.min(1, Math.max(0, lightness));

/**
 * Chooses a text colour (`words`) and a background tint (`soft`) on which it is readable. In the dark scheme
 * the tint is chosen first, because it must stand out from the page.
 */
function computeTextColours(
  brand: string,
  scheme: Scheme,
  grounds: string[],
): { words: string; soft: string } {
  const colour = oklch(parse(brand)) as Oklch;
  const tint = { ...colour, c: Math.min(colour.c * 0.3, 0.04) };
  const isWord = (hex: string, on: string[]) => readable(hex, on, TEXT + MARGIN);
  if (scheme === 'dark') {
    const soft = firstBetween(tint, 0.3, 1, (hex) => readable(hex, grounds, MARK));
    const from = Math.max(colour.l, 0.6);
    return { soft, words: firstBetween(colour, from, 1, (hex) => isWord(hex, [...grounds, soft])) };
  }
  const asItIs = readable(brand, grounds);
  const words = asItIs ? brand : firstBetween(colour, colour.l, 0, (hex) => isWord(hex, grounds));
  return { words, soft: firstBetween(tint, 0.94, 1, (hex) => isWord(words, [hex])) };
}

function buildScheme(brand: string, scheme: Scheme): BrandColours {
  const tinted = tintedIn(oklch(parse(brand)) as Oklch, scheme);
  const grounds = listGrounds(tinted);
  const { words: primary, soft: primarySoft } = computeTextColours(brand, scheme, grounds);
  // A dark button would be invisible on a dark page.
  const fill = scheme === 'light' || readable(brand, grounds, CONTROL) ? brand : primary;
  const onFill = inkOn(fill);
  const shade = (of: string, by: number, holds: (hex: string) => boolean) => {
    const from = oklch(parse(of)) as Oklch;
    const shaded = at(from, clamp(from.l + by));
    return holds(shaded) ? shaded : of;
  };
  const carriesWords = (hex: string) => wcagContrast(onFill, hex) >= TEXT;
  return {
    primary,
    primaryHover: shade(primary, 0.05, (hex) => readable(hex, grounds)),
    primarySoft,
    fill,
    fillHover: shade(fill, 0.05, carriesWords),
    fillActive: shade(fill, -0.055, carriesWords),
    onFill,
    accent: primary,
    accentSoft: primarySoft,
    ...tinted,
  };
}

const COVERS = [
  [0.27, 0.72, 0.58, 0.86, 0.95],
  [0.58, 0.27, 0.86, 0.95, 0.4],
  [0.4, 0.86, 0.72, 0.95, 0.58],
  [0.86, 0.27, 0.58, 0.97, 0.42],
  [0.95, 0.42, 0.6, 0.76, 0.27],
  [0.72, 0.27, 0.44, 0.95, 0.86],
];

const DEEP = 0.38;

function computeImageColours(brand: string, { primary, primarySoft, accent }: BrandColours): PictureColours {
  const colour = oklch(parse(brand)) as Oklch;
  const onBrand = inkOn(brand);
  // A light brand colour stays unchanged, because a darker shade would look like a different colour.
  const isLight = onBrand !== INKS[0];
  const deep = isLight ? brand : at(colour, Math.min(colour.l, DEEP));
  const onDeep = inkOn(deep);
  const soft = { ...colour, c: Math.min(colour.c, 0.03) };
  const isReadable = (hex: string) => wcagContrast(hex, deep) >= TEXT + MARGIN;
  return {
    deep,
    onDeep,
    onDeepSoft: isLight ? onDeep : firstBetween(soft, 0.88, 1, isReadable),
    onDeepAccent: isLight ? onDeep : firstBetween(colour, 0.84, 1, isReadable),
    deepLine: at(colour, isLight ? colour.l - 0.1 : Math.min(colour.l, DEEP) + 0.1),
    deepFirst: at(colour, isLight ? 0.96 : 0.74),
    deepSecond: at(colour, isLight ? 0.74 : 0.58),
    mark: primary,
    markSoft: primarySoft,
    markAccent: accent,
    covers: COVERS.map((lightnesses) => lightnesses.map((l) => at(colour, l))),
  };
}

function nearest(colour: string, ground: string, ratio: number): string {
  if (wcagContrast(colour, ground) >= ratio) return colour;
  const of = oklch(parse(colour)) as Oklch;
  const end = inkOn(ground) === INKS[0] ? 1 : 0;
  return firstBetween(of, of.l, end, (hex) => wcagContrast(hex, ground) >= ratio + MARGIN);
}

function twoColoured([ground = '', ...inks]: string[], second: string): string[] {
  const lightness = (hex: string) => (oklch(parse(hex)) as Oklch).l;
  const own = oklch(parse(second)) as Oklch;
  const far = (hex: string) => Math.abs(lightness(hex) - own.l);
  const others = inks.filter((_, place) => place % 2 === 0);
  const closest = others.toSorted((a, b) => far(a) - far(b))[0];
  const inSecond = (ink: string) =>
    ink === closest ? nearest(second, ground, DRAWN) : at(own, lightness(ink));
  return [ground, ...inks.map((ink) => (others.includes(ink) ? inSecond(ink) : ink))];
}

const APART = 0.14;

function withSecond({ light, dark, both }: BrandPalettes, second: string): BrandPalettes {
  const accented = (brand: BrandColours, scheme: Scheme) => {
    const { words: accent, soft: accentSoft } = computeTextColours(second, scheme, listGrounds(brand));
    return { ...brand, accent, accentSoft };
  };
  const own = oklch(parse(second)) as Oklch;
  const accents = { light: accented(light, 'light'), dark: accented(dark, 'dark') };
  const pictures = {
    onDeepAccent: nearest(second, both.deep, TEXT),
    deepFirst: nearest(second, both.deep, DRAWN),
    // Has the same hue as `deepFirst`, because the two ornaments overlap.
    deepSecond: nearest(at(own, own.l + (own.l > 0.7 ? -APART : APART)), both.deep, DRAWN),
    markAccent: accents.light.accent,
    covers: both.covers.map((cover) => twoColoured(cover, second)),
  };
  return { ...accents, both: { ...both, ...pictures } };
}

/**
 * Buttons keep the exact brand colour if it stands out. Text always has a contrast of at least 4.5 : 1.
 * @param brandColour `#rrggbb`; null for the default colours
 * @param secondColour `#rrggbb`; null for shades of the brand colour
 */
export function brandPalettes(brandColour: string | null, secondColour: string | null = null): BrandPalettes {
  let palettes = DEFAULT_BRAND;
  if (brandColour !== null) {
    const brand = brandColour.toLowerCase();
    const light = buildScheme(brand, 'light');
    palettes = { light, dark: buildScheme(brand, 'dark'), both: computeImageColours(brand, light) };
  }
  return secondColour === null ? palettes : withSecond(palettes, secondColour.toLowerCase());
}

/** Placeholders in built pages, such as `{{light.primary}}` (web/scripts/page-head.ts). */
const PLACE = /\{\{(light|dark|both)\.(\w+)\}\}/g;

export function brandedPage(html: string, brand: BrandPalettes): string {
  const groups: Record<string, object> = { ...buildPalettes(brand), both: brand.both };
  return html.replaceAll(PLACE, (place, group: string, name: string) => {
    const colour = (groups[group] as Record<string, unknown>)[name];
    return typeof colour === 'string' ? colour : place;
  });
}
