// Behind the targets test, stories and faults (nx.json): the specs of those packages whose result Nx has not in its cache.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NX_ENVIRONMENT } from './bootstrap/build.mjs';
import { runStrictJest } from './bootstrap/run.mjs';

/** A third of a test's time it waits for a server: a worker more than cores keeps all of them busy. */
const AT_ONCE = `--maxWorkers=${os.availableParallelism() + 1}`;

/**
 * Nx hands over all packages at once. One Jest for them all keeps the workers busy to the end, starts the servers once and makes the template
 * of the databases once.
 */
export async function together({ tasks }, inputs, { __overrides_unparsed__: more = [] }, context) {
  const all = Object.values(tasks);
  const packages = all.map(({ target }) => nameOf(target.project));
  const outcome = await jest(context.root, ['--selectProjects', ...packages, AT_ONCE, ...more]);
  return Object.fromEntries(
    all.map(({ id, target: { project, target } }) => {
      const counts = write(context, project, target, outcome.of(folderOf(context, project)));
      return [id, { success: counts.failed === 0, terminalOutput: `${sentence(counts)}\n` }];
    }),
  );
}

/** One package's runs, one after the other: a browser and what it asks keep two cores busy, and two of them take longer than both in turn. */
export async function inTurn({ runs = [] }, context) {
  const { root, projectName, targetName } = context;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const args of runs) {
    const outcome = (await jest(root, args)).of(folderOf(context, projectName));
    for (const name of Object.keys(counts)) counts[name] += outcome[name];
  }
  console.log(sentence(write(context, projectName, targetName, counts)));
  return { success: counts.failed === 0 };
}

const nameOf = (project) => project.split('/').at(-1);
const folderOf = ({ root, projectsConfigurations: { projects } }, project) =>
  path.join(root, projects[project].root, path.sep);
const sentence = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** The counts are an output of the target (nx.json), so that `npm test` can add up those of the cache. */
function write({ root }, project, target, counts) {
  const file = path.join(root, '.nx/specs', target, `${project}.json`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(counts));
  return counts;
}

/** What a spec would find without Nx: that says of itself in NX_… where it is, and asks for colours (`true`) whoever reads. */
function environment() {
  const own = ([name, value]) => !name.startsWith('NX_') && !(name === 'FORCE_COLOR' && value === 'true');
  return { ...Object.fromEntries(Object.entries(process.env).filter(own)), ...NX_ENVIRONMENT };
}

/**
 * Runs Jest; `of(folder)` counts the tests below that folder. A suite that could not even be loaded counts as one failure, and so does, for each
 * folder, what cannot be said to be of another one: that Jest ended without a report, that something keeps it alive.
 */
async function jest(root, args) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-report-'));
  const file = path.join(folder, 'report.json');
  let keptAlive = false;
  try {
    // The report goes to the file; what people read goes to standard error, and here to the terminal.
    const exitCode = await runStrictJest(
      root,
      ['--passWithNoTests', '--json', `--outputFile=${file}`, ...args],
      {
        env: environment(),
        onKeptAlive: () => (keptAlive = true),
      },
    );
    const suites = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).testResults : [];
    const explained = exitCode === 0 || (!keptAlive && suites.some(({ status }) => status === 'failed'));
    return {
      of: (below) =>
        countsOf(
          suites.filter(({ name }) => name.startsWith(below)),
          explained,
        ),
    };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function countsOf(suites, explained) {
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failures = tests.filter(({ status }) => status === 'failed').length;
  const unloaded = suites.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  const failed = failures + unloaded;
  return {
    passed,
    failed: failed === 0 && !explained ? 1 : failed,
    skipped: tests.length - passed - failures,
  };
}
