// npm start, npm run dev: installs and builds what is missing, then hands over to src/start.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkNode } from './bootstrap/check-node.mjs';

checkNode();
// npm may go while we are still installing.
const parentPid = process.ppid;
const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
try {
  const { installIfNeeded } = await import('./bootstrap/install.mjs');
  const { build } = await import('./bootstrap/build.mjs');
  await installIfNeeded(root);
  console.log('Building what has changed …');
  // In development Vite serves the web application from its sources.
  await build(root, ['e2e', 'bench', ...(args.includes('--watch') ? ['web'] : [])]);
  const { start } = await import('./dist/start/main.js');
  await start({ root, directory: path.join(root, '.local'), parentPid, args });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
