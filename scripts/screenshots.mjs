// npm run screenshots: installs and builds what is missing, then takes a picture of every screen into screenshots/.
import { fileURLToPath } from 'node:url';
import { checkNode } from './bootstrap/check-node.mjs';

checkNode();
const root = fileURLToPath(new URL('..', import.meta.url));
try {
  const { installIfNeeded } = await import('./bootstrap/install.mjs');
  const { build } = await import('./bootstrap/build.mjs');
  const { programOf, runNode } = await import('./bootstrap/run.mjs');
  await installIfNeeded(root);
  console.log('Building what has changed …');
  await build(root);
  process.exitCode = await runNode(
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      programOf(root, 'jest'),
      ...['--selectProjects', 'e2e', '--runInBand', '--forceExit', 'e2e/src/screens'],
    ],
    { cwd: root, stdio: 'inherit' },
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
