import { fileURLToPath } from 'node:url';
import { checkNode } from './check-node.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs one of our commands: looks at Node, installs the packages that are missing, then does `work(root)`. What goes wrong is told
 * in its own words. In syntax that every Node reads since 12, like whatever is imported before the look at Node.
 */
export async function command(work) {
  checkNode();
  try {
    const { installIfNeeded } = await import('./install.mjs');
    await installIfNeeded(root);
    await work(root);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
