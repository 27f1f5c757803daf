import { identify, isRunning } from '@meetmark/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { directoryForEachTest } from '../testing/test-directory.js';
import { RunRecord } from './run-record.js';

describe('the record of a run', () => {
  const directory = directoryForEachTest();
  const children: ChildProcess[] = [];
  const notes: string[] = [];
  const idle = () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    children.push(child);
    const identity = identify(child.pid ?? 0);
    if (!identity) throw new Error('The process should be running');
    return identity;
  };
  const claim = () => RunRecord.claim(directory.at('run.json'), (message) => notes.push(message));
  const write = (record: object) => directory.write('run.json', JSON.stringify(record));
  const GONE = { pid: process.pid, startedAt: 'long ago' };

  beforeEach(() => {
    notes.length = 0;
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('refuses a second run and names the URL and pid of the first', async () => {
    (await claim()).ready('http://localhost:8080');
    await expect(claim()).rejects.toThrow(
      `already running from this folder at http://localhost:8080. Stop it with Ctrl-C there, or with: kill ${process.pid}`,
    );
  });

  it('stops processes that a killed run left behind', async () => {
    const orphan = idle();
    write({ supervisor: GONE, children: [{ name: 'auth', ...orphan }] });
    await claim();
    expect(isRunning(orphan)).toBe(false);
    expect(notes).toEqual([`Stopping auth (pid ${orphan.pid}), left over from a run that was killed`]);
  });

  it('stops all children, even two with the same name', async () => {
    const record = await claim();
    const both = [idle(), idle()];
    for (const { pid } of both) record.addChild('auth', pid);
    await record.stopChildren();
    expect(both.map(isRunning)).toEqual([false, false]);
  });

  it('does not stop an unrelated process that reuses the pid of a former child', async () => {
    const stranger = idle();
    write({ supervisor: GONE, children: [{ name: 'auth', pid: stranger.pid, startedAt: 'long ago' }] });
    await claim();
    expect(isRunning(stranger)).toBe(true);
  });

  it('allows a new run after the record is released', async () => {
    (await claim()).release();
    await expect(claim()).resolves.toBeInstanceOf(RunRecord);
  });
});
