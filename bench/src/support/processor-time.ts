import { existsSync, readFileSync } from 'node:fs';
import { withChildren } from './memory.js';

/** Of Linux: what /proc counts in, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;
const MILLISECONDS = 1_000;
/** Fields of /proc/<pid>/stat behind the name: user and system time, its own and of its children that have ended. */
const FIELDS = { from: 11, to: 15 };

/** Milliseconds of processor time that the process and its children have had; null where the system has no /proc. */
export function processorTime(pid: number): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  return (
    withChildren([pid]).reduce((sum, each) => sum + ticksOf(each), 0) * (MILLISECONDS / TICKS_PER_SECOND)
  );
}

/** None of a child that has just ended: it counts among its parent's from then on. */
function ticksOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(FIELDS.from, FIELDS.to).reduce((sum, field) => sum + Number(field), 0);
}
