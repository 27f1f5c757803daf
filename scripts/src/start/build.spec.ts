import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { keepWebFiles } from '../stack/stack.js';

const BUILD = new URL('../../bootstrap/build.mjs', import.meta.url).href;
/** As Nx does without its daemon: removes the output, also where nothing has changed, and writes it anew. */
const NX = `
  const fs = require('node:fs');
  fs.appendFileSync('runs', '.');
  fs.writeFileSync('running', '', { flag: 'wx' });
  fs.rmSync('web/dist', { recursive: true, force: true });
  fs.mkdirSync('web/dist', { recursive: true });
  fs.writeFileSync('web/dist/index.html', 'built of ' + fs.readFileSync('web/src/page.ts'));
  setTimeout(() => fs.rmSync('running'), String(fs.readFileSync('web/src/page.ts')) === 'slow' ? 500 : 0);`;

describe('a build of a checkout that Meetmark runs from', () => {
  let root: string;
  const inRoot = (file: string) => path.join(root, file);
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(inRoot(file)), { recursive: true });
    fs.writeFileSync(inRoot(file), text);
  };
  const program = (exclude: string[]) => [
    '-e',
    `import(${JSON.stringify(BUILD)}).then(({ build }) => build(${JSON.stringify(root)}, ${JSON.stringify(exclude)}))`,
  ];
  const build = (exclude: string[] = []) => void execFileSync(process.execPath, program(exclude));
  /** Builds that begin at the same moment. */
  const builds = (...all: string[][]) =>
    Promise.all(all.map((exclude) => promisify(execFile)(process.execPath, program(exclude))));
  const runs = () => fs.readFileSync(inRoot('runs'), 'utf8').length;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-build-'));
    write('node_modules/nx/package.json', JSON.stringify({ bin: { nx: 'nx.cjs' } }));
    write('node_modules/nx/nx.cjs', NX);
    write('web/src/page.ts', 'one');
    build();
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  it('touches no file when nothing has changed', () => {
    const { ino } = fs.statSync(inRoot('web/dist/index.html'));
    build();
    expect(runs()).toBe(1);
    expect(fs.statSync(inRoot('web/dist/index.html')).ino).toBe(ino);
  });

  it.each([
    ['a source', () => write('web/src/page.ts', 'two')],
    ['a version of a package', () => write('package-lock.json', '{}')],
    ['an output', () => write('web/dist/index.html', 'by hand')],
    ['that an output is there', () => fs.rmSync(inRoot('web/dist/index.html'))],
  ])('is made again when this has changed: %s', (_, change) => {
    change();
    build();
    expect(runs()).toBe(2);
  });

  it('waits for another of the same checkout, and has nothing left to do where that built the same', async () => {
    write('web/src/page.ts', 'slow');
    const said = await builds([], []);
    expect(runs()).toBe(2);
    expect(said.filter(({ stdout }) => stdout.includes('Building what has changed'))).toHaveLength(1);
    write('package-lock.json', '{}');
    await builds(['e2e'], ['bench']); // more than one of them has something to do: Nx would say that another runs
    expect(runs()).toBe(4);
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

  it('leaves nothing of Nx in a process that lives on', () => {
    const loaded = 'process.report.getReport().sharedObjects.some((file) => file.includes("nx."))';
    const after = (name: string) =>
      execFileSync(process.execPath, [
        '-e',
        `import(${JSON.stringify(BUILD)}).then((all) => all.${name}(${JSON.stringify(root)}, [])).then(() => console.log(${loaded}))`,
      ]).toString();
    write('web/src/page.ts', 'two');
    expect(after('buildApart')).toContain('false');
    write('web/src/page.ts', 'three');
    expect(after('build')).toContain('true');
    expect(runs()).toBe(3);
  });

  it('is made again when more of it is asked for, and not when less is', () => {
    build(['e2e']);
    expect(runs()).toBe(1);
    write('web/src/page.ts', 'two');
    build(['e2e']);
    build();
    expect(runs()).toBe(3);
  });

  it('is not made again when a file is written anew as it was, as by a checkout there and back', () => {
    write('web/src/page.ts', 'one');
    build();
    build();
    expect(runs()).toBe(1);
  });

  it('is made again when a file of another time and the same size takes the place of one', () => {
    write('web/src/page.ts', 'two');
    fs.utimesSync(inRoot('web/src/page.ts'), 1, 1);
    build();
    expect(runs()).toBe(2);
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
});
