import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Lowest supported minor version of each Node major version before 24. */
const MINORS = { 20: 19, 22: 12 };

/**
 * Runs a command: installs missing packages, then calls `work(root)`. Installs no test packages if `tests` is
 * false. Prints errors without a stack. This file and its importers contain only syntax that old Node
 * versions can parse.
 */
export async function command(work, { tests = true } = {}) {
  try {
    checkNode();
    const { installIfNeeded } = await import('./install.mjs');
    await installIfNeeded(root, { tests });
    await work(root);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major >= 24 || minor >= MINORS[major]) return;
  throw new Error(
    `Meetmark needs Node.js 20.19, 22.12, or 24 and newer, and this is ${process.versions.node}.\n` +
      'Install a current version from https://nodejs.org, or with a version manager: nvm install 24',
  );
}
