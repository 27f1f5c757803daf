import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { keepWebFiles } from '../stack/stack.js';

const BUILD = new URL('../../bootstrap/build.mjs', import.meta.url).href;
/**
 * The build of any package: as Nx does without its daemon, it removes the output, also where nothing has changed, and writes it anew. What needs
 * contracts is built of what that has built.
 */
const MAKE = `
  const fs = require('node:fs');
  process.chdir(__dirname);
  for (const folder of process.argv.slice(2)) {
    fs.appendFileSync('runs', folder.split('/').at(-1) + ' ');
    fs.writeFileSync(folder + '/running', '', { flag: 'wx' });
    fs.rmSync(folder + '/dist', { recursive: true, force: true });
    fs.mkdirSync(folder + '/dist', { recursive: true });
    const page = String(fs.readFileSync(folder + '/src/page.ts'));
    if (folder !== 'libs/contracts') fs.readFileSync('libs/contracts/dist/index.html');
    fs.writeFileSync(folder + '/dist/index.html', 'built of ' + page);
    if (page === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    fs.rmSync(folder + '/running', { force: true });
    if (page === 'wrong') throw new Error('it does not build');
  }`;
const FOLDERS = { contracts: 'libs/contracts', auth: 'services/auth', web: 'web', bench: 'bench' };
const NX = `
  const [names] = process.argv.flatMap((each) => /^--projects=(.+)/.exec(each)?.[1] ?? []);
  const folders = ${JSON.stringify(FOLDERS)};
  const wanted = names.replaceAll('@meetmark/', '').split(',');
  process.argv.splice(2, Infinity, ...Object.keys(folders).filter((each) => wanted.includes(each)).map((each) => folders[each]));
  require('../../make.cjs');`;
type By = 'byNx' | 'byScripts';

