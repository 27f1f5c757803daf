import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runNpm } from './run.mjs';

/** npm writes its two lock files one after the other. */
const WRITTEN_TOGETHER_MS = 60_000;

/** One of the packages that only tests need: npm itself does not note whether it installed them. */
const NEEDED_BY_TESTS = 'jest/package.json';

/**
 * Installs the packages that are missing or older than the lock file. `tests` says whether those are wanted, too, that only tests, checks and
 * measurements need: `npm start` leaves them out where they are not there, and keeps them where they are. Throws with what to do when it fails.
 */
export async function installIfNeeded(root, { tests }) {
  const lock = path.join(root, 'package-lock.json');
  const modules = path.join(root, 'node_modules');
  const stamp = path.join(modules, '.meetmark-installed');
  const digest = createHash('sha256').update(fs.readFileSync(lock)).digest('hex');
  const hasTests = fs.existsSync(path.join(modules, NEEDED_BY_TESTS));
  const current = isCurrent(lock, path.join(modules, '.package-lock.json'), stamp, digest);
  if (current && (hasTests || !tests)) return;
  if (current) {
    console.log('Installing what only tests, checks and measurements need (only once) …');
    await npm(root, ['install', '--no-save', '--include=dev']);
  } else {
    console.log('Installing the packages (only at the first start and after an update) …');
    // NODE_ENV=production would leave the packages of the tests out in any case.
    await npm(root, ['ci', tests || hasTests ? '--include=dev' : '--omit=dev']);
  }
  fs.writeFileSync(stamp, digest);
}

function isCurrent(lock, installed, stamp, digest) {
  if (!fs.existsSync(installed)) return false;
  const isStamped = fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === digest;
  // Somebody may have installed by hand, which leaves no stamp of ours.
  return isStamped || fs.statSync(installed).mtimeMs + WRITTEN_TOGETHER_MS >= fs.statSync(lock).mtimeMs;
}

async function npm(root, args) {
  const exitCode = await runNpm([...args, '--include=optional', '--no-audit', '--no-fund'], { cwd: root });
  if (exitCode !== 0) {
    throw new Error(
      `npm ${args[0]} failed (see above). It needs the package registry, some 1.5 GB of disk, and the right to write to this folder. Then run the command again.`,
    );
  }
}
