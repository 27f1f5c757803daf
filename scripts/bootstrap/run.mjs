import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Path of an installed package's program. */
export function programOf(root, packageName) {
  const folder = path.join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bin === 'string' ? bin : bin[packageName]);
}

/** Runs the Jest of the repository to its end with our terminal. Resolves with its exit code. */
export function runJest(root, args, options = {}, onSpawn = undefined) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  return run(
    process.execPath,
    [...flags, programOf(root, 'jest'), ...args],
    { cwd: root, ...options },
    onSpawn,
  );
}

/** What Jest says, and ends with 0 nevertheless, when something that a test left behind keeps it or one of its workers alive. */
const KEPT_ALIVE = /failed to exit gracefully|Jest did not exit/;

/** As `runJest`, without standard output; also fails when Jest says that something keeps it alive, and calls `onKeptAlive`. */
export async function runStrictJest(root, args, { onKeptAlive = () => {}, ...options } = {}) {
  let keptAlive = false;
  const exitCode = await runJest(
    root,
    args,
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    ({ stderr }) => {
      stderr.pipe(process.stderr, { end: false });
      createInterface({ input: stderr }).on('line', (line) => (keptAlive ||= KEPT_ALIVE.test(line)));
    },
  );
  if (keptAlive) onKeptAlive();
  return keptAlive ? exitCode || 1 : exitCode;
}

/** Runs npm to its end, the very npm that started us when there is one. Resolves with its exit code (1 when a signal ended it). */
export function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath;
  if (npm && /\.c?js$/.test(npm)) return run(process.execPath, [npm, ...args], options);
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Runs a program; what it says is shown at once where `live`, else only when it fails. Resolves with its exit code and what it said. */
export async function runQuietly(program, args, { live = false, ...options } = {}) {
  let output = '';
  const keep = (child) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output += chunk));
      if (live) stream.pipe(process.stderr, { end: false });
    }
  };
  const exitCode = await run(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }, keep);
  if (exitCode !== 0 && !live) process.stderr.write(output);
  return { exitCode, output };
}

/** As `runQuietly`, a program of Node. */
export const runNode = (args, options) => runQuietly(process.execPath, args, options);

/** Runs a program to its end with our terminal. Resolves with its exit code. */
function run(program, args, options, onSpawn = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
    onSpawn(child);
  });
}
