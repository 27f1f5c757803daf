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
});
