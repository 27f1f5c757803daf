import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What stands between these in index.html is about the page; the rest is the application. */
const META = /<!--meta-->[\s\S]*<!--\/meta-->/;
/** Milliseconds between two looks whether the build has replaced the file. */
const LOOK_EVERY = 1_000;

/** index.html of the web application. */
export class IndexPage {
  private html = '';
  private modified = 0;
  private lookedAt = 0;

  constructor(private readonly root: string) {}

  /** Changes with the file. */
  async version(): Promise<number> {
    if (Date.now() - this.lookedAt < LOOK_EVERY) return this.modified;
    const file = join(this.root, 'index.html');
    const { mtimeMs } = await stat(file);
    if (mtimeMs !== this.modified) this.html = await readFile(file, 'utf8');
    this.modified = mtimeMs;
    this.lookedAt = Date.now();
    return mtimeMs;
  }

  /** The page with `meta` as its title and description. */
  async with(meta: string): Promise<string> {
    await this.version();
    return this.html.replace(META, () => meta);
  }
}
