import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';

/** A class attribute that React wrote. */
const CLASSES = /class="([^"]+)"/g;

/**
 * Draws what is shown before the script arrives, with the application's own components, and writes it beside the manifest as
 * `.vite/first-paint.json`. Fails the build when a class in it is not in the style sheet.
 */
export function firstPaint(module: string): Plugin {
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
