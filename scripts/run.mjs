// npm run bench, faults or test:containers: rebuilds changed packages, then runs the built program
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { command } from './support/command.mjs';

command(async (root) => {
  const { build } = await import('./support/build.mjs');
  const [program, ...args] = process.argv.slice(2);
  await build(root);
  process.argv.splice(2, process.argv.length, ...args);
  await import(pathToFileURL(path.join(root, program)).href);
});
