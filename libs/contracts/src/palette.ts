export type Scheme = 'light' | 'dark';

/** Every colour of screens and mails. Text on its ground reaches AA (4.5 : 1) in both schemes. */
export interface Palette {
  canvas: string;
  surface: string;
  raised: string;
  /** The selected one of several, on their common track. */
  selected: string;
  line: string;
  /** Borders that alone show where a control is: 3 : 1. */
  lineStrong: string;
  ink: string;
  inkSoft: string;
  /** Words, links and marks in the brand colour: readable on every ground. */
  primary: string;
  primaryHover: string;
  primarySoft: string;
  /** The ground of buttons: the brand colour as it is. */
  fill: string;
  fillHover: string;
  fillActive: string;
  /** Words on it. */
  onFill: string;
  /** As primary, of the second colour. */
  accent: string;
  accentSoft: string;
  warm: string;
  warmSoft: string;
  danger: string;
  dangerSoft: string;
}

/** The colours of a palette that follow the brand colour of a community. */
export const BRANDED = [
  ...(['primary', 'primaryHover', 'primarySoft'] as const),
  ...(['fill', 'fillHover', 'fillActive', 'onFill'] as const),
  ...(['accent', 'accentSoft'] as const),
] as const;
/** Grounds, lines and words, which have a tint of the brand colour's hue: as light as those of the product. */
export const TINTED = [
  ...(['canvas', 'surface', 'raised', 'selected', 'line', 'lineStrong', 'ink', 'inkSoft'] as const),
] as const;
export type Grounds = Pick<Palette, (typeof TINTED)[number]>;
export type BrandColours = Pick<Palette, (typeof BRANDED)[number]> & Grounds;

/** Colours that follow the brand colour, too, and are the same in both schemes: of what is a picture, or lies on one. */
export interface PictureColours {
  /** The ground of the hero and of the strip. */
  deep: string;
  onDeep: string;
  onDeepSoft: string;
  /** The community's name there. */
  onDeepAccent: string;
  /** The ornaments of the hero; the first is the second colour as it is, where it stands out. */
  deepLine: string;
  deepFirst: string;
  deepSecond: string;
  /** Marks on a picture. */
  mark: string;
  markSoft: string;
  markAccent: string;
  /** Of generated covers: a ground, and what is drawn on it. */
  covers: string[][];
}

/** Those that stand in the page's styles. */
export const PICTURED = [
  ...(['deep', 'onDeep', 'onDeepSoft', 'onDeepAccent', 'deepLine', 'deepFirst', 'deepSecond'] as const),
  ...(['mark', 'markSoft', 'markAccent'] as const),
] as const;

export interface BrandPalettes extends Record<Scheme, BrandColours> {
  both: PictureColours;
}

/** The others: warnings look alike in every community. They alone stand in the built files of pages, which get the rest from the gateway. */
export const WARNINGS: Record<Scheme, Omit<Palette, keyof BrandColours>> = {
  light: { warm: '#7a5200', warmSoft: '#fdf0cf', danger: '#b3261e', dangerSoft: '#fcebe9' },
  dark: { warm: '#f4c35c', warmSoft: '#362a0e', danger: '#ff8f85', dangerSoft: '#3d1a17' },
};

/** The palettes of a community. */
export const palettesOf = (brand: Record<Scheme, BrandColours>): Record<Scheme, Palette> => ({
  light: { ...WARNINGS.light, ...brand.light },
  dark: { ...WARNINGS.dark, ...brand.dark },
});

/** The colours of a community that has chosen none. */
export const DEFAULT_BRAND: BrandPalettes = {
  light: {
    primary: '#0b6a50',
    primaryHover: '#0e7d5f',
    primarySoft: '#dff0e8',
    fill: '#0b6a50',
    fillHover: '#0e7d5f',
    fillActive: '#085541',
    onFill: '#ffffff',
    accent: '#b93a1b',
    accentSoft: '#fde8e0',
    canvas: '#f4f6f3',
    surface: '#ffffff',
    raised: '#ffffff',
    selected: '#ffffff',
    line: '#dde4df',
    lineStrong: '#82918a',
    ink: '#14211c',
    inkSoft: '#4b5b54',
  },
  dark: {
    primary: '#57d2a6',
    primaryHover: '#74dfb8',
    primarySoft: '#12352a',
    fill: '#57d2a6',
    fillHover: '#74dfb8',
    fillActive: '#41bd91',
    onFill: '#04231a',
    accent: '#ff9679',
    accentSoft: '#3c1d14',
    canvas: '#0c1210',
    surface: '#1b2722',
    raised: '#24332c',
    selected: '#455b51',
    line: '#30413a',
    lineStrong: '#6f8379',
    ink: '#eaf2ee',
    inkSoft: '#a6b8af',
  },
  both: {
    deep: '#0a3d2f',
    onDeep: '#f2fbf7',
    onDeepSoft: '#cfe6dc',
    onDeepAccent: '#f6c766',
    deepLine: '#1f6b53',
    deepFirst: '#f2b233',
    deepSecond: '#f0643f',
    mark: '#0c4d2c',
    markSoft: '#e1f3e6',
    markAccent: '#b93a1b',
    covers: [
      ['#0a3d2f', '#f2b233', '#f0643f', '#8fd8bc', '#f6efe0'],
      ['#f0643f', '#3a1430', '#ffd9a8', '#f2b233', '#fff4ea'],
      ['#23366f', '#8fb8ff', '#f2b233', '#f4efe6', '#f0643f'],
      ['#f2b233', '#0a3d2f', '#f0643f', '#fff4d9', '#23366f'],
      ['#4a2148', '#ff9fb2', '#f2b233', '#b7d9ff', '#fff0ee'],
      ['#1d6f72', '#bff0e4', '#ffcf70', '#0b2f3a', '#f58a6a'],
    ],
  },
};

export const PALETTES: Record<Scheme, Palette> = /* @__PURE__ */ palettesOf(DEFAULT_BRAND);
