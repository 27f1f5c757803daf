import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runNpm } from './run.mjs';

/** Milliseconds within which npm writes both of its lock files. */
const WRITTEN_TOGETHER_MS = 60_000;

/**
 * Installs packages if the lock file changed, or if `tests` is true and there are no test packages. Never
 * removes test packages. Throws if npm fails.
 */
export async function installIfNeeded(root, { tests }) {
  const modules = path.join(root, 'node_modules');
  const stamp = path.join(modules, '.meetmark-installed');
  const lock = path.join(root, 'package-lock.json');
  const digest = createHash('sha256').update(fs.readFileSync(lock)).digest('hex');
  const hasTests = fs.existsSync(path.join(modules, 'jest'));
  const isCurrent =
    (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === digest) || isInstalledByHand(modules, lock);
  if (isCurrent && (hasTests || !tests)) return;
  if (isCurrent) {
    console.log('Installing the packages for tests, checks and benchmarks (only once) …');
    await npm(root, ['install', '--no-save', '--include=dev']);
  } else {
    console.log('Installing the packages (only at the first start and after an update) …');
    // --include=dev overrides NODE_ENV=production
    await npm(root, ['ci', tests || hasTests ? '--include=dev' : '--omit=dev']);
  }
  fs.writeFileSync(stamp, digest);
}

/** Whether the user ran npm by hand after the lock file changed. npm itself doesn't write our stamp file. */
function isInstalledByHand(modules, lock) {
  const installed = fs.statSync(path.join(modules, '.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs + WRITTEN_TOGETHER_MS >= fs.statSync(lock).mtimeMs;
}

async function npm(root, args) {
  const exitCode = await runNpm([...args, '--include=optional', '--no-audit', '--no-fund'], { cwd: root });
  if (exitCode !== 0) {
    throw new Error(
      `npm ${args[0]} failed (see above). It needs access to the package registry, about 1.5 GB of disk space and write access to this folder. Then run the command again.`,
    );
  }
}
