import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { directoryForEachTest } from '../testing/test-directory.js';

const INSTALL = new URL('../../support/install.mjs', import.meta.url).href;
/** Fake npm. Records its calls and installs packages, with or without the test packages. */
const NPM = `
  const fs = require('node:fs');
  fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
  if (process.argv[2] === 'ci') fs.rmSync('node_modules', { recursive: true, force: true });
  fs.mkdirSync('node_modules/jest', { recursive: true });
  fs.writeFileSync('node_modules/.package-lock.json', '{}');
  fs.writeFileSync('node_modules/jest/package.json', '{}');
  if (process.argv.includes('--omit=dev')) fs.rmSync('node_modules/jest', { recursive: true });
  process.exitCode = fs.existsSync('broken') ? 1 : 0;`;
const REST = '--include=optional --no-audit --no-fund';

describe('installIfNeeded', () => {
  const directory = directoryForEachTest();
  const { at, has, read, write, remove } = directory;
  const run = (tests: boolean) => {
    const call = `import(${JSON.stringify(INSTALL)}).then(({ installIfNeeded }) => installIfNeeded(${JSON.stringify(directory.root)}, { tests: ${tests} }))`;
    const env = { ...process.env, npm_execpath: at('npm.cjs') };
    return spawnSync(process.execPath, ['-e', call], { env, encoding: 'utf8' });
  };
  const calls = (tests: boolean) => {
    remove('calls');
    expect(run(tests)).toMatchObject({ status: 0, stderr: '' });
    return has('calls') ? read('calls').trim() : '';
  };
  /** Simulates `git pull`: changes the lock file and makes it newer than the installation. */
  const pull = () => {
    write('package-lock.json', '{ "packages": {} }');
    const inAnHour = Date.now() / 1000 + 3600;
    fs.utimesSync(at('package-lock.json'), inAnHour, inAnHour);
  };

  beforeEach(() => {
    write('package-lock.json', '{}');
    write('npm.cjs', NPM);
  });

  it('installs packages only once for a start, without test packages', () => {
    expect(calls(false)).toBe(`ci --omit=dev ${REST}`);
    expect(calls(false)).toBe('');
  });

  it('adds test packages for a test run and keeps them at the next start', () => {
    calls(false);
    expect(calls(true)).toBe(`install --no-save --include=dev ${REST}`);
    expect([calls(true), calls(false)]).toEqual(['', '']);
  });

  it('keeps test packages installed after an update of the lock file', () => {
    expect(calls(true)).toBe(`ci --include=dev ${REST}`);
    pull();
    expect(calls(false)).toBe(`ci --include=dev ${REST}`);
    expect([calls(false), calls(true)]).toEqual(['', '']);
  });

  it('installs nothing after the user has run npm ci by hand', () => {
    execFileSync(process.execPath, ['npm.cjs', 'ci'], { cwd: directory.root });
    expect([calls(false), calls(true)]).toEqual(['', '']);
  });

  it('reports a failure of npm and installs again next time', () => {
    write('broken', '');
    const { status, stderr } = run(false);
    expect([status, stderr]).toEqual([1, expect.stringContaining('npm ci failed (see above).')]);
    remove('broken');
    remove('node_modules');
    expect(calls(false)).toBe(`ci --omit=dev ${REST}`);
  });
});
