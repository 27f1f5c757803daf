import { fileURLToPath } from 'node:url';
import { checkNode } from './check-node.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs one of our commands: looks at Node, installs the packages that are missing, with those that only tests need unless `tests` is false,
 * then does `work(root)`. Prints the message of an error without its stack. In syntax that every Node reads since 12, like whatever is imported before
 * the look at Node.
 */
export async function command(work, { tests = true } = {}) {
  checkNode();
  try {
    const { installIfNeeded } = await import('./install.mjs');
    await installIfNeeded(root, { tests });
    await work(root);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
