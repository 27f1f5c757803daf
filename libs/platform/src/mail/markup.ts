import {
  type BrandPalettes,
  DEFAULT_BRAND,
  type Palette,
  palettesOf,
  type Scheme,
} from '@meetmark/contracts/palette';
import escape from 'escape-html';

/** Markup; can only be made by `html` and `paint`, so that typed text is escaped wherever it stands. */
export class Markup {
  constructor(readonly source: string) {}
}

/** Around the name of a colour whose value is the community's; stands in no typed text. */
const MARK = '\u0001';

/** Escapes everything that is not markup already. */
export function html(parts: TemplateStringsArray, ...values: (string | Markup | Markup[])[]): Markup {
  const sources = values.map((value) =>
    typeof value === 'string'
      ? escape(value.replaceAll(MARK, ''))
      : [value]
          .flat()
          .map(({ source }) => source)
          .join('\n'),
  );
  return new Markup(String.raw({ raw: parts }, ...sources));
}

/** The attributes of a table that only arranges. */
export const TABLE = new Markup('role="presentation" cellpadding="0" cellspacing="0" border="0"');

type Colour = keyof Palette;
type Paint = Partial<Record<'color' | 'background-color' | 'border-color', Colour>>;

/** The colours of each part of a mail, by their names in the palette of the web application. */
const ROLES = {
  page: { 'background-color': 'canvas', color: 'ink' },
  card: { 'background-color': 'surface', 'border-color': 'line', color: 'ink' },
  band: { 'background-color': 'fill' },
  logo: { 'background-color': 'fill', color: 'onFill' },
  ink: { color: 'ink' },
  soft: { color: 'inkSoft' },
  link: { color: 'primary' },
  good: { 'background-color': 'primarySoft', color: 'primary' },
  news: { 'background-color': 'warmSoft', color: 'warm' },
  bad: { 'background-color': 'dangerSoft', color: 'danger' },
  button: { 'background-color': 'fill', 'border-color': 'fill', color: 'onFill' },
  outlined: { 'background-color': 'surface', 'border-color': 'lineStrong', color: 'primary' },
  leaf: { 'border-color': 'line', 'background-color': 'surface', color: 'ink' },
  tile: { 'background-color': 'primarySoft', 'border-color': 'primarySoft', color: 'primary' },
  pin: { 'border-color': 'primary' },
  well: { 'background-color': 'canvas', 'border-color': 'line', color: 'ink' },
  quote: { 'border-color': 'lineStrong', color: 'inkSoft' },
  rule: { 'border-color': 'line' },
} as const satisfies Record<string, Paint>;

export type Role = keyof typeof ROLES;

const colourOf = (scheme: Scheme, colour: Colour) => `${MARK}${scheme}.${colour}${MARK}`;

/** The markup in the colours of a community. */
export function coloured({ source }: Markup, brand: BrandPalettes | null): string {
  const palettes = palettesOf(brand ?? DEFAULT_BRAND);
  return source.replaceAll(
    new RegExp(`${MARK}(light|dark)\\.(\\w+)${MARK}`, 'g'),
    (_, scheme: Scheme, colour: Colour) => palettes[scheme][colour],
  );
}

const declarations = (role: Role, scheme: Scheme, properties: (keyof Paint)[], mark = '') =>
  (Object.entries(ROLES[role]) as [keyof Paint, Colour][])
    .filter(([property]) => properties.includes(property))
    .map(([property, colour]) => `${property}:${colourOf(scheme, colour)}${mark};`)
    .join('');

const ALL = ['color', 'background-color', 'border-color'] as const satisfies (keyof Paint)[];

/** Class and style of an element. Many mail programs drop style sheets, so the light colours stand in the element. */
export const paint = (role: Role, style = '') =>
  new Markup(`class="${role}" style="${declarations(role, 'light', ALL)}${style}"`);

/** A light colour by itself, for Outlook's own markup. */
export const lightColour = (role: Role, property: keyof Paint): string => {
  const paints: Paint = ROLES[role];
  const colour = paints[property];
  if (colour === undefined) throw new Error(`${role} has no ${property}`);
  return colourOf('light', colour);
};

const darkRules = (properties: (keyof Paint)[], within = '') =>
  (Object.keys(ROLES) as Role[])
    .map((role) => [role, declarations(role, 'dark', properties, '!important')] as const)
    .filter(([, rules]) => rules !== '')
    .map(([role, rules]) => `${within}.${role}{${rules}}`)
    .join('');

/**
 * The dark colours, an addition where a mail program keeps style sheets. Outlook's own dark mode marks what it recolours, text
 * (data-ogsc) and grounds (data-ogsb); in a sheet of their own, because Gmail drops a whole sheet for one selector that it does not take.
 */
export const DARK_STYLES = [
  new Markup(`<style>@media (prefers-color-scheme:dark){${darkRules(ALL)}}</style>`),
  new Markup(
    `<style>${darkRules(['color', 'border-color'], '[data-ogsc] ')}${darkRules(['background-color'], '[data-ogsb] ')}</style>`,
  ),
];
