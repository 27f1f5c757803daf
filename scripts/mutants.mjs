// npm run mutants -- [word]... [--why]: inserts faults one by one into copies of the last commit and reports
// whether the named test fails. Words select faults by name, file or test; `--why` prints the tests' output
import { command } from './support/command.mjs';

command(async (root) => {
  const { tryFaults } = await import('./mutants/try-faults.mjs');
  process.exitCode = await tryFaults(root, process.argv.slice(2));
});
