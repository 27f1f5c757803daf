import { readdirSync, readFileSync, existsSync } from 'node:fs';

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

const KILOBYTES = 1_024;

/**
 * Megabytes of the processes and all their children. Proportional: what several share, such as PostgreSQL's buffers, counts
 * once. Null where the system has no /proc.
 */
export function memoryOf(pids: number[]): number | null {
  if (!existsSync('/proc/self/smaps_rollup')) return null;
  const families = new Set(withChildren(pids));
  return [...families].reduce((sum, pid) => sum + proportional(pid), 0) / KILOBYTES;
}

/** The processes and all their children; these are not known where the system has no /proc. */
export function withChildren(pids: number[]): number[] {
  if (!existsSync('/proc/self/status')) return pids;
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      parent: Number(/^PPid:\s+(\d+)/m.exec(read(name, 'status'))?.[1]),
    }));
  const childrenOf = (pid: number): number[] =>
    parents.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...childrenOf(child.pid)]);
  return pids.flatMap((pid) => [pid, ...childrenOf(pid)]);
}

/** Nothing of a process that has ended meanwhile. */
function read(pid: number | string, file: 'status' | 'smaps_rollup'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const proportional = (pid: number) => Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0);
