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
  primary: string;
  primaryHover: string;
  primaryActive: string;
  onPrimary: string;
  primarySoft: string;
  accent: string;
  accentSoft: string;
  warm: string;
  warmSoft: string;
  danger: string;
  dangerSoft: string;
}

/** The colours of a palette that follow the brand colour of a community. */
export const BRANDED = ['primary', 'primaryHover', 'primaryActive', 'onPrimary', 'primarySoft'] as const;
export type BrandColours = Pick<Palette, (typeof BRANDED)[number]>;
export type BrandPalettes = Record<Scheme, BrandColours>;

/** The others. They alone stand in the built files of the web application: its pages get the community's from the gateway. */
export const GROUNDS: Record<Scheme, Omit<Palette, keyof BrandColours>> = {
  light: {
    canvas: '#f4f6f3',
    surface: '#ffffff',
    raised: '#ffffff',
    selected: '#ffffff',
    line: '#dde4df',
    lineStrong: '#82918a',
    ink: '#14211c',
    inkSoft: '#4b5b54',
    accent: '#b93a1b',
    accentSoft: '#fde8e0',
    warm: '#7a5200',
    warmSoft: '#fdf0cf',
    danger: '#b3261e',
    dangerSoft: '#fcebe9',
  },
  dark: {
    canvas: '#0c1210',
    surface: '#1b2722',
    raised: '#24332c',
    selected: '#455b51',
    line: '#30413a',
    lineStrong: '#6f8379',
    ink: '#eaf2ee',
    inkSoft: '#a6b8af',
    accent: '#ff9679',
    accentSoft: '#3c1d14',
    warm: '#f4c35c',
    warmSoft: '#362a0e',
    danger: '#ff8f85',
    dangerSoft: '#3d1a17',
  },
};

/** The palettes of a community. */
export const palettesOf = (brand: BrandPalettes): Record<Scheme, Palette> => ({
  light: { ...GROUNDS.light, ...brand.light },
  dark: { ...GROUNDS.dark, ...brand.dark },
});

/** The colours of a community that has chosen none. */
export const DEFAULT_BRAND: BrandPalettes = {
  light: {
    primary: '#0b6a50',
    primaryHover: '#0e7d5f',
    primaryActive: '#085541',
    onPrimary: '#ffffff',
    primarySoft: '#dff0e8',
  },
  dark: {
    primary: '#57d2a6',
    primaryHover: '#74dfb8',
    primaryActive: '#41bd91',
    onPrimary: '#04231a',
    primarySoft: '#12352a',
  },
};

export const PALETTES: Record<Scheme, Palette> = /* @__PURE__ */ palettesOf(DEFAULT_BRAND);
