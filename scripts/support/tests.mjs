import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import chromium from '@sparticuz/chromium';
import { build, nx } from './build.mjs';
import { runJest, runNpm, runStrictJest } from './run.mjs';
import { endWithParent, kill, RUN_MARK, findSurvivors } from './survivors.mjs';

/** Milliseconds to wait for the last processes of a run to end. */
const ENDING_MS = 10_000;
const POLL_MS = 100;

const LIBRARIES = ['i18n', 'contracts', 'platform', 'testing'];
const SERVICES = ['auth', 'events', 'admin', 'worker'];
/** Folders with ordinary specs, by package. */
const UNITS = Object.fromEntries([
  ...LIBRARIES.map((name) => [name, `libs/${name}`]),
  ...SERVICES.map((name) => [name, `services/${name}`]),
  ...['gateway', 'web', 'scripts'].map((name) => [name, name]),
]);

const UNIT_PROJECTS = ['server', 'rules', 'web'];

/** Tests wait for servers a third of the time. One more worker than there are cores keeps all cores busy. */
const WORKERS = `--maxWorkers=${os.availableParallelism() + 1}`;
const IN_ORDER = `--testSequencer=${fileURLToPath(new URL('../jest/stories-in-order.mjs', import.meta.url))}`;

/**
 * Arguments of the Jest runs for most browser stories. The runs follow one another. Each starts Meetmark and a
 * browser.
 */
const SHARED_STORIES = [
  ['--selectProjects', 'specification', 'alone', '--runInBand', IN_ORDER],
  ['--selectProjects', 'pictures', 'e2e', '--maxWorkers=2', IN_ORDER],
];
const INSTALLATIONS = ['--selectProjects', 'installations', '--runInBand'];

/** Browser stories of `--quick`: the most frequent tasks of members, organisers and administrators. */
const QUICK_STORIES = [
  ...['admin/access', 'admin/door', 'admin/event-life', 'admin/guests', 'admin/users'],
  ...['member/account', 'member/first-registration', 'member/visitor', 'member/waiting-list'],
];
/** Environment variable that limits the specification's story to a single screen width. */
const ONE_WIDTH = 'MEETMARK_ONE_WIDTH';

const STEPS = [
  {
    name: 'build',
    run: (root) =>
      build(root)
        .then(() => 0, printError)
        .then(asCheck),
  },
  npmStep('oxlint'),
  npmStep('style'),
  npmStep('unused'),
  {
    name: 'unit and integration',
    run: (root, { isQuick }) =>
      jest(root, ['--selectProjects', ...UNIT_PROJECTS, ...(isQuick ? [] : ['slow']), WORKERS]),
  },
  { name: 'browser stories', run: (root, { isQuick }) => (isQuick ? quickStories(root) : stories(root)) },
  // These specs run alone, because they measure memory and recovery times.
  { name: 'faults', isSlow: true, run: (root) => jest(root, ['--selectProjects', 'faults', '--runInBand']) },
];

/** Failed tests. They're printed last, so that a truncated log still shows them. */
const failures = [];

export async function testAll(root, { isQuick = false } = {}) {
  const runId = randomUUID();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-run-'));
  // If root runs the tests, PostgreSQL uses another account. That account must be able to enter the
  // directory.
  fs.chmodSync(directory, 0o755);
  Object.assign(process.env, { TMPDIR: directory, [RUN_MARK]: runId });
  endWithParent(runId, directory);

  const results = [];
  for (const { name, run, isSlow = false } of STEPS) {
    if (isQuick && isSlow) continue;
    console.log(`\n=== ${name}`);
    const began = performance.now();
    const counts = await run(root, { isQuick });
    results.push({ name, ...counts, seconds: (performance.now() - began) / 1000 });
    if (name === 'build' && counts.failed > 0) break;
  }
  results.push({ name: 'nothing left running', ...(await endSurvivors(runId)), seconds: 0 });
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  return summarise(results);
}

/**
 * Builds the required packages and runs the specs whose path contains all words. Passes the first argument
 * with a dash, and all later ones, to Jest. Resolves with the exit code.
 */
