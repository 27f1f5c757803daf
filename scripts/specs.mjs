// Behind the targets test, rehearsals, stories and faults (nx.json): the specs of those packages whose result Nx has not in its cache.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NX_ENVIRONMENT } from './bootstrap/build.mjs';
import { runStrictJest } from './bootstrap/run.mjs';

const REPORTER = fileURLToPath(new URL('jest/counts.mjs', import.meta.url));

/** A third of a test's time it waits for a server: a worker more than cores keeps all of them busy. */
const AT_ONCE = `--maxWorkers=${os.availableParallelism() + 1}`;

/**
 * Nx hands over all tasks at once. One Jest for them all keeps the workers busy to the end, starts the servers once and makes the template
 * of the databases once.
 */
export async function together({ tasks }, inputs, { __overrides_unparsed__: more = [] }, { root }) {
  const all = Object.values(tasks).map(({ id, target }) => ({
    ...{ id, target },
    project: inputs[id].project ?? nameOf(target.project),
  }));
  const countsOf = await jest(root, [
    '--selectProjects',
    ...all.map(({ project }) => project),
    AT_ONCE,
    ...more,
  ]);
  return Object.fromEntries(
    all.map(({ id, target, project }) => {
      const counts = write(root, target.project, target.target, countsOf(project));
      return [id, { success: counts.failed === 0, terminalOutput: `${sentence(counts)}\n` }];
    }),
  );
}

/**
 * The runs of a list one after the other, the lists at once, each run with as many workers as its arguments say: a story with its browser and
 * what that asks keeps little more than one core busy, so that two stories share two cores wherever neither is disturbed by the other.
 */
export async function inTurn(options, { root, projectName, targetName }) {
  const { project = nameOf(projectName), runs = [[{ projects: [project], args: ['--runInBand'] }]] } =
    options;
  const countsOfList = async (list) => {
    const all = [];
    for (const { projects, args } of list) {
      // Jest's own <rootDir> is that of each project
      const own = args.map((arg) => arg.replace('{root}', root));
      const countsOf = await jest(root, [...own, '--selectProjects', ...projects]);
      all.push(...projects.map(countsOf));
    }
    return all;
  };
  const all = (await Promise.all(runs.map(countsOfList))).flat();
  const of = (name) => all.reduce((total, each) => total + each[name], 0);
  const counts = { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
  console.log(sentence(write(root, projectName, targetName, counts)));
  return { success: counts.failed === 0 };
}

const nameOf = (project) => project.split('/').at(-1);
const sentence = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** The counts are an output of the target (nx.json), so that `npm test` can add up those of the cache. */
function write(root, project, target, counts) {
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
 * Runs Jest; resolves with the counts of each of its projects. What cannot be said to be of one of them fails each: that Jest ended before it
 * counted, that something keeps it alive.
 */
async function jest(root, args) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-counts-'));
  const file = path.join(folder, 'counts.json');
  let keptAlive = false;
  try {
    const exitCode = await runStrictJest(
      root,
      [...['--passWithNoTests', '--reporters=default', `--reporters=${REPORTER}`], ...args],
      { env: { ...environment(), MEETMARK_COUNTS: file }, onKeptAlive: () => (keptAlive = true) },
    );
    const counts = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    const isExplained =
      exitCode === 0 || (!keptAlive && Object.values(counts).some(({ failed }) => failed > 0));
    return (project) => {
      const { passed, failed, skipped } = counts[project] ?? { passed: 0, failed: 0, skipped: 0 };
      return { passed, failed: isExplained ? failed : failed || 1, skipped };
    };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
