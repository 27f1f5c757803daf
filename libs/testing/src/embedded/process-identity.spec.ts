import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { identify, isRunning, stopProcess } from './process-identity.js';

const idle = (program = 'setInterval(() => {}, 1000)') =>
  spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] });

describe('process control', () => {
  it('detects whether a process is still running', async () => {
    const child = idle();
    const identity = identify(child.pid ?? 0);
    expect(identity?.command).toContain('setInterval');
    expect(identity && isRunning(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(identity && isRunning(identity)).toBe(false);
  });

  it('does not mistake a process for an earlier one with the same pid', () => {
    expect(isRunning({ pid: process.pid, startedAt: 'another time' })).toBe(false);
  });

  it('sends the next signal when a process ignores the first', async () => {
    const child = idle("process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)");
    await once(child.stdout, 'data');
    const identity = identify(child.pid ?? 0);
    if (!identity) throw new Error('The process should be running');
    await stopProcess(identity, [
      ['SIGTERM', 200],
      ['SIGKILL', 5_000],
    ]);
    expect(isRunning(identity)).toBe(false);
  });
});
