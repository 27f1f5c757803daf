import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A picture as it is stored: named by the SHA-256 of its bytes. */
export interface Picture {
  hash: string;
  bytes: Buffer;
  width: number;
  height: number;
}

/** Of each file, in pixels. */
const SIZES = { members: { width: 320, height: 320 }, events: { width: 1600, height: 640 } };

/** The pictures of the demo's members or events, by the names of their files. */
export function demoPictures(kind: keyof typeof SIZES): Map<string, Picture> {
  // sources and what is built of them lie three folders deep, the bundle of the start four
  const folder = ['../../..', '../../../..']
    .map((root) => path.resolve(import.meta.dirname, root, 'config/demo/pictures', kind))
    .find((place) => existsSync(place));
  if (folder === undefined) throw new Error(`the pictures of the demo's ${kind} are missing`);
  return new Map(
    readdirSync(folder).map((file) => {
      const bytes = readFileSync(path.join(folder, file));
      const hash = createHash('sha256').update(bytes).digest('hex');
      return [path.basename(file, '.webp'), { hash, bytes, ...SIZES[kind] }];
    }),
  );
}
