import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone, build, NX_ENVIRONMENT, runTarget } from './build.mjs';
import { runJest, runNpm, runStrictJest } from './run.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const asOneCheck = (exitCode) =>
  exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };

function npmStep(name, ...args) {
  return {
    name,
    run: async ({ root, environment }) =>
      asOneCheck(await runNpm(['run', '--silent', name, '--', ...args], { cwd: root, env: environment })),
  };
}

/**
 * What `npm test` does, in order, those of one line at the same time: each step resolves with its counts; each but the tests
 * counts as one check.
 */
export const STEPS = [
  [{ name: 'build', run: async ({ root }) => asOneCheck(await alone(root, () => runTarget(root, 'build'))) }],
  [npmStep('lint'), npmStep('unused'), npmStep('house', '--check'), { name: 'types', run: types }],
  [
    {
      name: 'unit and integration',
      run: (context) => jest(context, 'unit', ['--ignoreProjects', ...STORIES, `--maxWorkers=${workers()}`]),
    },
  ],
  [{ name: 'browser stories', run: browserStories }],
  // They measure memory and recoveries: nothing else runs.
  [
    {
      name: 'faults',
      run: (context) => jest(context, 'faults', ['--selectProjects', 'faults', '--runInBand']),
    },
  ],
];

async function types({ root }) {
  return asOneCheck(await runTarget(root, 'typecheck'));
}

const STORIES = ['e2e', 'specification', 'pictures', 'faults'];

/** A third of a test's time it waits for a server: a worker more than cores keeps all of them busy. */
const workers = () => os.availableParallelism() + 1;

/**
 * The specification first, since it needs a community without changes, and the pictures in the same community; then the others in one of
 * their own. One after the other: a browser and what it asks keep two cores busy, and two of them take longer than both in turn.
 */
async function browserStories(context) {
  const stories = (name, ...args) => jest(context, name, ['--runInBand', '--selectProjects', ...args]);
  return sum([
    await stories('pictures', 'specification', 'pictures', '--testSequencer', SEQUENCER),
    await stories('e2e', 'e2e'),
  ]);
}

const SEQUENCER = fileURLToPath(new URL('../jest/specification-first.mjs', import.meta.url));

/** The packages whose specs run what is built; those of the others run from source. */
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
  // stories share one community, and what the specification says is looked for before the others change it
  const atOnce = specs.some((spec) => spec.startsWith('e2e/'))
    ? ['--runInBand', '--testSequencer', SEQUENCER]
    : [`--maxWorkers=${workers()}`];
  return runJest(root, [...atOnce, ...more, '--runTestsByPath', ...specs], {
    env: { ...process.env, ...NX_ENVIRONMENT },
  });
}

const PACKAGES = ['gateway', 'services', 'web', 'libs', 'scripts', 'e2e', 'bench'];
const NOT_OURS = ['node_modules', 'dist'];

/** Paths from the root, with slashes. */
const specsOf = (root, folders = PACKAGES) =>
  folders.flatMap((folder) =>
    fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const inside = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : specsOf(root, [inside]);
      return SPEC.test(inside) ? [inside] : [];
    }),
  );

/** @type {(counts: Counts[]) => Counts} */
const sum = (counts) => {
  const of = (name) => counts.reduce((total, each) => total + each[name], 0);
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
};

/** Runs Jest, with a temporary directory of its own; a suite that could not even be loaded counts as one failure. */
async function jest({ root, environment, directory }, name, args) {
  const temporary = path.join(directory, name);
  fs.mkdirSync(temporary, { mode: 0o755 });
  const report = path.join(temporary, 'jest-report.json');
  // The report goes to the file; what people read goes to standard error, and here to the terminal.
  const exitCode = await runStrictJest(
    root,
    ['--passWithNoTests', '--json', `--outputFile=${report}`, ...args],
    { env: { ...environment, TMPDIR: temporary } },
  );
  if (!fs.existsSync(report)) return asOneCheck(exitCode || 1);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } =
    JSON.parse(fs.readFileSync(report, 'utf8'));
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  const counts = { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
  // Jest may also fail as a whole, for example when a server could not be stopped.
  return exitCode !== 0 && failed === 0 ? { ...counts, failed: 1 } : counts;
}
