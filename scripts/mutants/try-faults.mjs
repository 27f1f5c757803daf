import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runJest } from '../support/run.mjs';
import { endWithParent, kill, RUN_MARK, findSurvivors } from '../support/survivors.mjs';
import { FAULTS } from './faults.mjs';

/** Maximum number of copies. During a test, each copy runs PostgreSQL and Redis. */
const MOST_COPIES = 4;
/**
 * Timeouts in milliseconds: `all` for the tests of all faults together, `one` for the tests of a single
 * fault.
 */
const DEADLINES = { all: 600_000, one: 240_000 };
const KEPT_CHARACTERS = 2_000;
const SHOWN_LINES = 6;

/** @typedef {import('./faults.mjs').Fault} Fault */
/** @typedef {{ outcome: 'caught' | 'NOT caught' | 'test not found' | 'error', said: string }} Verdict */

export async function tryFaults(root, args) {
  const words = args.filter((arg) => arg !== '--why').map((word) => word.toLowerCase());
  const chosen = FAULTS.filter((fault) => isChosen(fault, words));
  if (chosen.length === 0) throw new Error('No fault has one of these words in its name, file or test.');
  refuseChanges(root, chosen);

  const runId = randomUUID();
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-mutants-')));
  fs.chmodSync(directory, 0o755);
  endWithParent(runId, directory);
  try {
    const count = Math.min(os.availableParallelism(), MOST_COPIES, chosen.length);
    const copies = makeCopies(root, count, directory, runId);
    refuseMoved(copies[0].folder, chosen);
    const verdicts = await judge(copies, chosen, args.includes('--why'));
    return summarise(chosen, verdicts);
  } finally {
    endAll(runId);
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

const isChosen = ({ what, file, spec, test }, words) => {
  const text = [what, file, spec, test].join('\n').toLowerCase();
  return words.length === 0 || words.some((word) => text.includes(word));
};

function refuseChanges(root, faults) {
  const files = [...new Set(faults.flatMap(({ file, spec }) => [file, spec]))];
  const changed = execFileSync('git', ['status', '--porcelain', '--', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  if (changed !== '')
    throw new Error(
      `Faults are tried on the last commit. Commit or revert these changes first:\n${changed.trimEnd()}`,
    );
}

/** @throws Error if the code that a fault replaces doesn't occur exactly once in the fault's file */
export function refuseMoved(folder, faults) {
  const moved = faults.filter(({ file, from, to }) => {
    const whole = path.join(folder, file);
    const times = fs.existsSync(whole) ? fs.readFileSync(whole, 'utf8').split(from).length - 1 : 0;
    return times !== 1 || /\n/.test(from + to);
  });
  if (moved.length > 0)
    throw new Error(
      `These faults no longer match exactly one place within a line. Correct scripts/mutants/faults.txt:\n${moved
        .map(({ what, file }) => `  ${file}: ${what}`)
        .join('\n')}`,
    );
}

/**
 * Makes copies of the last commit. They share the installed packages, but each copy uses its own workspaces.
 */
function makeCopies(root, count, directory, runId) {
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1 << 30 });
  return Array.from({ length: count }, (_, number) => {
    const folder = path.join(directory, String(number));
    const temporary = path.join(directory, `${number}-tmp`);
    for (const each of [folder, temporary]) fs.mkdirSync(each, { mode: 0o755 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    linkPackages(root, folder);
    // Tests run from source but need the texts as built modules.
    for (const program of ['scripts/transpile.mjs', 'libs/i18n/dist/make-texts.js'])
      execFileSync(process.execPath, [path.join(folder, program)], {
        cwd: path.join(folder, 'libs/i18n'),
      });
    return { folder, temporary, mark: `${runId}/${number}` };
  });
}

function linkPackages(root, folder) {
  const [installed, linked] = [root, folder].map((each) => path.join(each, 'node_modules'));
  fs.mkdirSync(path.join(linked, '@meetmark'), { recursive: true });
  for (const name of fs.readdirSync(installed))
    if (name !== '@meetmark' && !name.startsWith('.'))
      fs.symlinkSync(path.join(installed, name), path.join(linked, name));
  for (const name of fs.readdirSync(path.join(installed, '@meetmark'))) {
    const workspace = path.relative(
      fs.realpathSync(root),
      fs.realpathSync(path.join(installed, '@meetmark', name)),
    );
    fs.symlinkSync(path.join(folder, workspace), path.join(linked, '@meetmark', name));
    const own = path.join(root, workspace, 'node_modules');
    if (fs.existsSync(own)) fs.symlinkSync(own, path.join(folder, workspace, 'node_modules'));
  }
}

/**
 * Runs all tests without a fault first, because a test that already fails proves nothing. Then tests each fault.
 * @returns {Promise<Map<Fault, Verdict>>}
 */
async function judge(copies, faults, why) {
  console.log('Running the tests without a fault …');
  const sound = await runTests(copies[0], faults, ['--maxWorkers', String(copies.length)], DEADLINES.all);
  const verdicts = new Map();
  const waiting = [...faults];
  const work = async (copy) => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const tested = () => runTests(copy, [fault], [], DEADLINES.one);
      const without = getResult(sound, fault, copies[0].folder);
      const verdict =
        without.outcome === 'passed'
          ? getResult(await withFault(copy, fault, tested), fault, copy.folder)
          : { outcome: 'error', said: `Without the fault: ${without.outcome}\n${without.said}` };
      verdict.outcome = { failed: 'caught', passed: 'NOT caught' }[verdict.outcome] ?? verdict.outcome;
      verdicts.set(fault, verdict);
      console.log(`${verdict.outcome.padEnd(16)}${fault.what}`);
      if (why || verdict.outcome === 'error') console.log(indented(verdict.said));
    }
  };
  await Promise.all(copies.map(work));
  return verdicts;
}

async function withFault({ folder }, { file, from, to }, work) {
  const whole = path.join(folder, file);
  const text = fs.readFileSync(whole, 'utf8');
  fs.writeFileSync(
    whole,
    text.replace(from, () => to),
  );
  try {
    return await work();
  } finally {
    fs.writeFileSync(whole, text);
  }
}

const getProject = (spec) => (spec.startsWith('web/') ? 'web' : spec.startsWith('e2e/') ? 'e2e' : 'server');

async function runTests({ folder, temporary, mark }, faults, args, deadline) {
  const outputFile = path.join(temporary, 'report.json');
  fs.rmSync(outputFile, { force: true });
  let said = '';
  const timer = setTimeout(() => endAll(mark), deadline);
  await runJest(
    folder,
    [
      ...['--json', '--outputFile', outputFile, '--cacheDirectory', path.join(temporary, 'cache')],
      ...['--watchman=false', ...args, '--testNamePattern', faults.map(({ test }) => `(${test})`).join('|')],
      ...['--selectProjects', ...new Set(faults.map(({ spec }) => getProject(spec)))],
      ...['--runTestsByPath', ...new Set(faults.map(({ spec }) => path.join(folder, spec)))],
    ],
    {
      env: { ...process.env, TMPDIR: temporary, [RUN_MARK]: mark, FORCE_COLOR: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
    ({ stderr }) => stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-KEPT_CHARACTERS))),
  );
  clearTimeout(timer);
  endAll(mark);
  const report = fs.existsSync(outputFile) ? JSON.parse(fs.readFileSync(outputFile, 'utf8')) : null;
  return { report, said };
}

function endAll(mark) {
  for (const { pid } of findSurvivors(mark)) kill(pid);
}

/**
 * Part of the failure message if the test servers didn't start, for example because a fault broke a
 * migration.
 */
const NO_SERVERS = 'The test servers did not start';

/**
 * Returns whether a fault's tests 'passed' or 'failed'. If they didn't run, returns 'error' or 'test not
 * found'.
 */
function getResult({ report, said }, { spec, test }, folder) {
  const suite = report?.testResults.find(({ name }) => path.relative(folder, name) === spec);
  if (suite === undefined || suite.assertionResults.length === 0)
    return { outcome: 'error', said: suite?.message || said };
  const named = new RegExp(test, 'i');
  // jest-light-runner leaves the describes out of `fullName`.
  const tests = suite.assertionResults
    .map((result) => ({ ...result, fullName: [...result.ancestorTitles, result.title].join(' ') }))
    .filter(({ fullName, status }) => named.test(fullName) && ['passed', 'failed'].includes(status));
  if (tests.length === 0) return { outcome: 'test not found', said: `No test of ${spec} is called ${test}.` };
  const failures = tests
    .filter(({ status }) => status === 'failed')
    .flatMap(({ fullName, failureMessages }) => [fullName, ...failureMessages])
    .join('\n');
  if (failures === '') return { outcome: 'passed', said: `${spec} passes: ${test}` };
  return { outcome: failures.includes(NO_SERVERS) ? 'error' : 'failed', said: failures };
}

function indented(said) {
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return lines
    .slice(0, SHOWN_LINES)
    .map((line) => `    ${line}`)
    .join('\n');
}

function summarise(faults, verdicts) {
  const missed = faults.filter((fault) => verdicts.get(fault).outcome !== 'caught');
  for (const { what, file, spec, test } of missed)
    console.log(`\nNot caught: ${what}\n  ${file}\n  ${spec} -t '${test}'`);
  console.log(`\n${faults.length - missed.length} of ${faults.length} faults caught`);
  return missed.length === 0 ? 0 : 1;
}
