import react from '@vitejs/plugin-react';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { DEFAULT_LOCALE } from '@meetmark/i18n/catalogues';
import { catalogues, inFolder, TRANSLATIONS } from './catalogues.ts';

const DRAWING = 'assets/first-paint.js';

const CLASSES = /class="([^"]+)"/g;

/**
 * Returns preloads for `fetch` (see fetch-before-import.ts), because browsers never retry a `modulepreload`.
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
 * Writes the HTML that is shown until the script loads. The output is `.vite/first-paint[.<locale>].json`.
 * @param screens maps each piece of HTML to the source file of the screen that replaces it
 */
export function firstPaint(module: string, screens: Record<string, string>): Plugin {
  let root = '';
  let kept = '';
  return {
    name: 'first-paint',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root;
      kept = config.cacheDir;
    },
    generateBundle: {
      order: 'post', // after the files of each language exist
      async handler(_options, bundle) {
        const drawn = await draw(root, module, kept);
        const styles = Object.values(bundle)
          .map((file) => (file.type === 'asset' && file.fileName.endsWith('.css') ? String(file.source) : ''))
          .join('');
        const missing = Object.values(drawn)
          .flatMap((pieces) => Object.values(pieces))
          .flatMap((html) => [...html.matchAll(CLASSES)])
          .flatMap(([, names = '']) => names.split(' '))
          .filter((name) => !styles.includes(`.${name}`));
        if (missing.length > 0) this.error(`first paint: no styles for ${missing.join(', ')}`);
        for (const [locale, folder] of listFolders(Object.values(bundle))) {
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

function listFolders(
  files: (Rolldown.OutputAsset | Rolldown.OutputChunk)[],
): [locale: string, folder: string][] {
  const written = files.find(({ fileName }) => fileName === TRANSLATIONS);
  const others = JSON.parse(written?.type === 'asset' ? String(written.source) : '{}') as object;
  return Object.entries({ [DEFAULT_LOCALE]: 'assets', ...others });
}

/** Builds the module and runs it in the folder `kept`, where imports from `node_modules` resolve. */
async function draw(
  root: string,
  module: string,
  kept: string,
): Promise<Record<string, Record<string, string>>> {
  const { output } = (await build({
    configFile: false,
    root,
    plugins: [react(), catalogues()],
    logLevel: 'error',
    build: {
      ssr: join(root, module),
      write: false,
      rolldownOptions: { output: { entryFileNames: DRAWING, codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  await mkdir(kept, { recursive: true });
  const place = await mkdtemp(join(kept, 'first-paint-'));
  try {
    const drawn: Record<string, Record<string, string>> = {};
    for (const [locale, folder] of listFolders(output)) {
      const written = output.find(({ fileName }) => fileName === inFolder(DRAWING, folder))!;
      const file = join(place, `${locale}.mjs`);
      await writeFile(file, written.type === 'chunk' ? written.code : written.source);
      const made = (await import(pathToFileURL(file).href)) as { firstPaint: () => Record<string, string> };
      drawn[locale] = made.firstPaint();
    }
    return drawn;
  } finally {
    await rm(place, { recursive: true });
  }
}

const MODULE = 'virtual:component-styles.css';
const RESOLVED = '\0component-styles.css';

/**
 * Adds antd's styles for visitors' pages to the style sheet, because phones are slow to create them. All
 * communities share these styles, because they use variables. In the browser, antd creates only the missing
 * styles.
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
