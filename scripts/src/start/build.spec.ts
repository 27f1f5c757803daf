import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { keepWebFiles } from '../stack/stack.js';
import { directoryForEachTest } from '../testing/test-directory.js';

const BUILD = path.join(import.meta.dirname, '../../support/build.mjs');
/**
 * Fake Nx. Records the projects of each run, fails if another run is active, and builds the web application.
 */
const NX = `
  const fs = require('node:fs');
  const projects = process.argv[process.argv.indexOf('-p') + 1];
  fs.appendFileSync('runs', projects + '\\n');
  fs.writeFileSync('running', '', { flag: 'wx' });
  const page = fs.readFileSync('web/src/page.ts', 'utf8');
  if (page === 'edited meanwhile') fs.writeFileSync('web/src/page.ts', 'later');
  if (page === 'slow') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  fs.rmSync('web/dist', { recursive: true, force: true });
  fs.mkdirSync('web/dist');
  fs.writeFileSync('web/dist/index.html', 'built of ' + page);
  fs.rmSync('running');
  if (page === 'wrong') throw new Error('it does not build');`;

const directory = directoryForEachTest();
const { read, write, remove } = directory;

describe('build', () => {
  const program = (set = 'all') => [
    '-e',
    `import(${JSON.stringify(BUILD)}).then(({ build }) => build(${JSON.stringify(directory.root)}, '${set}'))`,
  ];
  const build = (set?: string) => void execFileSync(process.execPath, program(set), { stdio: 'pipe' });
  const runs = () => {
    const lines = directory.has('runs') ? read('runs') : '';
    remove('runs');
    return lines.split('\n').length - 1;
  };

  beforeEach(() => {
    write('node_modules/nx/dist/bin/nx.js', NX);
    write('web/src/page.ts', 'one');
    write('libs/i18n/src/locales.ts', '');
    write('docs/handbook/page.md', '');
    build();
    expect(runs()).toBe(1);
  });

  it('does not run Nx when nothing has changed', () => {
    build();
    expect(runs()).toBe(0);
  });

  it.each([
    ['a source', () => write('web/src/page.ts', 'two'), 1],
    ['a file that another package reads', () => write('docs/handbook/page.md', 'two'), 1],
    ['the lock file', () => write('package-lock.json', '{}'), 1],
    ['an output', () => write('web/dist/index.html', 'by hand'), 1],
    ['a removed output', () => remove('web/dist/index.html'), 1],
    [
      'a source during the build',
      () => {
        write('web/src/page.ts', 'edited meanwhile');
        build();
        runs();
      },
      1,
    ],
    ['a spec', () => write('web/src/page.spec.ts', 'two'), 0],
  ])('runs Nx only if needed after a change of %s', (_, change, expected) => {
    change();
    build();
    build();
    expect(runs()).toBe(expected);
  });

  it('runs Nx for specs that run from source only if the texts changed', () => {
    build('texts');
    expect(runs()).toBe(0);
    write('libs/i18n/src/locales.ts', 'two');
    build('texts');
    expect(read('runs')).toBe('i18n\n');
    runs();
    write('web/src/page.ts', 'two');
    build('texts');
    expect(runs()).toBe(0);
  });

  it('waits for a concurrent build of the same checkout and reuses its result', async () => {
    write('web/src/page.ts', 'slow');
    await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, program())));
    expect(runs()).toBe(1);
  });

  it('does not wait for a killed build', async () => {
    write('web/src/page.ts', 'slow');
    const killed = spawn(process.execPath, program(), { stdio: 'pipe', detached: true });
    await once(killed.stdout, 'data');
    process.kill(-killed.pid!, 'SIGKILL');
    await once(killed, 'exit');
    remove('running');
    write('web/src/page.ts', 'two');
    build();
    expect(read('web/dist/index.html')).toBe('built of two');
  });

  it('reports the error each time a build fails', () => {
    write('web/src/page.ts', 'wrong');
    expect(() => build()).toThrow(/it does not build[^]*The build failed \(see above\)/);
    expect(() => build()).toThrow('The build failed');
    expect(runs()).toBe(2);
  });
});

it('keepWebFiles keeps its copy during a build and replaces it at the next call', () => {
  const build = (...names: string[]) => {
    remove('web/dist');
    for (const name of names) write(`web/dist/${name}`, '');
  };
  const keep = () => keepWebFiles({ root: directory.root, directory: directory.at('.local') });
  build('index.html', 'old.js');
  const kept = keep();
  build('index.html', 'new.js');
  expect(fs.readdirSync(kept)).toEqual(['index.html', 'old.js']);
  expect(fs.readdirSync(keep())).toEqual(['index.html', 'new.js']);
});