export async function testSome(root, args) {
  const dash = args.findIndex((argument) => argument.startsWith('-'));
  const [words, more] = dash === -1 ? [args, []] : [args.slice(0, dash), args.slice(dash)];
  const specs = listSpecs(root).filter((spec) => words.every((word) => spec.includes(word)));
  if (specs.length === 0) throw new Error(`No spec file has ${words.join(' and ')} in its path.`);
  // Specs of other packages run from source. They need no build except the texts.
  await build(root, specs.some((spec) => /^(e2e|gateway|scripts)\//.test(spec)) ? 'all' : 'texts');
  const workers = specs.some((spec) => spec.startsWith('e2e/')) ? ['--runInBand', IN_ORDER] : [WORKERS];
  return runJest(root, [...workers, ...more, '--runTestsByPath', ...specs]);
}

/** Runs the specs of packages that changed since a commit, without stories. Resolves with the exit code. */
export async function testChanged(root, since = 'main') {
  await build(root);
  const affected = await nx(root, 'show', 'projects', '--affected', `--base=${since}`);
  const names = affected.split('\n').map((name) => name.replace('@meetmark/', ''));
  const folders = names.filter((name) => name in UNITS).map((name) => UNITS[name]);
  if (folders.length === 0) return 0;
  const paths = `^${root}/(${folders.join('|')})/src/`;
  return runStrictJest(root, ['--selectProjects', ...UNIT_PROJECTS, WORKERS, '--testPathPatterns', paths]);
}

function listSpecs(root) {
  const files = [...Object.values(UNITS), 'e2e'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder, 'src'), { recursive: true })
      .map((file) => `${folder}/src/${file.replaceAll(path.sep, '/')}`),
  );
  return files.filter((file) => /\.spec\.tsx?$/.test(file) && !file.includes('/node_modules/'));
}

function npmStep(name) {
  return { name, run: (root) => runNpm(['run', '--silent', name], { cwd: root }).then(asCheck) };
}

function printError({ message }) {
  console.error(message);
  return 1;
}

function asCheck(exitCode) {
  return { passed: Number(exitCode === 0), failed: Number(exitCode !== 0), skipped: 0 };
}

/** Runs Jest and resolves with its counts. A failure outside of a test counts as a failed test. */
async function jest(root, args) {
  const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'jest-')), 'report.json');
  const exitCode = await runStrictJest(root, [...args, '--json', `--outputFile=${report}`]);
  if (!fs.existsSync(report)) return asCheck(1);
  const counts = JSON.parse(fs.readFileSync(report, 'utf8'));
  const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
  failures.push(...counts.testResults.flatMap((file) => describeFailures(root, file)));
  return {
    passed: counts.numPassedTests,
    failed: exitCode === 0 ? failed : Math.max(failed, 1),
    skipped: counts.numPendingTests + counts.numTodoTests,
  };
}

function describeFailures(root, { name, status, assertionResults }) {
  if (status !== 'failed') return [];
  const tests = assertionResults.filter((test) => test.status === 'failed');
  const file = path.relative(root, name);
  if (tests.length === 0) return [file];
  const beginning = (message) => stripVTControlCharacters(message).split('\n').slice(0, 12).join('\n  ');
  // jest-light-runner leaves the describes out of `fullName`.
  const getTitle = (test) => [...test.ancestorTitles, test.title].join(' ');
  return tests.map((test) => `${file}: ${getTitle(test)}\n  ${beginning(test.failureMessages[0] ?? '')}`);
}

async function stories(root) {
  // Unpacks Chromium. Otherwise, both runs below would unpack it into the same file at the same time.
  await chromium.executablePath();
  const shared = jestInTurn(root, SHARED_STORIES);
  return sum((await Promise.all([shared, jest(root, INSTALLATIONS)])).flat());
}

async function quickStories(root) {
  process.env[ONE_WIDTH] = 'true';
  return sum(
    await jestInTurn(root, [
      ['--selectProjects', 'specification', '--runInBand'],
      [
        '--selectProjects',
        'e2e',
        '--maxWorkers=2',
        '--testPathPatterns',
        `/e2e/src/(${QUICK_STORIES.join('|')})\\.spec\\.ts$`,
      ],
    ]),
  );
}

async function jestInTurn(root, runs) {
  const all = [];
  for (const args of runs) all.push(await jest(root, args));
  return all;
}

function sum(all) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of all) for (const name of Object.keys(total)) total[name] += counts[name];
  return total;
}

async function endSurvivors(runId) {
  const end = Date.now() + ENDING_MS;
  while (findSurvivors(runId).length > 0 && Date.now() < end) await pause(POLL_MS);
  const survivors = findSurvivors(runId);
  for (const { pid, command } of survivors) {
    console.error(`Still running: ${pid} ${command}`);
    kill(pid);
  }
  return asCheck(survivors.length);
}

function summarise(results) {
  const row = (name, ...columns) =>
    console.log(name.padEnd(24) + columns.map((column) => String(column).padStart(9)).join(''));
  console.log('');
  row('step', 'passed', 'failed', 'skipped', 'seconds');
  for (const { name, passed, failed, skipped, seconds } of results)
    row(name, passed, failed, skipped, seconds.toFixed(1));
  if (failures.length > 0) console.log(`\nFailed:\n- ${failures.join('\n- ')}`);
  const { passed, failed, skipped } = sum(results);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failed === 0 ? 0 : 1;
}
