import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { keepWebFiles } from '../stack/stack.js';

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

describe('build', () => {
  let root: string;
  const inRoot = (file: string) => path.join(root, file);
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(inRoot(file)), { recursive: true });
    fs.writeFileSync(inRoot(file), text);
  };
  const program = (set = 'all') => [
    '-e',
    `import(${JSON.stringify(BUILD)}).then(({ build }) => build(${JSON.stringify(root)}, '${set}'))`,
  ];
  const build = (set?: string) => void execFileSync(process.execPath, program(set), { stdio: 'pipe' });
  const runs = () => {
    const lines = fs.existsSync(inRoot('runs')) ? fs.readFileSync(inRoot('runs'), 'utf8') : '';
    fs.rmSync(inRoot('runs'), { force: true });
    return lines.split('\n').length - 1;
  };

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-build-'));
    write('node_modules/nx/dist/bin/nx.js', NX);
    write('web/src/page.ts', 'one');
    write('libs/i18n/src/locales.ts', '');
    write('docs/handbook/page.md', '');
    build();
    expect(runs()).toBe(1);
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  it('does not run Nx when nothing has changed', () => {
    build();
    expect(runs()).toBe(0);
  });

  it.each([
    ['a source', () => write('web/src/page.ts', 'two'), 1],
    ['a file that another package reads', () => write('docs/handbook/page.md', 'two'), 1],
    ['the lock file', () => write('package-lock.json', '{}'), 1],
    ['an output', () => write('web/dist/index.html', 'by hand'), 1],
    ['a removed output', () => fs.rmSync(inRoot('web/dist/index.html')), 1],
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
    expect(fs.readFileSync(inRoot('runs'), 'utf8')).toBe('i18n\n');
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
    fs.rmSync(inRoot('running'), { force: true });
    write('web/src/page.ts', 'two');
    build();
    expect(fs.readFileSync(inRoot('web/dist/index.html'), 'utf8')).toBe('built of two');
  });

  it('reports the error each time a build fails', () => {
    write('web/src/page.ts', 'wrong');
    expect(() => build()).toThrow(/it does not build[^]*The build failed \(see above\)/);
    expect(() => build()).toThrow('The build failed');
    expect(runs()).toBe(2);
  });
});

it('keepWebFiles keeps its copy during a build and replaces it at the next call', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-web-'));
  const build = (...names: string[]) => {
    fs.rmSync(path.join(root, 'web/dist'), { recursive: true, force: true });
    fs.mkdirSync(path.join(root, 'web/dist'), { recursive: true });
    for (const name of names) fs.writeFileSync(path.join(root, 'web/dist', name), '');
  };
  const keep = () => keepWebFiles({ root, directory: path.join(root, '.local') });
  build('index.html', 'old.js');
  const kept = keep();
  build('index.html', 'new.js');
  expect(fs.readdirSync(kept)).toEqual(['index.html', 'old.js']);
  expect(fs.readdirSync(keep())).toEqual(['index.html', 'new.js']);
  fs.rmSync(root, { recursive: true });
});
