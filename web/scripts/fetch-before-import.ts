import type { Plugin } from 'vite';

/** The module through which Vite lets every `import()` of the build pass. */
const HELPER = '\0vite/preload-helper.js';

/**
 * Browsers remember a failed module for as long as the page lives: another `import()` of the same address fails without a request.
 * So all files of an `import()` are fetched first, side by side, and it begins once the browser has them: a failed fetch can be
 * repeated. Vite's own helper leaves `modulepreload` links instead, whose failures are remembered, too.
 */
const CODE = `
const arrived = new Map(
  Array.from(document.querySelectorAll('script[src],link[rel=modulepreload]'), (tag) => [tag.src || tag.href, true]),
);
function fetched(file) {
  const address = new URL('/' + file, location.href).href;
  if (!arrived.has(address))
    arrived.set(
      address,
      fetch(address).then(
        async (answer) => {
          await answer.arrayBuffer();
          if (!answer.ok) throw new TypeError(address + ' answers ' + answer.status);
        },
      ).catch((error) => {
        arrived.delete(address);
        throw error;
      }),
    );
  return arrived.get(address);
}
export async function __vitePreload(load, files = []) {
  await Promise.all(files.map(fetched));
  return load();
}`;

/** Fails the build when Vite has no such module any more. */
export function fetchBeforeImport(): Plugin {
  let used = false;
  return {
    name: 'fetch-before-import',
    apply: 'build',
    enforce: 'pre',
    load: {
      order: 'pre',
      handler(id) {
        if (id !== HELPER) return undefined;
        used = true;
        return { code: CODE, moduleSideEffects: false };
      },
    },
    buildEnd(error) {
      if (!error && !used)
        this.error(`Vite does not load ${HELPER}: lazy parts could not be asked for twice`);
    },
  };
}
