import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { bundleBudget } from './scripts/bundle-budget.ts';
import { entryModules } from './scripts/entry-modules.ts';
import { fetchBeforeImport } from './scripts/fetch-before-import.ts';
import { firstPaint } from './scripts/first-paint.ts';
import { icons } from './scripts/icons.ts';
import { pageHead } from './scripts/page-head.ts';
import { precompress } from './scripts/precompress.ts';

const GATEWAY = process.env.GATEWAY_URL ?? 'http://localhost:8080';
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** antd's modules have no side effects but do not say so: this drops what no screen uses. */
const PURE_PACKAGES = /node_modules\/(@rc-component|antd|@ant-design)\//;
/** What every page needs: one file compresses better than five, and stays cached over releases. */
const FRAME_PACKAGES = /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@tanstack)\//;

const entry = entryModules();

export default defineConfig({
  plugins: [
    react(),
    entry,
    fetchBeforeImport(),
    bundleBudget({
      // What a visitor needs before the landing page works: the entry and all that it imports statically.
      entries: ['index.html'],
      maxKilobytes: 170,
    }),
    icons(),
    pageHead(),
    firstPaint('/src/app/first-paint.tsx'),
    precompress(),
  ],
  resolve: {
    conditions: ['source', ...defaultClientConditions],
    alias: [
      // ConfigProvider imports it whether used or not: 7 kB of popup machinery on the landing page.
      { find: '../tooltip/UniqueProvider', replacement: here('src/app/theme/no-unique-tooltips.tsx') },
    ],
  },
  build: {
    target: 'es2022',
    manifest: true,
    // One small style sheet: what is painted first is styled by it, and no later screen waits for another.
    cssCodeSplit: false,
    // The administrator's charts are one lazy chunk of this size; the landing page has a budget of its own.
    chunkSizeWarningLimit: 1_800,
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: PURE_PACKAGES, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', test: FRAME_PACKAGES },
            { name: 'application', test: entry.has },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': GATEWAY, '/media': GATEWAY } },
});
