// npm start, npm run dev: rebuilds changed packages, then runs src/start
import path from 'node:path';
import { command } from './support/command.mjs';

// Stores the parent's process id now, because npm may end while packages are installed.
const parentPid = process.ppid;
const args = process.argv.slice(2);

const run = async (root) => {
  const { build } = await import('./support/build.mjs');
  await build(root, args.includes('--watch') ? 'servers' : 'all');
  const { start } = await import('./dist/start/process/main.js');
  // the demo and an empty installation have separate data
  const directory = path.join(root, '.local', args.includes('--empty') ? 'empty' : '');
  await start({ root, directory, parentPid, args });
};

command(run, { tests: false });
