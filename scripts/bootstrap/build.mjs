import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { programOf, run, runNode } from './run.mjs';

/** No daemon: nothing of ours outlives the command. No .env: that is for Compose. */
export const NX_ENVIRONMENT = {
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  NX_NO_CLOUD: 'true',
  NX_LOAD_DOT_ENV_FILES: 'false',
};

/** How Nx marks a task that it did not run. */
const CACHED = /nx run @meetmark\/(\S+) +\[(local cache|existing outputs match the cache)/g;

/**
 * Runs Nx targets (`lint`, or several with commas) on every package; what has not changed comes from the cache. Resolves with the exit code and what
 * came from the cache; the output is shown where the code is not 0, or at once where `live`. `since`: only packages that what has changed since
 * that commit reaches. `more` are other arguments of Nx.
 */
export async function runTargets(root, targets, { live = false, since, more = [] } = {}) {
  const style = `--output-style=${live ? 'stream-without-prefixes' : 'static'}`;
  const packages = since === undefined ? ['run-many'] : ['affected', `--base=${since}`];
  const args = [programOf(root, 'nx'), ...packages, '-t', targets, style, ...more];
  const colours = live && process.stderr.isTTY ? { FORCE_COLOR: '1' } : {};
  const env = { ...process.env, ...NX_ENVIRONMENT, ...colours };
  const { exitCode, output } = await runNode(args, { live, cwd: root, env });
  const cached = [...stripVTControlCharacters(output).matchAll(CACHED)].map(([, name]) => name);
  return { exitCode, cached };
}

/** What builds are made of and make (nx.json). */
const FOLDERS = [
  'gateway',
  'services',
  'web',
  'libs',
  'scripts',
  'e2e',
  'bench',
  'docs/handbook',
  'config/demo',
];
const FILES = [
  'package.json',
  'package-lock.json',
  'nx.json',
  'tsconfig.base.json',
  '.swcrc',
  'rolldown.config.mjs',
];

/** Nothing where another build is just removing it: the digest is then one of no finished build. */
function unlessGone(read) {
  try {
    return read();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return '';
  }
}

/** Paths from the root: those of the files that builds read or, if `built`, of those that they have written. */
function* filesOf(root, built) {
  if (!built) yield* FILES;
  const folders = FOLDERS.map((folder) => [folder, false]);
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const [folder, isBuilt] = next;
    for (const entry of unlessGone(() => fs.readdirSync(path.join(root, folder), { withFileTypes: true }))) {
      const inside = `${folder}/${entry.name}`;
      if (entry.name === 'node_modules') continue;
      if (entry.isDirectory()) folders.push([inside, isBuilt || entry.name === 'dist']);
      else if (entry.isFile() && isBuilt === built) yield inside;
    }
  }
}

/** A digest of these files, by what `of` says of each. */
function digest(root, built, of) {
  const whole = createHash('sha256');
  for (const file of filesOf(root, built))
    whole.update(`${file}\0`).update(unlessGone(() => of(path.join(root, file))));
  return whole.digest('hex');
}

const contentsOf = (root, built) => digest(root, built, (file) => fs.readFileSync(file));

/** Reads none of them: an edit, a checkout and a pull write a file anew, or another size of it. */
const looksOf = (root, built) =>
  digest(root, built, (file) => {
    const { size, mtimeMs } = fs.statSync(file);
    return `${size} ${mtimeMs}`;
  });

/**
 * One build of a checkout at a time: Nx removes and writes the outputs of two as if each were alone. The lock is the one that Nx itself
 * uses, of the system: it ends with the process that holds it, however that ends.
 */
export async function alone(root, run) {
  const { FileLock } = createRequire(import.meta.url)('nx/src/native');
  const lock = new FileLock(path.join(root, 'node_modules/.meetmark-build.lock'));
  if (lock.check()) console.log('Waiting for another build of this checkout …');
  while (lock.check()) await lock.wait();
  lock.lock();
  try {
    return await run();
  } finally {
    lock.unlock();
  }
}

const stampOf = (root) => path.join(root, 'node_modules/.meetmark-built');

function keep(root, of) {
  const unfinished = `${stampOf(root)}.${process.pid}`;
  fs.writeFileSync(unfinished, JSON.stringify(of));
  fs.renameSync(unfinished, stampOf(root)); // others may be reading
}

/** Whether nothing has changed since the last build. */
function isFresh(root, exclude) {
  if (!fs.existsSync(stampOf(root))) return false;
  const kept = JSON.parse(fs.readFileSync(stampOf(root), 'utf8'));
  // more may have been built than is asked for
  if (!kept.exclude.every((name) => exclude.includes(name))) return false;
  const looks = [looksOf(root, false), looksOf(root, true)];
  if (String(kept.looks) === String(looks)) return true;
  if (kept.sources !== contentsOf(root, false) || kept.built !== contentsOf(root, true)) return false;
  keep(root, { ...kept, looks });
  return true;
}

/**
 * As `build`, for a process that lives on: a thread of Nx's lock would wake it a hundred times a second until it ends. False when something
 * does not build.
 */
export async function buildApart(root, exclude) {
  if (isFresh(root, exclude)) return true;
  const program = `
    import { build } from ${JSON.stringify(import.meta.url)};
    await build(...${JSON.stringify([root, exclude])}).catch(({ message }) => {
      console.error(message);
      process.exitCode = 1;
    });`;
  return (await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root })) === 0;
}

/**
 * Builds what is stale. Touches no file when nothing has changed since the last time: what Nx takes from its cache it removes and writes
 * anew, also where it is there, and another Meetmark may be running on it. Throws when something does not build.
 */
export async function build(root, exclude = []) {
  if (isFresh(root, exclude)) return;
  await alone(root, async () => {
    if (isFresh(root, exclude)) return; // by the one that was waited for
    console.log('Building what has changed …');
    // an edit while it runs is built by the next
    const [sources, looks] = [contentsOf(root, false), looksOf(root, false)];
    const without = exclude.map((name) => `@meetmark/${name}`).join(',');
    const { exitCode } = await runTargets(root, 'build', { more: without ? [`--exclude=${without}`] : [] });
    if (exitCode !== 0) {
      throw new Error('The build failed (see above). Correct what it names and run the command again.');
    }
    keep(root, { exclude, sources, built: contentsOf(root, true), looks: [looks, looksOf(root, true)] });
  });
}
