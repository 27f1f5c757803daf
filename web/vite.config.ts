import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { bundleBudget } from './scripts/bundle-budget.ts';
import { catalogues } from './scripts/catalogues.ts';
import { communityFonts } from './scripts/community-fonts.ts';
import { communityFree } from './scripts/community-free.ts';
import { fetchBeforeImport } from './scripts/fetch-before-import.ts';
import { componentStyles, firstPaint } from './scripts/first-paint.ts';
import { handbook } from './scripts/handbook.ts';
import { pageFiles } from './scripts/page-files.ts';
import { pageHead } from './scripts/page-head.ts';
import { precompress } from './scripts/precompress.ts';

const GATEWAY = process.env.GATEWAY_URL ?? 'http://localhost:8080';
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** antd's modules have no side effects but do not say so: this drops what no screen uses. */
const PURE_PACKAGES = /node_modules\/(@rc-component|antd|@ant-design)\//;
/** What every page needs: one file compresses better than five, and stays cached over releases. */
const FRAME_PACKAGES =
  /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack)\/|vite\/preload-helper/;

/**
 * What some screens share and others do not, as one file for each set of screens; sets of less than 12 kB join the one most like them. Below
 * that a screen asks for twice as many files, above it those of visitors carry what they do not need.
 */
const SHARED = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000 };

/** What antd and the charts both call, here so that the charts need no file with texts; the others of the package are the charts' own. */
const HELPERS =
  /@babel\/runtime\/helpers\/esm\/(?!callSuper|superProp|regenerator|Overload|async|createForOf|classPrivate|objectWithout|extends|get\.)/;

/** The screens that visitors reach by a link, each with all that it needs before it works. */
const PAGES = {
  landing: 'src/features/landing/landing-screen.tsx',
  event: 'src/features/events/event-screen.tsx',
};

const files = pageFiles(PAGES);

const NO_COLOUR_NAMES = '\0no-colour-names';

/** Replaces the table of CSS colour names in @ant-design/fast-color: every colour here is written in figures. */
const noColourNames: Plugin = {
  name: 'no-colour-names',
  enforce: 'pre',
  // antd has modules of its own of this name
  resolveId: (source, importer) =>
    source === './presetColors' && importer?.includes('/fast-color/') ? NO_COLOUR_NAMES : null,
  load: (id) => (id === NO_COLOUR_NAMES ? 'export default {};' : null),
};

/** Its exports name the development build alone, which carries warnings that no visitor reads. */
const routerWithoutWarnings: Plugin = {
  name: 'router-without-warnings',
  enforce: 'pre',
  apply: 'build',
  resolveId: (source) =>
    source === 'react-router' ? here('../node_modules/react-router/dist/production/index.mjs') : null,
};

const CALLED_ON_LOAD = ['frame', 'index', ...Object.keys(PAGES)];

const COMPILE_HINT = '//# allFunctionsCalledOnLoad';

/** What a page runs before it works: V8 compiles it whole while it arrives, not function by function when each is called. */
const compiledOnArrival: Plugin = {
  name: 'compiled-on-arrival',
  enforce: 'pre', // before other languages have their copies
  apply: 'build',
  augmentChunkHash: ({ name }) => (CALLED_ON_LOAD.includes(name) ? COMPILE_HINT : undefined),
  generateBundle: {
    // Vite writes before the code, too; V8 reads the comment only where it comes first
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
      maxMoreKilobytes: 3,
      maxFiles: 84,
      maxMegabytes: 13.1,
    }),
    handbook(),
    pageHead(),
    firstPaint('/src/app/first-paint.tsx', PAGES),
    communityFonts(),
    communityFree(),
    precompress(),
  ],
  resolve: {
    conditions: ['source', ...defaultClientConditions],
    alias: [
      // What every page would carry whether used or not: 7 kB of popup machinery, and 9 kB of motion and icons for buttons.
      { find: '../tooltip/UniqueProvider', replacement: here('src/app/theme/pass-through.tsx') },
      { find: /^\.\.\/_util\/wave$/, replacement: here('src/app/theme/pass-through.tsx') },
      { find: './DefaultLoadingIcon', replacement: here('src/app/theme/button-spinner.tsx') },
    ],
  },
  build: {
    target: 'es2022',
    manifest: true,
    reportCompressedSize: false,
    // A browser that cannot preload modules loads them when they are imported.
    modulePreload: { polyfill: false },
    // One small style sheet: what is painted first is styled by it, and no later screen waits for another.
    cssCodeSplit: false,
    // The administrator's charts are one lazy chunk of this size; the pages of visitors have a budget of their own.
    chunkSizeWarningLimit: 1_800,
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: PURE_PACKAGES, sideEffects: false }] },
      output: {
        // the names of a shared file would be those of all screens that share it
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'frame', test: (id: string) => FRAME_PACKAGES.test(id) || HELPERS.test(id) },
            { name: 'application', test: files.ofAll },
            { name: 'event', test: files.of('event') },
            { name: 'landing', test: files.of('landing') },
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
