import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Manifest, Plugin } from 'vite';
import { DEFAULT_LOCALE } from '@meetmark/contracts/catalogues';
import { inFolder, readFolders } from './catalogues.ts';

interface Budget {
  /** As the manifest names it. */
  entry: string;
  manifest: string;
  /** The source files of each page's screen, as the manifest names them. */
  pages: Record<string, string[]>;
  /** Of gzip-compressed script: the larger of the two encodings that are served. */
  maxKilobytes: number;
  /** What a page may need more of in another language than the default; left out where it has one. */
  maxMoreKilobytes?: number;
  /** Script files of the whole build: a screen asks for each of its own twice (fetch-before-import.ts). */
  maxFiles?: number;
  /** Of script in all languages, not compressed. */
  maxMegabytes?: number;
}

const KILOBYTE = 1_000;

/** Script files that the entries load without a further import(). */
function scriptsOf(manifest: Manifest, entries: string[]): string[] {
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`bundle budget: ${key} is not in the manifest`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  entries.forEach(visit);
  return [...files].filter((file) => file.endsWith('.js'));
}

/** A file that its own imports lead back to: what it exports may be read before it is there, and the screen never opens. */
function fileInRing(manifest: Manifest): string | undefined {
  const leadsTo = (key: string, seen: Set<string>): Set<string> => {
    for (const imported of manifest[key]?.imports ?? [])
      if (!seen.has(imported)) leadsTo(imported, seen.add(imported));
    return seen;
  };
  return Object.keys(manifest).find((key) => leadsTo(key, new Set()).has(key));
}

/** Fails the build when files import one another in a ring, or a page needs more script before it works than the budget allows, and prints what each needs. */
export function bundleBudget({
  entry,
  manifest: file,
  pages,
  maxKilobytes,
  maxMoreKilobytes,
  maxFiles = Infinity,
  maxMegabytes = Infinity,
}: Budget): Plugin {
  let folder = '';
  let written = false;
  return {
    name: 'bundle-budget',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    writeBundle() {
      written = true;
    },
    async closeBundle(error) {
      // a build that failed before it wrote anything has its own error
      if (error || !written) return;
      const manifest = JSON.parse(await readFile(join(folder, file), 'utf8')) as Manifest;
      const ring = fileInRing(manifest);
      if (ring !== undefined) this.error(`the imports of ${ring} lead back to it`);
      const built = new Set(Object.values(manifest).map((chunk) => chunk.file));
      const scriptFiles = [...built].filter((name) => name.endsWith('.js')).length;
      this.info(`${scriptFiles} script files (budget ${maxFiles})`);
      if (scriptFiles > maxFiles) this.error(`the build has more than ${maxFiles} script files`);
      const all = await readdir(folder, { recursive: true });
      const bytes = all
        .filter((name) => name.endsWith('.js'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
      const megabytes = bytes / KILOBYTE ** 2;
      this.info(`${megabytes.toFixed(1)} MB of script in all languages (budget ${maxMegabytes} MB)`);
      if (megabytes > maxMegabytes) this.error(`all languages have more than ${maxMegabytes} MB of script`);
      const others = maxMoreKilobytes === undefined ? {} : await readFolders(folder);
      const folders = { [DEFAULT_LOCALE]: 'assets', ...others };
      const sizes = new Map<string, number>();
      // as it is compressed for serving; most files are those of several pages and languages
      const sizeOf = (path: string): number => {
        const size =
          sizes.get(path) ?? gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION }).length;
        sizes.set(path, size);
        return size;
      };
      for (const [page, screens] of Object.entries(pages)) {
        const scripts = scriptsOf(manifest, [entry, ...screens]);
        let ofDefault = 0;
        for (const [locale, place] of Object.entries(folders)) {
          const gzip =
            scripts.reduce((sum, script) => {
              const own = join(folder, inFolder(script, place));
              return sum + sizeOf(existsSync(own) ? own : join(folder, script));
            }, 0) / KILOBYTE;
          if (locale === DEFAULT_LOCALE) {
            ofDefault = gzip;
            this.info(`${page} page script: ${gzip.toFixed(1)} kB gzip (budget ${maxKilobytes} kB)`);
            if (gzip > maxKilobytes) this.error(`the ${page} page exceeds its budget of ${maxKilobytes} kB`);
          } else {
            this.info(`${page} page script in ${locale}: ${(gzip - ofDefault).toFixed(1)} kB gzip more`);
            if (gzip > ofDefault + (maxMoreKilobytes ?? 0))
              this.error(`the ${page} page in ${locale} needs over ${maxMoreKilobytes} kB more`);
          }
        }
      }
    },
  };
}
