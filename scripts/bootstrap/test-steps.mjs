import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from './alone.mjs';
import { build, buildAll, NX_ENVIRONMENT, runTargets } from './build.mjs';
import { runJest, runNode, runNpm } from './run.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number, cached?: string[] }} Counts `cached`: what Nx took from its cache */

const asOneCheck = (exitCode) =>
  exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };

function npmStep(name, ...args) {
  return {
    name,
    run: async ({ root, environment }) =>
      asOneCheck(await runNpm(['run', '--silent', name, '--', ...args], { cwd: root, env: environment })),
  };
}

/** Two that build at the same time would each remove what the other has written. */
const withoutBuild = (isBuilt) => (isBuilt ? ['--exclude-task-dependencies'] : []);

const specsStep = (name, ...targets) => ({ name, run: ({ root, isBuilt }) => specs(root, targets, isBuilt) });

/**
 * What `npm test` does, in order, those of one line at the same time: each step resolves with its counts; each but the tests
 * counts as one check.
 */
export const STEPS = [
  [{ name: 'build', run: buildWhole }],
  [
    // the types among it
    npmStep('oxlint'),
    npmStep('style'),
    npmStep('unused'),
    npmStep('house', '--check'),
  ],
  [specsStep('unit and integration', 'test', 'rehearsals')],
  [specsStep('browser stories', 'stories')],
  // They measure memory and recoveries: nothing else runs.
  [specsStep('faults', 'faults')],
];

async function buildWhole(context) {
  const { exitCode, cached } = await buildAll(context.root);
  context.isBuilt = exitCode === 0;
  return { ...asOneCheck(exitCode), cached };
}

/**
 * Runs the specs of the targets that are not in Nx's cache; counts all. Where something did not build, Nx leaves out what would run it: an older
 * build must not answer for the sources of now.
 */
async function specs(root, targets, isBuilt) {
  const folders = targets.map((target) => path.join(root, '.nx/specs', target));
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
  const { exitCode, cached } = await runTargets(root, targets.join(','), {
    live: true,
    more: withoutBuild(isBuilt),
  });
  const counts = folders.flatMap((folder) =>
    filesBelow(folder).map((file) => JSON.parse(fs.readFileSync(file, 'utf8'))),
  );
  const of = (name) => counts.reduce((total, each) => total + each[name], 0);
  // Nx, or a package, may have failed before it counted anything
  const failed = exitCode !== 0 && of('failed') === 0 ? 1 : of('failed');
  return { passed: of('passed'), failed, skipped: of('skipped'), cached };
}

const filesBelow = (folder) =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
    : [];

/** A third of a test's time it waits for a server: a worker more than cores keeps all of them busy. */
const workers = () => os.availableParallelism() + 1;

const SEQUENCER = fileURLToPath(new URL('../jest/stories-in-order.mjs', import.meta.url));

/** The packages whose specs run what is built; those of the others run from source, with the texts that contracts makes. */
const RUN_THE_BUILD = /^(e2e|gateway|scripts)\//;
const SPEC = /\/src\/.*\.spec\.tsx?$/;

/**
 * Runs the specs whose path holds each of the words, and builds first what they run. What follows the first argument that begins with a
 * dash goes to Jest as it stands. Resolves with the exit code.
 */
export async function testSome(root, args) {
  const dash = args.findIndex((argument) => argument.startsWith('-'));
  const [words, more] = dash === -1 ? [args, []] : [args.slice(0, dash), args.slice(dash)];
  const specs = specsOf(root).filter((spec) => words.every((word) => spec.includes(word)));
  if (specs.length === 0) throw new Error(`No spec has ${words.join(' and ')} in its path.`);
  if (specs.some((spec) => RUN_THE_BUILD.test(spec))) await build(root);
  else await buildTexts(root);
  // stories share one community, and what the specification says is looked for before the others change it
  const atOnce = specs.some((spec) => spec.startsWith('e2e/'))
    ? ['--runInBand', '--testSequencer', SEQUENCER]
    : [`--maxWorkers=${workers()}`];
  return runJest(root, [...atOnce, ...more, '--runTestsByPath', ...specs], {
    env: { ...process.env, ...NX_ENVIRONMENT },
  });
}

/** Builds, and runs the specs of the packages that what has changed since a commit reaches; no stories. Resolves with the exit code. */
export async function testChanged(root, since = 'main') {
  await build(root);
  const { exitCode } = await runTargets(root, 'test', { live: true, since, more: withoutBuild(true) });
  return exitCode;
}

const PACKAGES = ['gateway', 'services', 'web', 'libs', 'scripts', 'e2e', 'bench'];
const NOT_OURS = ['node_modules', 'dist'];

/** By the compiler that is built already, which writes only what has changed: a build by Nx removes first what others may be reading. */
async function buildTexts(root) {
  const changed = (file) =>
    fs.statSync(path.join(root, 'libs/contracts', file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isBuilt = ['catalogues', 'locales', 'make-texts'].every(
    (name) => changed(`src/${name}.ts`) < changed(`dist/${name}.js`),
  );
  const { exitCode } = isBuilt
    ? await runNode([path.join(root, 'libs/contracts/dist/make-texts.js')])
    : await alone(root, () => runTargets(root, 'build', { more: ['--projects=@meetmark/contracts'] }));
  if (exitCode !== 0) throw new Error('The texts were not made (see above).');
}

/** Paths from the root, with slashes. */
const specsOf = (root, folders = PACKAGES) =>
  folders.flatMap((folder) =>
    fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const inside = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : specsOf(root, [inside]);
      return SPEC.test(inside) ? [inside] : [];
    }),
  );
