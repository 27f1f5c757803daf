import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { bundleBudget } from './scripts/bundle-budget.ts';
import { catalogues } from './scripts/catalogues.ts';
import { communityFonts } from './scripts/community-fonts.ts';
import { fetchBeforeImport } from './scripts/fetch-before-import.ts';
import { componentStyles, firstPaint } from './scripts/first-paint.ts';
import { handbook } from './scripts/handbook.ts';
import { pageFiles } from './scripts/page-files.ts';
import { pageHead } from './scripts/page-head.ts';
import { precompress } from './scripts/precompress.ts';

const GATEWAY = process.env.GATEWAY_URL ?? 'http://localhost:8080';
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Packages that don't declare that they have no side effects. This lets the build drop unused modules. */
const PURE_PACKAGES = /node_modules\/(@rc-component|antd|@ant-design)\//;
/** Packages that every page needs. One file for them compresses better and stays cached across releases. */
const FRAME_PACKAGES =
  /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack)\/|vite\/preload-helper/;

/**
 * Merges files below 12 kB. A lower limit would double the number of files. A higher limit would make pages
 * load code that they don't need.
 */
const SHARED = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000 };

/** Helpers in the frame's file. Otherwise, the charts would import them from a file with texts. */
const HELPERS =
  /@babel\/runtime\/helpers\/esm\/(?!callSuper|superProp|regenerator|Overload|async|createForOf|classPrivate|objectWithout|extends|get\.)/;

/** Screens that people often open directly. The code that such a screen needs first is in one file. */
const PAGES = {
  landing: 'src/features/landing/landing-screen.tsx',
  event: 'src/features/events/event-screen.tsx',
};

const files = pageFiles(PAGES);

const NO_COLOUR_NAMES = '\0no-colour-names';

/** Leaves out the colour names of @ant-design/fast-color, because all our colours are numbers. */
const noColourNames: Plugin = {
  name: 'no-colour-names',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './presetColors' && importer?.includes('/fast-color/') ? NO_COLOUR_NAMES : null,
  load: (id) => (id === NO_COLOUR_NAMES ? 'export default {};' : null),
};

/** react-router's exports point to its development build, which has warnings. This uses the other build. */
const routerWithoutWarnings: Plugin = {
  name: 'router-without-warnings',
  enforce: 'pre',
  apply: 'build',
  resolveId: (source) =>
    source === 'react-router' ? here('../node_modules/react-router/dist/production/index.mjs') : null,
};

const CALLED_ON_LOAD = ['frame', 'index', ...Object.keys(PAGES)];

const COMPILE_HINT = '//# allFunctionsCalledOnLoad';

/** Makes V8 compile all functions of an entry file when it loads, not each one when it is first called. */
const compiledOnArrival: Plugin = {
  name: 'compiled-on-arrival',
  enforce: 'pre', // before other languages' copies are made
  apply: 'build',
  augmentChunkHash: ({ name }) => (CALLED_ON_LOAD.includes(name) ? COMPILE_HINT : undefined),
  generateBundle: {
    // runs last, because V8 requires the comment at the start, where Vite also writes text
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && CALLED_ON_LOAD.includes(file.name))
          file.code = `${COMPILE_HINT}\n${file.code}`;
    },
  },
};

export default defineConfig({
  plugins: [
    react(),
    noColourNames,
    routerWithoutWarnings,
    componentStyles(),
    compiledOnArrival,
    catalogues(),
    files,
    fetchBeforeImport(),
    bundleBudget({
      entry: 'index.html',
      manifest: '.vite/manifest.json',
      pages: Object.fromEntries(Object.entries(PAGES).map(([page, screen]) => [page, [screen]])),
      maxKilobytes: 170,
    }),
    handbook(),
    pageHead(),
    firstPaint('/src/app/first-paint.tsx', PAGES),
    communityFonts(),
    precompress(),
  ],
  resolve: {
    conditions: ['source', ...defaultClientConditions],
    alias: [
      // saves every page 7 kB of popup code and 9 kB of button animations and icons
      { find: '../tooltip/UniqueProvider', replacement: here('src/app/theme/pass-through.tsx') },
      { find: /^\.\.\/_util\/wave$/, replacement: here('src/app/theme/pass-through.tsx') },
      { find: './DefaultLoadingIcon', replacement: here('src/app/theme/button-spinner.tsx') },
      // saves 200 kB, which only the export of charts as images would use
      { find: 'html2canvas', replacement: here('src/app/theme/pass-through.tsx') },
    ],
  },
  build: {
    target: 'es2022',
    manifest: true,
    reportCompressedSize: false,
    // Browsers without module preload load modules on import, so they need no polyfill.
    modulePreload: { polyfill: false },
    // One small style sheet is loaded for the first paint, so that later screens load none.
    cssCodeSplit: false,
    // Allows the administrators' charts, one large lazy chunk. Visitors' pages have their own size limits.
    chunkSizeWarningLimit: 1_800,
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: PURE_PACKAGES, sideEffects: false }] },
      output: {
        // keeps only the first part of the name, which otherwise lists all screens that share the file
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'frame', test: (id: string) => FRAME_PACKAGES.test(id) || HELPERS.test(id) },
            { name: 'application', test: files.ofAll },
            { name: 'event', test: files.of('event') },
            { name: 'landing', test: files.of('landing') },
            // Without their own files, these modules would make the shared files import each other.
            { name: 'codes', test: /\/src\/(features\/auth\/code|ui\/(code-field|digits))/ },
            { name: 'spinner', test: /LoadingOutlined/ },
            { name: 'shared', ...SHARED },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': GATEWAY,
      '/media': GATEWAY,
      '/icons': GATEWAY,
      '/favicon.svg': GATEWAY,
      '/sponsors': GATEWAY,
    },
  },
});
