// npm test
import { command } from './bootstrap/command.mjs';

command(async (root) => {
  const { testEverything } = await import('./bootstrap/test-everything.mjs');
  process.exitCode = await testEverything(root);
});
