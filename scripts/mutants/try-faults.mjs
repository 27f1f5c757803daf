import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runJest } from '../bootstrap/run.mjs';
import { endWithParent, kill, RUN_MARK, survivorsOf } from '../bootstrap/survivors.mjs';
import { FAULTS } from './faults.mjs';

/** Each with a PostgreSQL and a Redis of its own while a test of it runs. */
const MOST_COPIES = 4;
/** Milliseconds for all tests together, and for those of one fault: longer than any test waits. */
const DEADLINES = { all: 600_000, one: 240_000 };
const KEPT_CHARACTERS = 2_000;
const SHOWN_LINES = 6;

/** @typedef {import('./faults.mjs').Fault} Fault */
/** @typedef {{ outcome: 'caught' | 'NOT caught' | 'test not found' | 'error', said: string }} Verdict */

/** Prints what became of each fault and resolves with the exit code: 0 when every one is caught. */
export async function tryFaults(root, args) {
  const words = args.filter((arg) => arg !== '--why').map((word) => word.toLowerCase());
  const chosen = FAULTS.filter((fault) => isChosen(fault, words));
  if (chosen.length === 0)
    throw new Error('No fault has one of these words in its name, its file or its test.');
  refuseChanges(root, chosen);

  const began = performance.now();
  const runId = randomUUID();
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-mutants-')));
  // The account that PostgreSQL runs as under root has to enter it.
  fs.chmodSync(directory, 0o755);
  endWithParent(runId, directory);
  try {
    const count = Math.min(os.availableParallelism(), MOST_COPIES, chosen.length);
    const copies = makeCopies(root, count, directory, runId);
    refuseMoved(copies[0].folder, chosen);
    const verdicts = await judge(copies, chosen, args.includes('--why'));
    return summarise(chosen, verdicts, Math.round((performance.now() - began) / 1000));
  } finally {
    endAll(runId);
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

const isChosen = ({ what, file, spec, test }, words) => {
  const text = [what, file, spec, test].join('\n').toLowerCase();
  return words.length === 0 || words.some((word) => text.includes(word));
};

/** What is tried is the last commit: a change beside it would be neither in the copy nor in what is said of it. */
function refuseChanges(root, faults) {
  const files = [...new Set(faults.flatMap(({ file, spec }) => [file, spec]))];
  const changed = execFileSync('git', ['status', '--porcelain', '--', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  if (changed !== '')
    throw new Error(`The last commit is what is tried. Commit first, or take back:\n${changed.trimEnd()}`);
}

/** A fault whose place has moved would change nothing, or something else. */
export function refuseMoved(folder, faults) {
  const moved = faults.filter(({ file, from, to }) => {
    const whole = path.join(folder, file);
    const times = fs.existsSync(whole) ? fs.readFileSync(whole, 'utf8').split(from).length - 1 : 0;
    return times !== 1 || /\n/.test(from + to);
  });
  if (moved.length > 0)
    throw new Error(
      `What these faults change is not one place within a line any more; correct scripts/mutants/faults.mjs:\n${moved
        .map(({ what, file }) => `  ${file}: ${what}`)
        .join('\n')}`,
    );
}

/** Copies of the last commit. What is installed is linked, but for the packages of the workspace, which are the copy's own. */
export function makeCopies(root, count, directory, runId) {
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1 << 30 });
  return Array.from({ length: count }, (_, number) => {
    const folder = path.join(directory, String(number));
    const temporary = path.join(directory, `${number}-tmp`);
    for (const each of [folder, temporary]) fs.mkdirSync(each, { mode: 0o755 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    linkPackages(root, folder);
    // the texts are modules only once they are built
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: path.join(folder, 'libs/contracts') });
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
 * First every test without a fault, since one that fails anyway catches nothing; then fault by fault, each copy staying with a package as
 * long as it can, whose files Jest has compiled for it already.
 * @returns {Promise<Map<Fault, Verdict>>}
 */
async function judge(copies, faults, why) {
  console.log(`Running ${faults.length === 1 ? 'the test' : 'the tests'} without a fault …`);
  const sound = await runTests(copies[0], faults, ['--maxWorkers', String(copies.length)], DEADLINES.all);
  const verdicts = new Map();
  const tell = (fault, verdict, seconds) => {
    verdicts.set(fault, verdict);
    console.log(row(verdict.outcome, `${seconds.toFixed(1)} s`, packageOf(fault.file), fault.what));
    if (why || verdict.outcome === 'error') console.log(indented(verdict.said));
  };
  console.log(`\n${row('outcome', 'time', 'where', 'fault')}`);

  const waiting = faults.filter((fault) => {
    const verdict = withoutFault(sound, fault, copies[0].folder);
    if (verdict !== null) tell(fault, verdict, 0);
    return verdict === null;
  });
  const busy = new Map();
  const next = (copy) => {
    const [own, others] = [busy.get(copy), new Set(busy.values())];
    const choices = [(project) => project === own, (project) => !others.has(project), () => true];
    const at = choices
      .map((fits) => waiting.findIndex(({ spec }) => fits(projectOf(spec))))
      .find((index) => index >= 0);
    const [fault] = at === undefined ? [] : waiting.splice(at, 1);
    busy.set(copy, fault && projectOf(fault.spec));
    return fault;
  };
  await Promise.all(
    copies.map(async (copy) => {
      for (let fault = next(copy); fault !== undefined; fault = next(copy)) {
        const began = performance.now();
        const ran = await withFault(copy, fault, () => runTests(copy, [fault], [], DEADLINES.one));
        tell(fault, verdictOf(ran, fault, copy.folder), (performance.now() - began) / 1000);
      }
    }),
  );
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

const row = (outcome, time, where, what) =>
  `${outcome.padEnd(16)}${time.padStart(8)}  ${where.padEnd(17)}${what}`;

const packageOf = (file) => /^((services|libs)\/)?[^/]+/.exec(file)[0];

/** The name of the Jest project, which is that of its folder. */
const projectOf = (spec) => path.posix.basename(spec.split('/src/')[0]);

/** Jest's report of the tests that are named, null when there is none; and the end of what it said. */
export async function runTests({ folder, temporary, mark }, faults, args, deadline) {
  const outputFile = path.join(temporary, 'report.json');
  fs.rmSync(outputFile, { force: true });
  let said = '';
  const timer = setTimeout(() => endAll(mark), deadline);
  await runJest(
    folder,
    [
      ...['--json', '--outputFile', outputFile, '--cacheDirectory', path.join(temporary, 'cache')],
      ...['--watchman=false', ...args, '--testNamePattern', faults.map(({ test }) => `(${test})`).join('|')],
      ...['--selectProjects', ...new Set(faults.map(({ spec }) => projectOf(spec)))],
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
  for (const { pid } of survivorsOf(mark)) kill(pid);
}

/** The tests of a fault that ran, or why there are none. */
function testsOf({ report, said }, { spec, test }, folder) {
  const suite = report?.testResults.find(({ name }) => path.relative(folder, name) === spec);
  if (suite === undefined || suite.assertionResults.length === 0)
    return { tests: [], problem: { outcome: 'error', said: suite?.message || said } };
  const named = new RegExp(test, 'i');
  const tests = suite.assertionResults.filter(
    ({ fullName, status }) => named.test(fullName) && ['passed', 'failed'].includes(status),
  );
  const problem = { outcome: 'test not found', said: `No test of ${spec} is called ${test}.` };
  return { tests, problem: tests.length === 0 ? problem : null };
}

const failureOf = (tests) =>
  tests
    .filter(({ status }) => status === 'failed')
    .flatMap(({ fullName, failureMessages }) => [fullName, ...failureMessages])
    .join('\n');

/** Null where the fault can be tried: its test is there and passes. */
export function withoutFault(ran, fault, folder) {
  const { tests, problem } = testsOf(ran, fault, folder);
  if (problem !== null) return problem;
  const said = failureOf(tests);
  return said === '' ? null : { outcome: 'error', said: `It fails without the fault:\n${said}` };
}

/** Of a migration that PostgreSQL refuses: no test has met the fault itself. */
const NO_SERVERS = 'The test servers did not start';

/**
 * What the run with the fault shows. A spec that could not be loaded, and servers that did not start, are no catch.
 * @returns {Verdict}
 */
export function verdictOf(ran, fault, folder) {
  const { tests, problem } = testsOf(ran, fault, folder);
  if (problem !== null) return problem;
  const said = failureOf(tests);
  if (said === '') return { outcome: 'NOT caught', said: `${fault.spec} passes: ${fault.test}` };
  return { outcome: said.includes(NO_SERVERS) ? 'error' : 'caught', said };
}

/** Without the stack. */
function indented(said) {
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return lines
    .slice(0, SHOWN_LINES)
    .map((line) => `    ${line}`)
    .join('\n');
}

function summarise(faults, verdicts, seconds) {
  const missed = faults.filter((fault) => verdicts.get(fault).outcome !== 'caught');
  for (const fault of missed)
    console.log(
      `\n${verdicts.get(fault).outcome}: ${fault.what}\n  ${fault.file}\n  ${fault.spec} -t '${fault.test}'`,
    );
  const minutes = `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  console.log(`\n${faults.length - missed.length} of ${faults.length} faults caught, ${minutes}`);
  return missed.length === 0 ? 0 : 1;
}
