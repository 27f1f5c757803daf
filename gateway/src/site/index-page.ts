import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What stands between these in index.html is about the page; the rest is the application. */
const META = /<!--meta-->[\s\S]*<!--\/meta-->/;

/** index.html of the web application, read again when the build has replaced it. */
export class IndexPage {
  private html = '';
  private readAt = 0;

  constructor(private readonly root: string) {}

  /** The page with `meta` as its title and description. */
  async with(meta: string): Promise<string> {
    const file = join(this.root, 'index.html');
    const { mtimeMs } = await stat(file);
    if (mtimeMs !== this.readAt) {
      this.html = await readFile(file, 'utf8');
      this.readAt = mtimeMs;
    }
    return this.html.replace(META, () => meta);
  }
}
