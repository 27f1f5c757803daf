import type { Scheme } from '@meetmark/contracts/palette';
import type { HtmlTagDescriptor, Plugin } from 'vite';

/** Fonts to preload on every page. The style sheet loads fonts of other alphabets on demand. */
const FONTS = /\/(figtree|bricolage-grotesque)-latin-wght-normal-[^/]*\.woff2$/;

/** Matches scripts. They get a low priority, because browsers would fetch them before fonts and images. */
const SCRIPTS = /<(?:script type="module"|link rel="modulepreload")/g;

/**
 * Adds colours and fonts for the first paint. Scripts get a low priority, because the first paint needs no
 * scripts.
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
 * Returns inline styles, so that nothing is painted without colours. Only the colours of warnings are fixed;
 * the gateway fills in the others (libs/platform/src/community/brand.ts).
 */
async function paletteStyles(): Promise<string> {
  // imported here, because contracts may not be built yet when Vite reads its configuration
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
