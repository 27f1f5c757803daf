import {
  type BrandPalettes,
  DEFAULT_BRAND,
  type Palette,
  buildPalettes,
  type Scheme,
} from '@meetmark/contracts/palette';
import escape from 'escape-html';

/** HTML in which user text is escaped. Insert user text only with `html`, which escapes it. */
export class Markup {
  constructor(readonly source: string) {}
}

/**
 * Character before and after the name of a colour. `coloured` replaces both marks and the name by the colour.
 * `html` removes this character from user text.
 */
const MARK = '\u0001';

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

export const TABLE = new Markup('role="presentation" cellpadding="0" cellspacing="0" border="0"');

type Colour = keyof Palette;
type Paint = Partial<Record<'color' | 'background-color' | 'border-color', Colour>>;

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

const markColour = (scheme: Scheme, colour: Colour) => `${MARK}${scheme}.${colour}${MARK}`;

export function coloured({ source }: Markup, brand: BrandPalettes | null): string {
  const palettes = buildPalettes(brand ?? DEFAULT_BRAND);
  return source.replaceAll(
    new RegExp(`${MARK}(light|dark)\\.(\\w+)${MARK}`, 'g'),
    (_, scheme: Scheme, colour: Colour) => palettes[scheme][colour],
  );
}

const declarations = (role: Role, scheme: Scheme, properties: (keyof Paint)[], mark = '') =>
  (Object.entries(ROLES[role]) as [keyof Paint, Colour][])
    .filter(([property]) => properties.includes(property))
    .map(([property, colour]) => `${property}:${markColour(scheme, colour)}${mark};`)
    .join('');

const ALL = ['color', 'background-color', 'border-color'] as const satisfies (keyof Paint)[];

/** Light colours are inline, because many mail programs ignore style sheets. */
export const paint = (role: Role, style = '') =>
  new Markup(`class="${role}" style="${declarations(role, 'light', ALL)}${style}"`);

/** Returns a light colour, for markup that only Outlook reads. */
export const lightColour = (role: Role, property: keyof Paint): string => {
  const paints: Paint = ROLES[role];
  const colour = paints[property];
  if (colour === undefined) throw new Error(`${role} has no ${property}`);
  return markColour('light', colour);
};

const darkRules = (properties: (keyof Paint)[], within = '') =>
  (Object.keys(ROLES) as Role[])
    .map((role) => [role, declarations(role, 'dark', properties, '!important')] as const)
    .filter(([, rules]) => rules !== '')
    .map(([role, rules]) => `${within}.${role}{${rules}}`)
    .join('');

/**
 * Outlook marks text (data-ogsc) and backgrounds (data-ogsb) that it recolours. These selectors need their
 * own sheet, because Gmail ignores a sheet with unknown selectors.
 */
export const DARK_STYLES = [
  new Markup(`<style>@media (prefers-color-scheme:dark){${darkRules(ALL)}}</style>`),
  new Markup(
    `<style>${darkRules(['color', 'border-color'], '[data-ogsc] ')}${darkRules(['background-color'], '[data-ogsb] ')}</style>`,
  ),
];
