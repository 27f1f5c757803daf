import react from '@vitejs/plugin-react';
import { createServer, type Plugin, type Rolldown } from 'vite';

/** A class attribute that React wrote. */
const CLASSES = /class="([^"]+)"/g;

/**
 * Asks for a page's own files beside the entry. As the helper of `import()` does (fetch-before-import.ts), and not by `modulepreload`,
 * whose failure a browser remembers.
 */
function preloads(bundle: Rolldown.OutputBundle, screen: string): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const needed = (file: string, files: Set<string>): Set<string> => {
    if (files.has(file)) return files;
    files.add(file);
    chunks.find(({ fileName }) => fileName === file)?.imports.forEach((imported) => needed(imported, files));
    return files;
  };
  const start = chunks.find(({ isEntry }) => isEntry);
  const own = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${screen}`));
  if (!start || !own) throw new Error(`first paint: no file of ${screen}`);
  const known = needed(start.fileName, new Set());
  return [...needed(own.fileName, new Set())]
    .filter((file) => !known.has(file))
    .map((file) => `<link rel="preload" as="fetch" crossorigin fetchpriority="low" href="/${file}">`)
    .join('');
}

/**
 * Draws what is shown before the script arrives, with the application's own components, and writes it beside the manifest as
 * `.vite/first-paint.json`. Fails the build when a class in it is not in the style sheet.
 * `screens`: the file of the screen that takes the place of a piece.
 */
export function firstPaint(module: string, screens: Record<string, string>): Plugin {
  let root = '';
  return {
    name: 'first-paint',
    apply: 'build',
    enforce: 'post', // after the style sheet is put together
    configResolved(config) {
      root = config.root;
    },
    async generateBundle(_options, bundle) {
      const pieces = await draw(root, module);
      const styles = Object.values(bundle)
        .map((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? String(file.source) : ''))
        .join('');
      const missing = Object.values(pieces)
        .flatMap((html) => [...html.matchAll(CLASSES)])
        .flatMap(([, names = '']) => names.split(' '))
        .filter((name) => !styles.includes(`.${name}`));
      if (missing.length > 0) this.error(`first paint: no styles for ${missing.join(', ')}`);
      for (const [piece, screen] of Object.entries(screens)) pieces[piece] += preloads(bundle, screen);
      this.emitFile({
        type: 'asset',
        fileName: '.vite/first-paint.json',
        source: JSON.stringify(pieces),
      });
    },
  };
}

async function draw(root: string, module: string): Promise<Record<string, string>> {
  const server = await createServer({
    configFile: false,
    root,
    plugins: [react()],
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const drawn = (await server.ssrLoadModule(module)) as { firstPaint: () => Record<string, string> };
    return drawn.firstPaint();
  } finally {
    await server.close();
  }
}
