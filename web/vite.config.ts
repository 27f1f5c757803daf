import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { bundleBudget } from './scripts/bundle-budget.ts';
import { precompress } from './scripts/precompress.ts';

const GATEWAY = process.env.GATEWAY_URL ?? 'http://localhost:8080';

const PURE_PACKAGES = /node_modules\/(@rc-component|antd|@ant-design)\//;

export default defineConfig({
  plugins: [
    react(),
    bundleBudget({
      // What a visitor needs before the landing page works: its own files and all that they import statically.
      entries: ['index.html', 'src/features/auth/landing-screen.tsx'],
      maxKilobytes: 170,
    }),
    precompress(),
  ],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    manifest: true,
    // The administrator's charts are one lazy chunk of this size; the landing page has a budget of its own.
    chunkSizeWarningLimit: 1_800,
    // antd's parts do nothing on import but do not say so: this lets what a screen does not use go (24 kB of the landing page).
    rolldownOptions: { treeshake: { moduleSideEffects: [{ test: PURE_PACKAGES, sideEffects: false }] } },
  },
  server: { proxy: { '/api': GATEWAY, '/media': GATEWAY } },
});
