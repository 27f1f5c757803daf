import {
  type BrandColours,
  type BrandPalettes,
  DEFAULT_BRAND,
  type Grounds,
  palettesOf,
  type PictureColours,
  type Scheme,
  TINTED,
} from '@meetmark/contracts/palette';
import { clampChroma, converter, formatHex, type Oklch, parse, wcagContrast, wcagLuminance } from 'culori';

/** WCAG 2.2, 1.4.3: text of any size on its ground. */
const TEXT = 4.5;
/** WCAG 2.2, 1.4.11: what alone shows where a control is. */
const CONTROL = 3;
/** How far what is drawn, or the ground of a mark, stands out from what it lies on. */
const DRAWN = 1.5;
const MARK = 1.2;
/** So that a rounded colour is never below the ratio. */
const MARGIN = 0.02;
const STEP = 0.002;

const oklch = converter('oklch');

/** The colours of words on the brand colour, the preferred one first. One of the two is readable on every colour. */
const INKS = ['#ffffff', '#161616'];

/** What text in the brand colour stands on. */
const groundsOf = ({ canvas, surface, raised }: Grounds) => [canvas, surface, raised];

const readable = (text: string, grounds: string[], ratio = TEXT) =>
  grounds.every((ground) => wcagContrast(text, ground) >= ratio);

/** The same hue at another lightness, with as much of its chroma as screens show. */
const at = (colour: Oklch, l: number): string => formatHex(clampChroma({ ...colour, l }, 'oklch'))!;

/** The first of the colours on the way from the lightness to `end` for which it holds. */
function firstBetween(colour: Oklch, from: number, end: number, holds: (hex: string) => boolean): string {
  const step = Math.sign(end - from) * STEP;
  for (let l = from; step > 0 ? l < end : l > end; l += step) {
    const hex = at(colour, l);
    if (holds(hex)) return hex;
  }
  return at(colour, end);
}

/** What must not come nearer to its counterpart than in the product: grounds get no darker in the light scheme, words and lines no lighter. */
const WORDS = ['line', 'lineStrong', 'ink', 'inkSoft'];

/** The product's grounds, lines and words in the hue of a colour, as far apart as there. Of a grey they are greys. */
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

/** The first ink that can be read on the ground. */
const inkOn = (ground: string): string => INKS.find((ink) => wcagContrast(ink, ground) >= TEXT) ?? '#000000';

const clamp = (lightness: number) => Math.min(1, Math.max(0, lightness));

/**
 * The nearest colour of the hue in which words can be read on the grounds of the scheme, and a tint for grounds of marks, on which they
 * can, too. On dark grounds the tint comes first: it stands out from each of them, as a light one does from white by its hue.
 */
function wordsOf(brand: string, scheme: Scheme, grounds: string[]): { words: string; soft: string } {
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

function schemeOf(brand: string, scheme: Scheme): BrandColours {
  const tinted = tintedIn(oklch(parse(brand)) as Oklch, scheme);
  const grounds = groundsOf(tinted);
  const { words: primary, soft: primarySoft } = wordsOf(brand, scheme, grounds);
  // a button that is as dark as the page could not be found
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

/** Lightnesses of generated covers: a ground, and four that stand out from it and from each other. */
const COVERS = [
  [0.27, 0.72, 0.58, 0.86, 0.95],
  [0.58, 0.27, 0.86, 0.95, 0.4],
  [0.4, 0.86, 0.72, 0.95, 0.58],
  [0.86, 0.27, 0.58, 0.97, 0.42],
  [0.95, 0.42, 0.6, 0.76, 0.27],
  [0.72, 0.27, 0.44, 0.95, 0.86],
];

/** The lightest ground of the hero on which white words are at home. */
const DEEP = 0.38;

function pictureColoursOf(brand: string, { primary, primarySoft, accent }: BrandColours): PictureColours {
  const colour = oklch(parse(brand)) as Oklch;
  const onBrand = inkOn(brand);
  // a light colour is the ground itself: darkened it would be another one
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

/** As it is where it holds, else its nearest shade, on the way to the ink of the ground. */
function nearest(colour: string, ground: string, ratio: number): string {
  if (wcagContrast(colour, ground) >= ratio) return colour;
  const of = oklch(parse(colour)) as Oklch;
  const end = inkOn(ground) === INKS[0] ? 1 : 0;
  return firstBetween(of, of.l, end, (hex) => wcagContrast(hex, ground) >= ratio + MARGIN);
}

/** A generated cover in which every other ink has the second colour's hue, as light as what it replaces; the nearest one is that colour. */
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

/** In lightness, the two ornaments of the hero. */
const APART = 0.14;

/** With a second colour in badges, ornaments and pictures. */
function withSecond({ light, dark, both }: BrandPalettes, second: string): BrandPalettes {
  const accented = (brand: BrandColours, scheme: Scheme) => {
    const { words: accent, soft: accentSoft } = wordsOf(second, scheme, groundsOf(brand));
    return { ...brand, accent, accentSoft };
  };
  const own = oklch(parse(second)) as Oklch;
  const accents = { light: accented(light, 'light'), dark: accented(dark, 'dark') };
  const pictures = {
    onDeepAccent: nearest(second, both.deep, TEXT),
    deepFirst: nearest(second, both.deep, DRAWN),
    // of one hue, as the two overlap
    deepSecond: nearest(at(own, own.l + (own.l > 0.7 ? -APART : APART)), both.deep, DRAWN),
    markAccent: accents.light.accent,
    covers: both.covers.map((cover) => twoColoured(cover, second)),
  };
  return { ...accents, both: { ...both, ...pictures } };
}

/**
 * What the colours of a community make of screens, mails and pictures. Grounds of buttons have the first as it is, with words on it that
 * can be read; words and links have the nearest of its hue that can be read on the grounds of their scheme. Each pair that stands
 * together reaches 4.5 : 1.
 * @param brandColour `#rrggbb`; null: the product's own colours
 * @param secondColour `#rrggbb`; null: shades of the first
 */
export function brandPalettes(brandColour: string | null, secondColour: string | null = null): BrandPalettes {
  let palettes = DEFAULT_BRAND;
  if (brandColour !== null) {
    const brand = brandColour.toLowerCase();
    const light = schemeOf(brand, 'light');
    palettes = { light, dark: schemeOf(brand, 'dark'), both: pictureColoursOf(brand, light) };
  }
  return secondColour === null ? palettes : withSecond(palettes, secondColour.toLowerCase());
}

/** What stands in built pages for a colour (web/scripts/page-head.ts): `{{light.primary}}`. */
const PLACE = /\{\{(light|dark|both)\.(\w+)\}\}/g;

/** A built page in the colours of a community. */
export function brandedPage(html: string, brand: BrandPalettes): string {
  const groups: Record<string, object> = { ...palettesOf(brand), both: brand.both };
  return html.replaceAll(PLACE, (place, group: string, name: string) => {
    const colour = (groups[group] as Record<string, unknown>)[name];
    return typeof colour === 'string' ? colour : place;
  });
}
