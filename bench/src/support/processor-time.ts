import { readFileSync } from 'node:fs';
import { withChildren } from './memory.js';

/** Of Linux: what /proc counts in, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;
const MILLISECONDS = 1_000;
/** Fields of /proc/<pid>/stat behind the name: user time and system time. */
const USER = 11;
const SYSTEM = 12;

/** Milliseconds of processor time that the process and its children have had; null where the system has no /proc. */
export function processorTime(pid: number): number | null {
  try {
    return (
      withChildren([pid]).reduce((sum, each) => sum + ticksOf(each), 0) * (MILLISECONDS / TICKS_PER_SECOND)
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[USER]) + Number(fields[SYSTEM]);
}
