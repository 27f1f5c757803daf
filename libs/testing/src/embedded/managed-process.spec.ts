import os from 'node:os';
import { ManagedProcess } from './managed-process.js';
import { until } from './wait.js';

describe('a managed process', () => {
  it('keeps running when its log cannot be written', async () => {
    const lines: string[] = [];
    const watched = new ManagedProcess({
      name: 'watched',
      program: process.execPath,
      args: ['-e', "setInterval(() => console.log('working'), 20)"],
      cwd: os.tmpdir(),
      env: {},
      logFile: os.tmpdir(), // Writing fails, because this is a directory.
      watchLine: (line) => lines.push(line),
      isReady: async () => lines.includes('working'),
      readyWithinMs: 20_000,
      stopSteps: [['SIGKILL', 5_000]],
    });
    await watched.start();
    const heard = lines.length;
    await until('more lines', 60_000, async () => lines.length > heard + 3);
    expect(lines.filter((line) => line !== 'working')).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^its log is not written: EISDIR/)),
    );
    await watched.stop();
  });
});
