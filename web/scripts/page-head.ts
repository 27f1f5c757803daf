import type { HtmlTagDescriptor, Plugin } from 'vite';
import { paletteStyles } from '../src/app/theme/palette.ts';

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
      handler: (html, { bundle = {} }) => ({
        html: html.replaceAll(SCRIPTS, '$& fetchpriority="low"'),
        tags: [
          { tag: 'style', children: paletteStyles(), injectTo: 'head' },
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
