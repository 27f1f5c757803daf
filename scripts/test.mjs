// npm test [-- <words> [arguments of Jest] | -- --quick | -- --changed [commit]]
import { command } from './support/command.mjs';

command(async (root) => {
  const tests = await import('./support/tests.mjs');
  const [first, ...rest] = process.argv.slice(2);
  if (first === undefined) process.exitCode = await tests.testAll(root);
  else if (first === '--quick') process.exitCode = await tests.testAll(root, { isQuick: true });
  else if (first === '--changed') process.exitCode = await tests.testChanged(root, ...rest);
  else process.exitCode = await tests.testSome(root, [first, ...rest]);
});
