// npm run bench, npm run faults: installs and builds what is missing, then runs a built program.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkNode } from './bootstrap/check-node.mjs';

checkNode();
const root = fileURLToPath(new URL('..', import.meta.url));
const [program, ...args] = process.argv.slice(2);
try {
  const { installIfNeeded } = await import('./bootstrap/install.mjs');
  const { build } = await import('./bootstrap/build.mjs');
  await installIfNeeded(root);
  console.log('Building what has changed …');
  await build(root);
  process.argv.splice(2, process.argv.length, ...args);
  await import(pathToFileURL(path.join(root, program)).href);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
