import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Plugin } from 'vite';

/** Corners that are round by themselves, and edges for systems that cut their own shape. */
const ICONS = [
  { file: 'icons/192.png', size: 192, edge: 'round' },
  { file: 'icons/512.png', size: 512, edge: 'round' },
  { file: 'icons/maskable-512.png', size: 512, edge: 'square' },
  { file: 'icons/apple-touch.png', size: 180, edge: 'square' },
] as const;

const ROUND = ' rx="9"';

/** Draws the pictures of public/manifest.webmanifest from the logo, whose circles are well within what every system shows. */
export function icons(): Plugin {
  let logo = '';
  return {
    name: 'icons',
    apply: 'build',
    configResolved(config) {
      logo = join(config.publicDir, 'favicon.svg');
    },
    async generateBundle() {
      const svg = await readFile(logo, 'utf8');
      if (!svg.includes(ROUND)) this.error(`${logo} has no${ROUND}: its square form cannot be drawn`);
      for (const { file, size, edge } of ICONS) {
        const drawn = Buffer.from(edge === 'round' ? svg : svg.replace(ROUND, ''));
        const density = (72 * size) / 32;
        const source = await sharp(drawn, { density }).resize(size, size).png({ palette: true }).toBuffer();
        this.emitFile({ type: 'asset', fileName: file, source });
      }
    },
  };
}
