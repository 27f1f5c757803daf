import type { Scheme } from '@meetmark/contracts/palette';
import type { HtmlTagDescriptor, Plugin } from 'vite';

/** The two that every page shows; the style sheet loads other alphabets when it needs them. */
const FONTS = /\/(figtree|bricolage-grotesque)-latin-wght-normal-[^/]*\.woff2$/;

/** Browsers fetch these before fonts and pictures by default. */
const SCRIPTS = /<(?:script type="module"|link rel="modulepreload")/g;

/**
 * Puts the colours and the fonts first into index.html, so that they do not wait for the style sheet. Scripts come after them:
 * the first paint needs none.
 */
export function pageHead(): Plugin {
  return {
    name: 'page-head',
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { bundle = {} }) => ({
        html: html.replaceAll(SCRIPTS, '$& fetchpriority="low"'),
        tags: [
          { tag: 'style', children: await paletteStyles(), injectTo: 'head' },
          ...Object.keys(bundle)
            .filter((file) => FONTS.test(`/${file}`))
            .map((file): HtmlTagDescriptor => ({
              tag: 'link',
              injectTo: 'head',
              attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            })),
        ],
      }),
    },
  };
}

const variableName = (colour: string) =>
  `--${colour.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * The palette as custom properties (`inkSoft` is `var(--ink-soft)`): the chosen scheme's, else the system's. In the page itself,
 * so that nothing appears without its colours.
 * They are the gateway's to fill in (libs/platform/src/community/brand.ts), but for those of warnings.
 */
async function paletteStyles(): Promise<string> {
  // only now: what reads the configuration alone has built no contracts
  const { BRANDED, PICTURED, TINTED, WARNINGS } = await import('@meetmark/contracts/palette');
  const variables = (scheme: Scheme) =>
    [
      ...Object.entries(WARNINGS[scheme]).map(([colour, value]) => `${variableName(colour)}:${value}`),
      ...[...TINTED, ...BRANDED].map((colour) => `${variableName(colour)}:{{${scheme}.${colour}}}`),
      `color-scheme:${scheme}`,
    ].join(';');
  return [
    `:root{${PICTURED.map((colour) => `${variableName(colour)}:{{both.${colour}}}`).join(';')};${variables('light')}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme]){${variables('dark')}}}`,
    `:root[data-theme=dark]{${variables('dark')}}`,
  ].join('');
}
