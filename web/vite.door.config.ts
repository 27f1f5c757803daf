import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { bundleBudget } from './scripts/bundle-budget.ts';
import { cataloguesOfAll } from './scripts/catalogues.ts';
import { doorWorker } from './scripts/door-worker.ts';
import { pageHead } from './scripts/page-head.ts';
import { precompress } from './scripts/precompress.ts';

/** Builds the door page separately, so that neither it nor the application loads the other's code. */
export default defineConfig({
  plugins: [
    react(),
    cataloguesOfAll(),
    bundleBudget({
      entry: 'door.html',
      manifest: '.vite/door.json',
      pages: { door: ['../node_modules/qr/decode.js'] },
      maxKilobytes: 150,
    }),
    pageHead(),
    doorWorker('src/door/worker.ts', 'door-worker.js'),
    precompress(),
  ],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    emptyOutDir: false,
    copyPublicDir: false,
    manifest: '.vite/door.json',
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rolldownOptions: {
      input: { door: 'door.html', worker: 'src/door/worker.ts' },
      output: {
        entryFileNames: ({ name }) => (name === 'worker' ? 'door-worker.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
