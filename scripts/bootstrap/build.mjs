import { programOf, runNodeQuietly } from './run.mjs';

/** No daemon: nothing of ours outlives the command. */
export const NX_ENVIRONMENT = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true' };

/** Runs one Nx target on every package but `exclude`; what has not changed comes from the cache. Resolves
 * with the exit code; the output is shown only when it is not 0. */
export function runTarget(root, target, exclude = []) {
  const without = exclude.length > 0 ? [`--exclude=${exclude.join(',')}`] : [];
  const args = [programOf(root, 'nx'), 'run-many', '-t', target, '--output-style=static', ...without];
  return runNodeQuietly(args, { cwd: root, env: { ...process.env, ...NX_ENVIRONMENT } });
}

/** Builds what is stale. Throws when something does not build. */
export async function build(root, exclude = []) {
  console.log('Building what has changed …');
  const packages = exclude.map((name) => `@meetmark/${name}`);
  if ((await runTarget(root, 'build', packages)) !== 0) {
    throw new Error('The build failed (see above). Correct what it names and run the command again.');
  }
}
