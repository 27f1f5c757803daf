// npm run mutants -- [word]... [--why]: puts small faults into copies of the last commit, one after the other, and says whether the test that
// is named beside each fails. Words choose the faults that have one of them in their name, file or test; `--why` prints what the tests said.
import { command } from './bootstrap/command.mjs';

command(async (root) => {
  const { tryFaults } = await import('./mutants/try-faults.mjs');
  process.exitCode = await tryFaults(root, process.argv.slice(2));
});
