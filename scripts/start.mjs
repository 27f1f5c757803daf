// npm start, npm run dev: builds what has changed, then hands over to src/start.
import path from 'node:path';
import { command } from './bootstrap/command.mjs';

// npm may go while we are still installing.
const parentPid = process.ppid;
const args = process.argv.slice(2);

const run = async (root) => {
  const { build, byScripts } = await import('./bootstrap/build.mjs');
  // In development Vite serves the web application from its sources.
  await build(root, ['bench', ...(args.includes('--watch') ? ['web'] : [])], byScripts);
  const { start } = await import('./dist/start/process/main.js');
  // Each has data of its own: the demo stays as it is beside a community that begins.
  const directory = path.join(root, '.local', args.includes('--empty') ? 'empty' : '');
  await start({ root, directory, parentPid, args });
};

command(run, { tests: false });
