export type Scheme = 'light' | 'dark';

/** Text has a contrast of at least 4.5 : 1 (WCAG AA) in both schemes. */
export interface Palette {
  canvas: string;
  surface: string;
  raised: string;
  selected: string;
  line: string;
  /** Contrast of 3 : 1, for controls that are recognisable only by their border. */
  lineStrong: string;
  ink: string;
  inkSoft: string;
  /** The brand colour, adjusted to be readable on every background. */
  primary: string;
  primaryHover: string;
  primarySoft: string;
  /** The brand colour, unchanged if it stands out from the page. */
  fill: string;
  fillHover: string;
  fillActive: string;
  onFill: string;
  accent: string;
  accentSoft: string;
  warm: string;
  warmSoft: string;
  danger: string;
  dangerSoft: string;
}

export const BRANDED = [
  ...(['primary', 'primaryHover', 'primarySoft'] as const),
  ...(['fill', 'fillHover', 'fillActive', 'onFill'] as const),
  ...(['accent', 'accentSoft'] as const),
] as const;
/** Colours with the brand colour's hue and the default palette's lightness. */
export const TINTED = [
  ...(['canvas', 'surface', 'raised', 'selected', 'line', 'lineStrong', 'ink', 'inkSoft'] as const),
] as const;
export type Grounds = Pick<Palette, (typeof TINTED)[number]>;
export type BrandColours = Pick<Palette, (typeof BRANDED)[number]> & Grounds;

export interface PictureColours {
  deep: string;
  onDeep: string;
  onDeepSoft: string;
  onDeepAccent: string;
  deepLine: string;
  deepFirst: string;
  deepSecond: string;
  mark: string;
  markSoft: string;
  markAccent: string;
  covers: string[][];
}

export const PICTURED = [
  ...(['deep', 'onDeep', 'onDeepSoft', 'onDeepAccent', 'deepLine', 'deepFirst', 'deepSecond'] as const),
  ...(['mark', 'markSoft', 'markAccent'] as const),
] as const;

export interface BrandPalettes extends Record<Scheme, BrandColours> {
  both: PictureColours;
}

/**
 * Colours that are the same in every community. Built pages contain only these. The gateway adds all others.
 */
export const WARNINGS: Record<Scheme, Omit<Palette, keyof BrandColours>> = {
  light: { warm: '#7a5200', warmSoft: '#fdf0cf', danger: '#b3261e', dangerSoft: '#fcebe9' },
  dark: { warm: '#f4c35c', warmSoft: '#362a0e', danger: '#ff8f85', dangerSoft: '#3d1a17' },
};

export const buildPalettes = (brand: Record<Scheme, BrandColours>): Record<Scheme, Palette> => ({
  light: { ...WARNINGS.light, ...brand.light },
  dark: { ...WARNINGS.dark, ...brand.dark },
});

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

export const PALETTES: Record<Scheme, Palette> = /* @__PURE__ */ buildPalettes(DEFAULT_BRAND);
