import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { runNpm } from './run.mjs';

/** npm writes its two lock files one after the other. */
const WRITTEN_TOGETHER_MS = 60_000;

/** Installs the packages when they are missing or older than the lock file. Throws with what to do when that fails. */
export async function installIfNeeded(root) {
  const lock = path.join(root, 'package-lock.json');
  const installed = path.join(root, 'node_modules/.package-lock.json');
  const stamp = path.join(root, 'node_modules/.meetmark-installed');
  const digest = createHash('sha256').update(fs.readFileSync(lock)).digest('hex');
  if (fs.existsSync(installed)) {
    const isStamped = fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === digest;
    // Somebody may have installed by hand, which leaves no stamp of ours.
    const isNewer = fs.statSync(installed).mtimeMs + WRITTEN_TOGETHER_MS >= fs.statSync(lock).mtimeMs;
    if (isStamped || isNewer) return;
  }
  console.log('Installing the packages (only at the first start and after an update) …');
  // NODE_ENV=production would leave out what builds the application.
  const exitCode = await runNpm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], {
    cwd: root,
  });
  if (exitCode !== 0) {
    throw new Error(
      'npm ci failed (see above). It needs the package registry, some 1.5 GB of disk, and the right to write to this folder. Then run the command again.',
    );
  }
  fs.writeFileSync(stamp, digest);
}