describe.each<By>(['byNx', 'byScripts'])('a build of a checkout that Meetmark runs from, %s', (usual) => {
  let root: string;
  const inRoot = (file: string) => path.join(root, file);
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(inRoot(file)), { recursive: true });
    fs.writeFileSync(inRoot(file), text);
  };
  const program = (exclude: string[], by = usual) => [
    '-e',
    `import(${JSON.stringify(BUILD)}).then(({ build, byScripts }) =>
      build(${JSON.stringify(root)}, ${JSON.stringify(exclude)}${by === 'byScripts' ? ', byScripts' : ''}))`,
  ];
  const build = (exclude: string[] = [], by = usual) =>
    void execFileSync(process.execPath, program(exclude, by), { stdio: 'pipe' });
  /** Builds that begin at the same moment. */
  const builds = (...all: string[][]) =>
    Promise.all(all.map((exclude) => promisify(execFile)(process.execPath, program(exclude))));
  /** What was built since this was last asked. */
  const runs = () => {
    const built = fs.existsSync(inRoot('runs')) ? fs.readFileSync(inRoot('runs'), 'utf8') : '';
    fs.rmSync(inRoot('runs'), { force: true });
    return built.trim().split(' ').filter(Boolean);
  };

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-build-'));
    write('node_modules/nx/package.json', JSON.stringify({ bin: { nx: 'nx.cjs' } }));
    write('node_modules/nx/nx.cjs', NX);
    write('make.cjs', MAKE);
    write('package.json', JSON.stringify({ workspaces: ['bench', 'web', 'services/*', 'libs/*'] }));
    write('nx.json', JSON.stringify({ namedInputs: { sources: ['{workspaceRoot}/package-lock.json'] } }));
    for (const [name, folder] of Object.entries(FOLDERS)) {
      const manifest = {
        name: `@meetmark/${name}`,
        scripts: { build: `node ${folder.includes('/') ? '../../' : '../'}make.cjs ${folder}` },
        dependencies: name === 'contracts' ? {} : { '@meetmark/contracts': '1.0.0' },
        nx: { targets: { build: { inputs: name === 'web' ? ['{workspaceRoot}/docs/**/*'] : undefined } } },
      };
      write(`${folder}/package.json`, JSON.stringify(manifest));
      write(`${folder}/src/page.ts`, 'one');
    }
    build();
    expect(runs().sort()).toEqual(['auth', 'bench', 'contracts', 'web']);
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  it('touches no file when nothing has changed', () => {
    const { ino } = fs.statSync(inRoot('web/dist/index.html'));
    build();
    expect(runs()).toEqual([]);
    expect(fs.statSync(inRoot('web/dist/index.html')).ino).toBe(ino);
  });

  it.each([
    ['a source', () => write('web/src/page.ts', 'two'), ['web']],
    ['what it is made of elsewhere', () => write('docs/page.md', 'two'), ['web']],
    ['a source of what it needs', () => write('libs/contracts/src/page.ts', 'two'), 'all'],
    ['a version of a package', () => write('package-lock.json', '{}'), 'all'],
    ['an output', () => write('web/dist/index.html', 'by hand'), ['web']],
    ['that an output is there', () => fs.rmSync(inRoot('web/dist/index.html')), ['web']],
    ['a spec', () => write('web/src/page.spec.ts', 'two'), []],
  ] as [string, () => void, string[] | 'all'][])(
    'makes again what something has changed for: %s',
    (_, change, made) => {
      change();
      build();
      expect(runs().sort()).toEqual(made === 'all' ? ['auth', 'bench', 'contracts', 'web'] : made);
      build();
      expect(runs()).toEqual([]);
    },
  );

  it('waits for another of the same checkout, and has nothing left to do where that built the same', async () => {
    write('web/src/page.ts', 'slow');
    const said = await builds([], [], []);
    expect(runs()).toEqual(['web']);
    expect(said.filter(({ stdout }) => stdout.includes('Building what has changed'))).toHaveLength(1);
    write('package-lock.json', '{}');
    await builds(['auth'], ['bench']); // more than one of them has something to do
    expect(runs().sort()).toEqual(['auth', 'bench', 'contracts', 'web']);
  });

  it('does not wait for one that was killed', async () => {
    write('web/src/page.ts', 'slow');
    const killed = spawn(process.execPath, program([]), { stdio: 'pipe' });
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    fs.rmSync(inRoot('running'), { force: true });
    write('web/src/page.ts', 'two');
    await expect(builds([])).resolves.toHaveLength(1);
  });

  it('says that something does not build, each time, and builds nothing of it', () => {
    write('libs/contracts/src/page.ts', 'wrong');
    expect(() => build()).toThrow(/it does not build[^]*The build failed \(see above\)/);
    expect(() => build()).toThrow('The build failed');
    expect(runs()).toEqual(['contracts', 'contracts']);
    write('libs/contracts/src/page.ts', 'one');
    build();
    expect(runs()).toContain('contracts');
  });

  it('is made again when more of it is asked for, and not when less is', () => {
    write('web/src/page.ts', 'two');
    build(['web']);
    expect(runs()).toEqual([]);
    build();
    expect(runs()).toEqual(['web']);
  });

  it('is not made again when a file is written anew as it was, as by a checkout there and back', () => {
    write('web/src/page.ts', 'one');
    build();
    build();
    expect(runs()).toEqual([]);
  });

  it('is made again when a file of another time and the same size takes the place of one', () => {
    write('web/src/page.ts', 'two');
    fs.utimesSync(inRoot('web/src/page.ts'), 1, 1);
    build();
    expect(runs()).toEqual(['web']);
  });

  it('changes no page of the one that runs', () => {
    const kept = keepWebFiles({ root, directory: inRoot('.local') });
    write('web/src/page.ts', 'two');
    build();
    fs.rmSync(inRoot('web/dist'), { recursive: true });
    expect(fs.readFileSync(path.join(kept, 'index.html'), 'utf8')).toBe('built of one');
  });

  it('is what the next start serves, without a file of the one before', () => {
    write('web/dist/old.html', 'old');
    keepWebFiles({ root, directory: inRoot('.local') });
    write('web/src/page.ts', 'two');
    build();
    const kept = keepWebFiles({ root, directory: inRoot('.local') });
    expect(fs.readdirSync(kept)).toEqual(['index.html']);
    expect(fs.readFileSync(path.join(kept, 'index.html'), 'utf8')).toBe('built of two');
  });

  it('is made without Nx by a start, which has none', () => {
    const scripts = path.join(import.meta.dirname, '../..');
    for (const each of ['start.mjs', 'bootstrap'])
      fs.cpSync(path.join(scripts, each), inRoot(`scripts/${each}`), { recursive: true });
    for (const each of ['package-lock.json', 'node_modules/.package-lock.json']) write(each, '{}');
    write('node_modules/nx/nx.cjs', 'throw new Error("A start has no Nx")');
    write('scripts/dist/start/process/main.js', 'exports.start = () => console.log("It starts.");');
    write('web/src/page.ts', 'two');
    const said = execFileSync(process.execPath, ['scripts/start.mjs'], { cwd: root, stdio: 'pipe' });
    expect(String(said)).toContain('It starts.');
    expect(runs().sort()).toEqual(['auth', 'contracts', 'web']); // package-lock.json was not there
  });

  it('counts, and that of the tests does, for the other way of building', () => {
    write('web/src/page.ts', 'two');
    build([], usual);
    build([], usual === 'byNx' ? 'byScripts' : 'byNx');
    expect(runs()).toEqual(['web']);
    write('libs/contracts/src/page.ts', 'two');
    const whole = `import(${JSON.stringify(BUILD)}).then(({ buildAll }) => buildAll(${JSON.stringify(root)}))`;
    execFileSync(process.execPath, ['-e', whole]);
    expect(runs()).toHaveLength(4);
    build();
    expect(runs()).toEqual([]);
  });
});
