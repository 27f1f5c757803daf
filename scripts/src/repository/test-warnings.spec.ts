import { jest } from '@jest/globals';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const { runStrictJest } = (await import(String(new URL('../../support/run.mjs', import.meta.url)))) as {
  runStrictJest: (root: string, args: string[]) => Promise<number>;
};

describe('runStrictJest', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'fake-jest-'));
  afterAll(() => fs.rmSync(root, { recursive: true }));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [1, 'A worker process has failed to exit gracefully'],
    [1, 'Jest did not exit 10 seconds after the test run'],
    [1, 'Never handled: Error: the connection is lost'],
    [0, 'PASS scripts/src/repository/test-warnings.spec.ts'],
  ])('resolves with %i if all tests pass but Jest prints %j', async (code, line) => {
    const bin = path.join(root, 'node_modules/jest/bin');
    fs.mkdirSync(bin, { recursive: true });
    fs.writeFileSync(path.join(bin, 'jest.js'), `console.error('A first line\\n${line}')`);
    // Otherwise, the run of this spec would print the warning, too, and fail.
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await runStrictJest(root, [])).toBe(code);
  });
});
