import { DomainError } from '@meetmark/contracts';
import { type BrandColours, type BrandPalettes, PALETTES, type Scheme } from '@meetmark/contracts/palette';
import { clampChroma, formatHex, type Oklch, parse, converter, wcagContrast } from 'culori';

/** WCAG 2.2, 1.4.3: text of any size on its ground. */
const TEXT = 4.5;
/** So that a rounded colour is never below the ratio. */
const MARGIN = 0.02;
const STEP = 0.002;

const oklch = converter('oklch');

/** The colours of words on the brand colour, the preferred one first. */
const INKS = ['#ffffff', '#10201a'];

/** What text in the brand colour stands on. */
const groundsOf = (scheme: Scheme) => {
  const { canvas, surface, raised } = PALETTES[scheme];
  return [canvas, surface, raised];
};

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

/** The first ink that can be read on the ground. */
const inkOn = (ground: string): string => INKS.find((ink) => wcagContrast(ink, ground) >= TEXT) ?? '#000000';

/** A tint of the brand colour on which text in that colour is readable. */
function softOf(primary: string, colour: Oklch, scheme: Scheme): string {
  const [start, end] = scheme === 'light' ? [0.94, 1] : [0.3, 0];
  const tint = { ...colour, c: Math.min(colour.c * 0.3, 0.04) };
  return firstBetween(tint, start, end, (hex) => wcagContrast(primary, hex) >= TEXT + MARGIN);
}

function schemeOf(primary: string, scheme: Scheme): BrandColours {
  const colour = oklch(parse(primary)) as Oklch;
  // hover and pressed move towards the canvas' opposite, where the words on them stay readable
  const steps = scheme === 'light' ? { hover: 0.05, active: -0.06 } : { hover: 0.05, active: -0.05 };
  const shades = {
    primaryHover: at(colour, clamp(colour.l + steps.hover)),
    primaryActive: at(colour, clamp(colour.l + steps.active)),
  };
  const onPrimary = inkOn(primary);
  const keep = (shade: string) => (wcagContrast(onPrimary, shade) >= TEXT ? shade : primary);
  const readableShade = (shade: string) => (readable(shade, groundsOf(scheme)) ? shade : primary);
  return {
    primary,
    primaryHover: readableShade(keep(shades.primaryHover)),
    primaryActive: readableShade(keep(shades.primaryActive)),
    onPrimary,
    primarySoft: softOf(primary, colour, scheme),
  };
}

const clamp = (lightness: number) => Math.min(1, Math.max(0, lightness));

/** The colour itself if text in it can be read on the light grounds, else the nearest of its hue that can. */
function nearestReadable(brandColour: string): string {
  const hex = brandColour.toLowerCase();
  const isReadable = (candidate: string, margin = 0) =>
    readable(candidate, groundsOf('light'), TEXT + margin);
  if (isReadable(hex)) return hex;
  const colour = oklch(parse(hex)) as Oklch;
  return firstBetween(colour, colour.l, 0, (candidate) => isReadable(candidate, MARGIN));
}

/**
 * The light scheme has the brand colour as it is; the dark one has it as much lighter as text in it needs. Words on it, tints and
 * pressed shades are computed; each pair that stands together reaches 4.5 : 1.
 * @param brandColour `#rrggbb`
 * @throws DomainError COLOUR_UNREADABLE with the nearest colour of the same hue that is readable on the light grounds
 */
export function brandPalettes(brandColour: string): BrandPalettes {
  const light = nearestReadable(brandColour);
  if (light !== brandColour.toLowerCase())
    throw new DomainError('COLOUR_UNREADABLE', {
      nearest: light,
      fields: { brandColour: [`brandColour is hard to read: ${light} is the nearest colour that is not`] },
    });
  const colour = oklch(parse(light)) as Oklch;
  const dark = firstBetween(colour, Math.max(colour.l, 0.6), 1, (candidate) =>
    readable(candidate, groundsOf('dark'), TEXT + MARGIN),
  );
  return { light: schemeOf(light, 'light'), dark: schemeOf(dark, 'dark') };
}

/** What stands in built pages for a colour (web/scripts/page-head.ts): `{{light.primary}}`. */
const PLACE = /\{\{(light|dark)\.(\w+)\}\}/g;

/** A built page in the colours of a community. */
export const brandedPage = (html: string, brand: BrandPalettes): string =>
  html.replaceAll(
    PLACE,
    (place, scheme: Scheme, name: string) => brand[scheme][name as keyof BrandColours] ?? place,
  );
