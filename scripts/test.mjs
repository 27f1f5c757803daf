// npm test [-- <words> [arguments of Jest] | -- --changed [commit]]
import { command } from './bootstrap/command.mjs';

command(async (root) => {
  const words = process.argv.slice(2);
  if (words[0] === '--changed') {
    const { testChanged } = await import('./bootstrap/test-steps.mjs');
    process.exitCode = await testChanged(root, words[1]);
  } else if (words.length > 0) {
    const { testSome } = await import('./bootstrap/test-steps.mjs');
    process.exitCode = await testSome(root, words);
  } else {
    const { testEverything } = await import('./bootstrap/test-everything.mjs');
    process.exitCode = await testEverything(root);
  }
});
