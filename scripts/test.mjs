// npm test: installs and builds what is missing.
import { fileURLToPath } from 'node:url';
import { checkNode } from './bootstrap/check-node.mjs';

checkNode();
const root = fileURLToPath(new URL('..', import.meta.url));
try {
  const { installIfNeeded } = await import('./bootstrap/install.mjs');
  const { testEverything } = await import('./bootstrap/test-everything.mjs');
  await installIfNeeded(root);
  process.exitCode = await testEverything(root);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
