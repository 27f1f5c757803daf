import type { Community } from '@meetmark/contracts';
import { type BrandColours, palettesOf, type Scheme } from '@meetmark/contracts/palette';
import { theme as antdTheme, type ThemeConfig } from 'antd';
import { dehydratedBody } from '../../api/dehydrated-queries';

/** Comfortable to hit with a thumb. */
const CONTROL_HEIGHT = 44;

type Algorithm = typeof antdTheme.defaultAlgorithm;
type SeedToken = Parameters<Algorithm>[0];

/** The dark algorithm mixes these with black; ours are made for their scheme, and words on them are readable as they are. */
const asGiven = ({ colorPrimary, colorInfo, colorSuccess, colorError, colorLink }: SeedToken) => ({
  ...{ colorPrimary, colorInfo, colorSuccess, colorError, colorLink },
});

function remembered(algorithm: Algorithm): Algorithm {
  let known: { seed: string; derived: ReturnType<Algorithm> } | undefined;
  return (seed) => {
    const key = JSON.stringify(seed);
    if (known?.seed !== key) known = { seed: key, derived: { ...algorithm(seed), ...asGiven(seed) } };
    return known.derived;
  };
}

/** antd derives hundreds of colours and sizes from a few, which takes as long as drawing a screen. */
const ALGORITHMS: Record<Scheme, Algorithm> = {
  light: remembered(antdTheme.defaultAlgorithm),
  dark: remembered(antdTheme.darkAlgorithm),
};

/** Derives them ahead of the first screen. */
export function prepareTheme(scheme: Scheme, reducedMotion: boolean, textScale: number): void {
  const { token } = antdThemeFor(scheme, reducedMotion, textScale);
  ALGORITHMS[scheme]({ ...antdTheme.defaultSeed, ...token });
}

let known: ReturnType<typeof palettesOf> | undefined;

/** Those that the page came with. */
const palettes = () =>
  (known ??= palettesOf(
    dehydratedBody<Community>('/api/config')?.brandPalettes ?? { light: GREY, dark: GREY },
  ));

/** The colours of a page that came without the community, such as the development server's. */
const GREY: BrandColours = {
  ...{ primary: '#666', primaryHover: '#666', primarySoft: '#ddd' },
  ...{ fill: '#666', fillHover: '#666', fillActive: '#666', onFill: '#fff' },
  ...{ accent: '#666', accentSoft: '#ddd' },
  ...{ canvas: '#f5f5f5', surface: '#fff', raised: '#fff', selected: '#fff' },
  ...{ line: '#ddd', lineStrong: '#888', ink: '#222', inkSoft: '#555' },
};

/** @param textScale the browser's font size in 16 px: antd's sizes are pixels, so they are multiplied by it */
export function antdThemeFor(scheme: Scheme, reducedMotion: boolean, textScale: number): ThemeConfig {
  const colours = palettes()[scheme];
  return {
    algorithm: ALGORITHMS[scheme],
    token: {
      colorPrimary: colours.primary,
      colorPrimaryHover: colours.primaryHover,
      colorPrimaryActive: colours.primary,
      colorPrimaryBg: colours.primarySoft,
      // the ring of focus, which antd would draw paler than can be seen
      colorPrimaryBorder: colours.primary,
      colorInfo: colours.primary,
      colorSuccess: colours.primary,
      colorError: colours.danger,
      colorErrorText: colours.danger,
      colorLink: colours.primary,
      colorLinkHover: colours.primaryHover,
      colorText: colours.ink,
      colorTextSecondary: colours.inkSoft,
      colorTextTertiary: colours.inkSoft,
      colorTextDescription: colours.inkSoft,
      colorTextPlaceholder: colours.inkSoft,
      colorTextDisabled: colours.inkSoft,
      colorBgLayout: colours.canvas,
      colorBgContainer: colours.surface,
      colorBgElevated: colours.raised,
      colorBorder: colours.lineStrong,
      colorBorderSecondary: colours.line,
      colorSplit: colours.line,
      controlOutline: `color-mix(in srgb, ${colours.primary} 28%, transparent)`,
      // global.css has the product's, the head of a page the one that its community has chosen
      fontFamily: 'var(--font-body)',
      fontSize: 15 * textScale,
      borderRadius: 12,
      borderRadiusLG: 18,
      borderRadiusSM: 8,
      controlHeight: CONTROL_HEIGHT * textScale,
      controlHeightLG: 50 * textScale,
      controlHeightSM: 34 * textScale,
      motion: !reducedMotion,
    },
    components: {
      Button: {
        colorPrimary: colours.fill,
        colorPrimaryHover: colours.fillHover,
        colorPrimaryActive: colours.fillActive,
        primaryColor: colours.onFill,
        defaultHoverColor: colours.primaryHover,
        defaultHoverBorderColor: colours.primaryHover,
        defaultActiveColor: colours.primary,
        defaultActiveBorderColor: colours.primary,
        fontWeight: 600,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        borderRadius: 999,
        borderRadiusLG: 999,
        borderRadiusSM: 999,
        defaultBorderColor: colours.lineStrong,
        dangerColor: scheme === 'dark' ? '#2b0a07' : '#ffffff',
      },
      Segmented: {
        trackBg: `color-mix(in srgb, ${colours.ink} 7%, transparent)`,
        itemColor: colours.inkSoft,
        itemSelectedBg: colours.raised,
        itemSelectedColor: colours.ink,
        trackPadding: 4,
      },
      // its arrow
      Select: { colorTextQuaternary: colours.inkSoft },
      // antd's own has a tint
      Switch: { handleShadow: '0 2px 4px rgb(0 0 0 / 20%)' },
      Form: { labelColor: colours.ink, verticalLabelPadding: '0 0 6px', itemMarginBottom: 18 },
      Notification: { width: 420 * textScale },
    },
  };
}
