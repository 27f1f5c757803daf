import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-handles-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

/** What Jest says of one test, and how it ends. */
function run(test: string) {
  fs.writeFileSync(path.join(folder, 'one.spec.js'), `it('passes', () => { ${test} });`);
  const helper = (name: string) => path.join(root, 'scripts/jest', name);
  const config = {
    rootDir: folder,
    transform: {},
    testEnvironment: helper('node-environment.cjs'),
    globalTeardown: helper('global-teardown.mjs'),
  };
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/jest/bin/jest.js'),
      '--config',
      JSON.stringify(config),
      '--watchman=false',
    ],
    { cwd: root, env: { ...process.env, MEETMARK_CLOSING_MS: '300' }, encoding: 'utf8' },
  );
  return { status, said: stderr };
}

/** How `npm test` ends, and what is said, when a test keeps Jest alive for so many milliseconds. */
function strictly(ms: number) {
  fs.writeFileSync(path.join(folder, 'one.spec.js'), `it('passes', () => void setTimeout(() => 0, ${ms}));`);
  const config = { rootDir: folder, transform: {}, openHandlesTimeout: 500 };
  const args = JSON.stringify([root, ['--config', JSON.stringify(config), '--watchman=false']]);
  const program = `
    const { runStrictJest } = await import(${JSON.stringify(path.join(root, 'scripts/bootstrap/run.mjs'))});
    process.exitCode = await runStrictJest(...${args});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  return { status, said: stderr };
}

describe('What a test leaves open', () => {
  it('fails its file and is named, and does not keep Jest alive', () => {
    const { status, said } = run("require('net').createServer().listen(0)");
    expect(said).toContain('Left open by this file: 1 TCPServerWrap');
    expect(said).toMatch(/Jest cannot end, still open: .*TCPServerWrap/);
    expect(status).toBe(1);
  });

  it('may close a moment later', () => {
    expect(run('setTimeout(() => undefined, 100)').status).toBe(0);
  });

  it('fails the whole run where it keeps Jest alive, although Jest ends as if nothing was', () => {
    const { status, said } = strictly(2_000);
    expect(said).toContain('Jest did not exit 0.5 seconds after the test run has completed');
    expect([status, strictly(0).status]).toEqual([1, 0]);
  });
});
