import os from 'node:os';
import { ManagedProcess } from './managed-process.js';
import { until } from './wait.js';

describe('A process that we watch', () => {
  it('runs on without its log', async () => {
    const lines: string[] = [];
    const watched = new ManagedProcess({
      name: 'watched',
      program: process.execPath,
      args: ['-e', "setInterval(() => console.log('working'), 20)"],
      cwd: os.tmpdir(),
      env: {},
      logFile: os.tmpdir(), // a folder: no file of that name can be written
      watchLine: (line) => lines.push(line),
      isReady: async () => lines.includes('working'),
      readyWithinMs: 20_000,
      stopSteps: [['SIGKILL', 5_000]],
    });
    await watched.start();
    const heard = lines.length;
    await until('more lines', 20_000, async () => lines.length > heard + 3);
    expect(lines.filter((line) => line !== 'working')).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^its log is not written: EISDIR/)),
    );
    await watched.stop();
  });
});
