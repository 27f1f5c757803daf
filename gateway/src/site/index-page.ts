import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pieces } from './first-paint.js';
import { jsonForScript } from './json-for-script.js';

/** What stands between these in index.html is about the page; the rest is the application. */
const META = /<!--meta-->[\s\S]*<!--\/meta-->/;
const FIRST_PAINT = '<!--first-paint-->';
const FIRST_ANSWERS = '<!--first-answers-->';
/** Milliseconds between two looks whether the build has replaced the file. */
const LOOK_EVERY = 1_000;

/** What differs between the pages. */
interface Filling {
  meta: string;
  firstPaint: (pieces: Pieces) => string;
  firstAnswers: object;
}

/** index.html of the web application. */
export class IndexPage {
  private html = '';
  private pieces: Pieces | null = null;
  private modified = 0;
  private lookedAt = 0;

  constructor(private readonly root: string) {}

  /** Changes with the file. */
  async version(): Promise<number> {
    if (Date.now() - this.lookedAt < LOOK_EVERY) return this.modified;
    const file = join(this.root, 'index.html');
    const { mtimeMs } = await stat(file);
    if (mtimeMs !== this.modified) {
      this.html = await readFile(file, 'utf8');
      this.pieces = await readPieces(this.root);
    }
    this.modified = mtimeMs;
    this.lookedAt = Date.now();
    return mtimeMs;
  }

  async with({ meta, firstPaint, firstAnswers }: Filling): Promise<string> {
    await this.version();
    const paint = this.pieces === null ? '' : firstPaint(this.pieces);
    const answers = `<script type="application/json" id="first-answers">${jsonForScript(firstAnswers)}</script>`;
    return this.html
      .replace(META, () => meta)
      .replace(FIRST_PAINT, () => paint)
      .replace(FIRST_ANSWERS, () => answers);
  }
}

/** Null for a build that has none: the pages are then empty until the script has come. */
async function readPieces(root: string): Promise<Pieces | null> {
  const file = join(root, '.vite/first-paint.json');
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Pieces) : null;
}
