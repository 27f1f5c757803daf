import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const TEXT = /\.(?:html|js|css|json|svg|webmanifest)$/;
/** In the build's own words, too. */
const COMMON = new Set(['#ffffff', '/', 'en-US', 'GBP', 'Europe/London']);

/**
 * Fails the build when a built file has a word or a brand colour of a community: of the one that has chosen no colour, and of the demo.
 * Both come from the gateway, so that another community shows nothing of them.
 */
export function communityFree(): Plugin {
  let [root, folder] = ['', ''];
  return {
    name: 'community-free',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root;
      folder = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const { DEFAULT_BRAND } = await import('@meetmark/contracts/palette');
      const demo = JSON.parse(await readFile(join(root, '../config/demo/community.json'), 'utf8')) as object;
      const colours = JSON.stringify(DEFAULT_BRAND).match(/#[0-9a-f]{6}/g) ?? [];
      const words = [...new Set(colours), ...wordsOf(demo)].filter((word) => !COMMON.has(word));
      const found: string[] = [];
      for (const file of await readdir(folder, { recursive: true })) {
        if (!TEXT.test(file)) continue;
        const content = await readFile(join(folder, file), 'utf8');
        found.push(...words.filter((word) => content.includes(word)).map((word) => `${file}: ${word}`));
      }
      if (found.length > 0) this.error(`a community is in the built files:\n${found.join('\n')}`);
    },
  };
}

/** Its names and sentences; what the product itself says by default is none of its own. */
function wordsOf(settings: object): string[] {
  return Object.entries(settings).flatMap(([name, value]: [string, unknown]): string[] => {
    if (name === 'paymentNoteDefault') return [];
    if (typeof value === 'string') return value === '' ? [] : [value];
    if (typeof value === 'object' && value !== null) return wordsOf(value);
    return [];
  });
}
