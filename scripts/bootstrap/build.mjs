import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { alone } from './alone.mjs';
import { programOf, runNode, runQuietly } from './run.mjs';

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

/** Nothing where another build is just removing it: the digest is then one of no finished build. */
function unlessGone(read) {
  try {
    return read();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return '';
  }
}

const json = (...file) => JSON.parse(fs.readFileSync(path.join(...file), 'utf8'));

/** What is made by builds, and what no build reads. */
const LEFT_OUT = /^(node_modules|dist|.+\.spec\.tsx?)$/;

/** A digest of the files there and below, by what `of` says of each. */
function digest(root, places, of) {
  const whole = createHash('sha256');
  const left = [...places];
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    const full = path.join(root, place);
    const stat = fs.statSync(full, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      const names = [...unlessGone(() => fs.readdirSync(full))].filter((name) => !LEFT_OUT.test(name));
      left.push(...names.sort().map((name) => `${place}/${name}`));
    } else if (stat?.isFile()) whole.update(`${place}\0`).update(unlessGone(() => of(full, stat)));
  }
  return whole.digest('hex');
}

/** How files are: by their looks, which reads none of them (an edit, a checkout and a pull write a file anew, or another size of it), and by what is in them. */
function stateOf(root, places, kept) {
  const looks = digest(root, places, (_, { size, mtimeMs }) => `${size} ${mtimeMs}`);
  if (kept?.looks === looks) return kept;
  return { looks, contents: digest(root, places, (file) => fs.readFileSync(file)) };
}

/** What inputs (nx.json) name outside of a package. */
const outside = (inputs = []) =>
  inputs.flatMap((input) => /^\{workspaceRoot\}\/([^*]+?)(\/\*\*\/\*)?$/.exec(input)?.[1] ?? []);

/** The packages that are built, as they are now: each with what it needs, directly or not, and what it is made of. */
function packagesOf(root) {
  const kept = keptOf(root);
  const { workspaces } = json(root, 'package.json');
  const common = outside(json(root, 'nx.json').namedInputs.sources);
  const folders = workspaces.flatMap((place) =>
    place.endsWith('/*')
      ? fs.readdirSync(path.join(root, place.slice(0, -2))).map((name) => place.replace('*', name))
      : [place],
  );
  const all = new Map();
  for (const folder of folders) {
    const { name, scripts, dependencies = {}, nx } = json(root, folder, 'package.json');
    const sources = [folder, ...common, ...outside(nx?.targets.build?.inputs)];
    const state = {
      sources: stateOf(root, sources, kept[name]?.sources),
      built: stateOf(root, [`${folder}/dist`], kept[name]?.built),
    };
    all.set(name, { name, folder, script: scripts?.build, dependencies, state, kept: kept[name] });
  }
  const withNeeds = ({ dependencies }) =>
    Object.keys(dependencies).flatMap((name) => (all.has(name) ? [name, ...withNeeds(all.get(name))] : []));
  for (const each of all.values()) {
    each.needs = [...new Set(withNeeds(each))].sort();
    const made = [each.name, ...each.needs].map((name) => all.get(name).state.sources.contents);
    each.state.of = createHash('sha256').update(made.join()).digest('hex');
  }
  return [...all.values()].filter(({ script }) => script !== undefined);
}

const stampOf = (root) => path.join(root, 'node_modules/.meetmark-built');
const keptOf = (root) => (fs.existsSync(stampOf(root)) ? json(stampOf(root)) : {});

function keep(root, { name, state }) {
  const unfinished = `${stampOf(root)}.${process.pid}`;
  fs.writeFileSync(unfinished, JSON.stringify({ ...keptOf(root), [name]: state }));
  fs.renameSync(unfinished, stampOf(root)); // others may be reading
}

/** What was built of the sources that `packagesOf` has seen: an edit since then is built by the next. */
const keepBuilt = (root, { name, folder, state }) =>
  keep(root, { name, state: { ...state, built: stateOf(root, [`${folder}/dist`]) } });

/** Those that have changed since they were built, or one that they need. */
function staleOf(root, exclude) {
  const wanted = packagesOf(root).filter(({ name }) => !exclude.includes(name.replace('@meetmark/', '')));
  return wanted.filter((each) => {
    const { state, kept } = each;
    if (kept?.of !== state.of || kept.built.contents !== state.built.contents) return true;
    if (kept.built !== state.built || kept.sources !== state.sources) keep(root, each);
    return false;
  });
}

/** Resolves with the exit code, and what came from Nx's cache. */
async function byNx(root, packages) {
  const names = packages.map(({ name }) => name).join(',');
  const more = [`--projects=${names}`, '--exclude-task-dependencies'];
  const { exitCode, cached } = await runTargets(root, 'build', { more });
  if (exitCode === 0) for (const each of packages) keepBuilt(root, each);
  return { exitCode, cached };
}

/** Without Nx, which a start has not: each once what it needs is built, as many at once as there are processors. */
export async function byScripts(root, packages) {
  const left = new Set(packages);
  const running = new Map();
  const isReady = ({ needs }) => ![...left, ...running.keys()].some(({ name }) => needs.includes(name));
  let exitCode = 0;
  do {
    const ready = exitCode === 0 ? [...left].filter(isReady) : [];
    for (const each of ready.slice(0, os.availableParallelism() - running.size)) {
      left.delete(each);
      running.set(
        each,
        runScript(root, each).then((code) => ({ each, code })),
      );
    }
    const { each, code } = await Promise.race(running.values());
    running.delete(each);
    if (code === 0) keepBuilt(root, each);
    exitCode ||= code;
  } while (running.size > 0 || (exitCode === 0 && left.size > 0));
  return { exitCode };
}

/** As npm does, without half a second of it. */
async function runScript(root, { folder, script }) {
  const programs = [`${folder}/node_modules/.bin`, 'node_modules/.bin'].map((each) => path.join(root, each));
  const PATH = [...programs, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const options = { shell: true, cwd: path.join(root, folder), env: { ...process.env, PATH } };
  return (await runQuietly(script, [], options)).exitCode;
}

/** Builds all packages by Nx. Resolves with the exit code, and what came from its cache. */
export const buildAll = (root) => alone(root, () => byNx(root, packagesOf(root)));

/**
 * Builds what is stale. Touches no file when nothing has changed since the last time: what Nx takes from its cache it removes and writes
 * anew, also where it is there, and another Meetmark may be running on it. Throws when something does not build.
 */
export async function build(root, exclude = [], by = byNx) {
  if (staleOf(root, exclude).length === 0) return;
  await alone(root, async () => {
    const stale = staleOf(root, exclude);
    if (stale.length === 0) return; // built by the one that was waited for
    console.log('Building what has changed …');
    const { exitCode } = await by(root, stale);
    if (exitCode !== 0) {
      throw new Error('The build failed (see above). Correct what it names and run the command again.');
    }
  });
}
