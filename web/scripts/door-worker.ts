import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const SHARED = ['/scheme.js', '/favicon.svg'];
/** Rarely needed fonts, which the service worker doesn't cache. */
const RARE = /latin-ext/;

export function doorWorker(source: string, name: string): Plugin {
  return {
    name: 'door-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle[name];
        if (worker?.type !== 'chunk') return this.error(`no ${name} of ${source}`);
        if (worker.imports.length > 0) this.error(`${name} imports other files`);
        const files = Object.values(bundle).filter(
          ({ fileName }) => fileName.startsWith('assets/') && !RARE.test(fileName),
        );
        const page = bundle['door.html'];
        const version = createHash('sha256').update(worker.code);
        version.update(page?.type === 'asset' ? page.source : '');
        files.forEach(({ fileName }) => version.update(fileName));
        const names = [...SHARED, ...files.map(({ fileName }) => `/${fileName}`)];
        worker.code =
          `const PAGE_FILES=${JSON.stringify(names)},PAGE_VERSION=${JSON.stringify(version.digest('hex').slice(0, 16))};` +
          worker.code;
      },
    },
  };
}
