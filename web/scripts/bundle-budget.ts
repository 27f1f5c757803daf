import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Manifest, Plugin } from 'vite';

interface Budget {
  entry: string;
  manifest: string;
  pages: Record<string, string[]>;
  maxKilobytes: number;
}

const KILOBYTE = 1_000;

function listScripts(manifest: Manifest, entries: string[]): string[] {
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

/** Returns a file of an import cycle, if any. No screen opens if its exports are read before they exist. */
function fileInRing(manifest: Manifest): string | undefined {
  const leadsTo = (key: string, seen: Set<string>): Set<string> => {
    for (const imported of manifest[key]?.imports ?? [])
      if (!seen.has(imported)) leadsTo(imported, seen.add(imported));
    return seen;
  };
  return Object.keys(manifest).find((key) => leadsTo(key, new Set()).has(key));
}

export function bundleBudget({ entry, manifest: file, pages, maxKilobytes }: Budget): Plugin {
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
      // a build that failed earlier reports its own error
      if (error || !written) return;
      const manifest = JSON.parse(await readFile(join(folder, file), 'utf8')) as Manifest;
      const ring = fileInRing(manifest);
      if (ring !== undefined) this.error(`the imports of ${ring} lead back to it`);
      const measureSize = (script: string) =>
        gzipSync(readFileSync(join(folder, script)), { level: constants.Z_BEST_COMPRESSION }).length;
      for (const [page, screens] of Object.entries(pages)) {
        const scripts = listScripts(manifest, [entry, ...screens]);
        const kilobytes = scripts.reduce((sum, script) => sum + measureSize(script), 0) / KILOBYTE;
        this.info(`${page} page script: ${kilobytes.toFixed(1)} kB gzip (budget ${maxKilobytes} kB)`);
        if (kilobytes > maxKilobytes) this.error(`the ${page} page exceeds its budget of ${maxKilobytes} kB`);
      }
    },
  };
}
