import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

function npmTest(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.mjs', ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

describe('npm test -- <words>', () => {
  it('runs the specs whose path holds each of the words', () => {
    const { status, said } = npmTest('contracts', 'csv');
    expect(said).toMatch(/PASS.*libs\/contracts\/src\/csv\.spec\.ts/);
    expect(said).toContain('Test Suites: 1 passed, 1 total');
    expect(status).toBe(0);
  });

  it('hands what begins with a dash to Jest', () => {
    const { status, said } = npmTest('contracts', 'csv', '-t', 'is no name of a test');
    expect(said).toMatch(/Tests: +\d+ skipped, \d+ total/);
    expect(status).toBe(0);
  });

  it('says so where no path holds them', () => {
    expect(npmTest('contracts', 'no-such-words')).toEqual({
      status: 1,
      said: 'No spec has contracts and no-such-words in its path.\n',
    });
  });
});
