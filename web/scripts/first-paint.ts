import react from '@vitejs/plugin-react';
import { createServer, type Plugin, type Rolldown } from 'vite';
import { DEFAULT_LOCALE } from '@meetmark/contracts/catalogues';
import { catalogues, inFolder, type Page, TRANSLATIONS } from './catalogues.ts';

/** A class attribute that React wrote. */
const CLASSES = /class="([^"]+)"/g;

/**
 * Asks for a page's own files beside the entry. As the helper of `import()` does (fetch-before-import.ts), and not by `modulepreload`,
 * whose failure a browser remembers.
 */
function preloads(bundle: Rolldown.OutputBundle, screen: string, folder: string): string {
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
    .map((file) => {
      const own = inFolder(file, folder);
      return `<link rel="preload" as="fetch" crossorigin fetchpriority="low" href="/${own in bundle ? own : file}">`;
    })
    .join('');
}

/**
 * Draws what is shown before the script arrives, with the application's own components, and writes it beside the manifest as
 * `.vite/first-paint.json`, in other languages as `.vite/first-paint.<locale>.json`. Fails the build when a class in it is not in the style sheet.
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
    generateBundle: {
      order: 'post', // after each language has its files
      async handler(_options, bundle) {
        const written = bundle[TRANSLATIONS];
        const others = JSON.parse(written?.type === 'asset' ? String(written.source) : '{}') as Record<
          string,
          string
        >;
        const folders = Object.entries({ [DEFAULT_LOCALE]: 'assets', ...others });
        const drawn = await draw(
          root,
          module,
          folders.map(([locale]) => locale),
        );
        const styles = Object.values(bundle)
          .map((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? String(file.source) : ''))
          .join('');
        const missing = Object.values(drawn)
          .flatMap((pieces) => Object.values(pieces))
          .flatMap((html) => [...html.matchAll(CLASSES)])
          .flatMap(([, names = '']) => names.split(' '))
          .filter((name) => !styles.includes(`.${name}`));
        if (missing.length > 0) this.error(`first paint: no styles for ${missing.join(', ')}`);
        for (const [locale, folder] of folders) {
          const pieces = drawn[locale]!;
          for (const [piece, screen] of Object.entries(screens))
            pieces[piece] += preloads(bundle, screen, folder);
          const name = locale === DEFAULT_LOCALE ? 'first-paint' : `first-paint.${locale}`;
          this.emitFile({ type: 'asset', fileName: `.vite/${name}.json`, source: JSON.stringify(pieces) });
        }
      },
    },
  };
}

/** By language. */
async function draw(
  root: string,
  module: string,
  locales: string[],
): Promise<Record<string, Record<string, string>>> {
  const page: Page = { locale: DEFAULT_LOCALE };
  const server = await createServer({
    configFile: false,
    root,
    plugins: [react(), catalogues(page)],
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const drawn: Record<string, Record<string, string>> = {};
    for (const locale of locales) {
      page.locale = locale;
      server.moduleGraph.invalidateAll();
      const made = (await server.ssrLoadModule(module)) as { firstPaint: () => Record<string, string> };
      drawn[locale] = made.firstPaint();
    }
    return drawn;
  } finally {
    await server.close();
  }
}

const MODULE = 'virtual:component-styles.css';
const RESOLVED = '\0component-styles.css';

/**
 * The styles of those components of antd that visitors' pages show, for the style sheet: made in the browser they keep a phone busy while the
 * screen is drawn. They hold no colour, only names of variables, so they are the same for every community. antd finds in the sheet which ones
 * are there, and makes the others itself; `first-paint.spec.ts` asserts that the first pages make none.
 */
export function componentStyles(): Plugin {
  let isBuild = false;
  return {
    name: 'component-styles',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    resolveId: (source) => (source === MODULE ? RESOLVED : null),
    load: (id) => (id === RESOLVED ? (isBuild ? stylesOfComponents() : '') : null),
  };
}

async function stylesOfComponents(): Promise<string> {
  const { createCache, extractStyle, StyleProvider } = await import('@ant-design/cssinjs');
  const { Button, Checkbox, ConfigProvider } = await import('antd');
  const { createElement } = await import('react');
  const { renderToStaticMarkup } = await import('react-dom/server');
  const cache = createCache();
  const components = createElement(ConfigProvider, null, createElement(Button), createElement(Checkbox));
  renderToStaticMarkup(createElement(StyleProvider, { cache }, components));
  return extractStyle(cache, { plain: true, types: 'style' });
}
