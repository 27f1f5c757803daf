import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);

/** The same ranges as in the @fontsource packages (src/app/theme/fonts.css). */
const SUBSETS = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0',
};
/** The gateway reads this file. */
const HEADS = '.vite/fonts.json';
const ALL = 'fonts.css';

/** Builds styles for each font. The gateway adds only the chosen font, so browsers load no others. */
export function communityFonts(): Plugin {
  return {
    name: 'community-fonts',
    apply: 'build',
    async generateBundle() {
      // imported here, because contracts may not be built yet when Vite reads its configuration
      const { FONTS, fontStack } = await import('@meetmark/contracts/community');
      const heads: Record<string, string> = {};
      let all = '';
      for (const font of Object.keys(FONTS) as (keyof typeof FONTS)[]) {
        let faces = '';
        let first = '';
        for (const [subset, letters] of Object.entries(SUBSETS)) {
          const name = `${font}-${subset}-wght-normal.woff2`;
          const source = await readFile(require.resolve(`@fontsource-variable/${font}/files/${name}`));
          const file = `/${this.getFileName(this.emitFile({ type: 'asset', name, source }))}`;
          first ||= file;
          faces +=
            `@font-face{font-family:'${FONTS[font]}';src:url(${file}) format('woff2');` +
            `font-weight:200 900;font-display:swap;unicode-range:${letters}}`;
        }
        all += faces;
        heads[font] =
          `<link rel="preload" as="font" type="font/woff2" href="${first}" crossorigin>` +
          // overrides the product's font, which is set on :root
          `<style>${faces}html:root{--font-body:${fontStack(font)};--font-display:var(--font-body)}</style>`;
      }
      this.emitFile({ type: 'asset', fileName: HEADS, source: JSON.stringify(heads) });
      this.emitFile({ type: 'asset', fileName: ALL, source: all });
    },
  };
}
