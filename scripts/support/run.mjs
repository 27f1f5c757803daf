import { spawn } from 'node:child_process';
import path from 'node:path';

export function runJest(root, args, options = {}, onSpawn = undefined) {
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  return run(process.execPath, [...flags, jest, ...args], { cwd: root, ...options }, onSpawn);
}

/**
 * Warnings that a test keeps Jest or a worker alive, or that nothing handled a rejected promise. Despite the
 * warning, Jest exits with 0.
 */
const WARNINGS = /failed to exit gracefully|Jest did not exit|^Never handled: /m;

/** Like `runJest`, but without standard output. Fails if one of these warnings is printed. */
export async function runStrictJest(root, args) {
  let errors = '';
  const exitCode = await runJest(root, args, { stdio: ['ignore', 'ignore', 'pipe'] }, ({ stderr }) => {
    stderr.pipe(process.stderr, { end: false });
    stderr.on('data', (chunk) => (errors += chunk));
  });
  return WARNINGS.test(errors) ? exitCode || 1 : exitCode;
}

export function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath;
  if (npm && /\.c?js$/.test(npm)) return run(process.execPath, [npm, ...args], options);
  return run('npm', args, { ...options, shell: process.platform === 'win32' });
}

function run(program, args, options, onSpawn = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
    onSpawn(child);
  });
}
