import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';

/** Fetches files first, because browsers never retry a failed `import()` or `modulepreload`. */
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
