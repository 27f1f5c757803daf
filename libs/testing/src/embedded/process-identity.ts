import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { until } from './wait.js';

/** A process and its start time, because another process may get the same pid later. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
  command: string;
}

/** Returns the process with this pid, or null if there is none or it is a zombie. */
export function identify(pid: number): ProcessIdentity | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Whether this process is still running. A later process with the same pid doesn't count. */
export function isRunning(known: Pick<ProcessIdentity, 'pid' | 'startedAt'>): boolean {
  return identify(known.pid)?.startedAt === known.startedAt;
}

/**
 * Sends signals one after another until the process has ended. After each signal, waits the given
 * milliseconds.
 */
export async function stopProcess(
  known: ProcessIdentity,
  steps: [signal: NodeJS.Signals, ms: number][],
): Promise<void> {
  for (const [index, [signal, ms]] of steps.entries()) {
    if (!isRunning(known)) return;
    sendSignal(known.pid, signal);
    try {
      await until(`The end of process ${known.pid}`, ms, async () => !isRunning(known));
      return;
    } catch (error) {
      if (index === steps.length - 1) throw error;
    }
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

// Linux uses /proc, because slim images have no ps.
function fromProc(pid: number): ProcessIdentity | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command is in parentheses and may itself contain parentheses. The other fields follow the last
    // closing parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startedAt] = [fields[0], fields[19]];
    if (state === 'Z' || startedAt === undefined) return null;
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, startedAt, command };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function fromPs(pid: number): ProcessIdentity | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=,args=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C' },
    }).trim();
    const match = /^(\S+)\s+(\S+\s+\S+\s+\d+\s+\S+\s+\d+)\s+(.*)$/.exec(line);
    if (!match || match[1]?.startsWith('Z')) return null;
    return { pid, startedAt: match[2] ?? '', command: match[3] ?? '' };
  } catch {
    return null;
  }
}
