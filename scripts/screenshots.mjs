// npm run screenshots: builds what has changed, then takes a picture of every screen and every mail into screenshots/.
import path from 'node:path';
import { command } from './bootstrap/command.mjs';

command(async (root) => {
  const { build } = await import('./bootstrap/build.mjs');
  const { programOf, runNode } = await import('./bootstrap/run.mjs');
  await build(root);
  process.exitCode = await runNode(
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      programOf(root, 'jest'),
      ...['--selectProjects', 'pictures', '--runInBand'],
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, SCREENSHOTS: path.join(root, 'screenshots') } },
  );
});
