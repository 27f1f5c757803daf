import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { alone } from './alone.mjs';

const SERVICES = ['auth', 'events', 'admin', 'worker'].map((name) => `services/${name}`);
const LIBRARIES = ['i18n', 'contracts', 'platform', 'testing'].map((name) => `libs/${name}`);
const SERVERS = ['gateway', 'scripts', 'bench', ...SERVICES, ...LIBRARIES];

/**
 * Packages to build. Specs that run from source need only `texts`. In development, Vite serves the web
 * application, so `servers` is enough.
 */
const SETS = { all: [...SERVERS, 'web'], servers: SERVERS, texts: ['libs/i18n'] };

const SHARED = [
  'docs/handbook',
  'scripts/transpile.mjs',
  ...['.swcrc', 'nx.json', 'package-lock.json', 'rolldown.config.mjs', 'tsconfig.base.json'],
];

const NOT_SOURCES = /^(node_modules|dist|.+\.spec\.tsx?)$/;
const MAX_OUTPUT_BYTES = 64 << 20;

/**
 * Builds one of `SETS`. Doesn't run Nx if nothing has changed, because Nx takes seconds and rewrites files
 * that a running Meetmark uses. Throws if the build fails.
 */
export const build = (root, set = 'all') =>
  alone(root, async () => {
    if (isBuilt(root, set) || isBuilt(root, 'all')) return;
    // Calculated before the build, so that an edit during the build causes another build next time.
    const sources = digestSources(root, set);
    console.log('Building changed packages …');
    const names = SETS[set].map((folder) => path.basename(folder));
    try {
      await nx(root, 'run-many', '-t', 'build', '-p', names.join(), '--parallel', os.availableParallelism());
    } catch (error) {
      process.stderr.write(`${error.stdout}${error.stderr}`);
      throw new Error('The build failed (see above). Correct the errors and run the command again.', {
        cause: error,
      });
    }
    fs.writeFileSync(getStampPath(root, set), sources + digestOutputs(root, set));
  });

const getStampPath = (root, set) => path.join(root, `node_modules/.meetmark-built-${set}`);

function isBuilt(root, set) {
  const stamp = getStampPath(root, set);
  if (!fs.existsSync(stamp)) return false;
  return fs.readFileSync(stamp, 'utf8') === digestSources(root, set) + digestOutputs(root, set);
}

const digestSources = (root, set) =>
  digest(root, [...SETS[set], ...SHARED], (name) => !NOT_SOURCES.test(name));
const digestOutputs = (root, set) =>
  digest(
    root,
    SETS[set].map((folder) => `${folder}/dist`),
  );

export async function nx(root, ...args) {
  const program = path.join(root, 'node_modules/nx/dist/bin/nx.js');
  const env = { ...process.env, NX_LOAD_DOT_ENV_FILES: 'false' };
  const options = { cwd: root, env, maxBuffer: MAX_OUTPUT_BYTES };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], options);
  return stdout;
}

function digest(root, places, includes = () => true) {
  const hash = createHash('sha256');
  const add = (place) => {
    const stat = fs.statSync(path.join(root, place), { throwIfNoEntry: false });
    if (!stat?.isDirectory()) hash.update(`${place} ${stat?.size} ${stat?.mtimeMs}\n`);
    else
      for (const name of fs.readdirSync(path.join(root, place)).filter(includes).sort())
        add(`${place}/${name}`);
  };
  places.forEach(add);
  return hash.digest('hex');
}
