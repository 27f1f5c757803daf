import type { Community } from '@meetmark/contracts';
import { type BrandColours, buildPalettes, type Scheme } from '@meetmark/contracts/palette';
import { theme as antdTheme, type ThemeConfig } from 'antd';
import { dehydratedBody } from '../../api/dehydrated-queries';

const CONTROL_HEIGHT = 44;

type Algorithm = typeof antdTheme.defaultAlgorithm;
type SeedToken = Parameters<Algorithm>[0];

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

/** Cached, because deriving antd's hundreds of colours takes as long as rendering a screen. */
const ALGORITHMS: Record<Scheme, Algorithm> = {
  light: remembered(antdTheme.defaultAlgorithm),
  dark: remembered(antdTheme.darkAlgorithm),
};

export function prepareTheme(scheme: Scheme, reducedMotion: boolean, textScale: number): void {
  const { token } = antdThemeFor(scheme, reducedMotion, textScale);
  ALGORITHMS[scheme]({ ...antdTheme.defaultSeed, ...token });
}

let known: ReturnType<typeof buildPalettes> | undefined;

const palettes = () =>
  (known ??= buildPalettes(
    dehydratedBody<Community>('/api/config')?.brandPalettes ?? { light: GREY, dark: GREY },
  ));

const GREY: BrandColours = {
  ...{ primary: '#666', primaryHover: '#666', primarySoft: '#ddd' },
  ...{ fill: '#666', fillHover: '#666', fillActive: '#666', onFill: '#fff' },
  ...{ accent: '#666', accentSoft: '#ddd' },
  ...{ canvas: '#f5f5f5', surface: '#fff', raised: '#fff', selected: '#fff' },
  ...{ line: '#ddd', lineStrong: '#888', ink: '#222', inkSoft: '#555' },
};

/** @param textScale factor for antd's pixel sizes: the browser's font size divided by 16 px */
export function antdThemeFor(scheme: Scheme, reducedMotion: boolean, textScale: number): ThemeConfig {
  const colours = palettes()[scheme];
  return {
    algorithm: ALGORITHMS[scheme],
    token: {
      colorPrimary: colours.primary,
      colorPrimaryHover: colours.primaryHover,
      colorPrimaryActive: colours.primary,
      colorPrimaryBg: colours.primarySoft,
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
      // `--font-body` is the product's font (global.css), unless the page's head sets the community's font
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
      Select: { colorTextQuaternary: colours.inkSoft },
      Switch: { handleShadow: '0 2px 4px rgb(0 0 0 / 20%)' },
      Form: { labelColor: colours.ink, verticalLabelPadding: '0 0 6px', itemMarginBottom: 18 },
      Notification: { width: 420 * textScale },
    },
  };
}
