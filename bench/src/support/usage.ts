import { readdirSync, readFileSync, existsSync } from 'node:fs';

/** Ticks per second of the times in /proc on Linux, the same on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;
const MILLISECONDS = 1_000;
/**
 * Range of fields in /proc/<pid>/stat, counted after the name: user and system time of the process and of its
 * ended children.
 */
const FIELDS = { from: 11, to: 15 };

/** Returns milliseconds of processor time of the process and its children, or null without /proc. */
export function processorTime(pid: number): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  return (
    withChildren([pid]).reduce((sum, each) => sum + readTicks(each), 0) * (MILLISECONDS / TICKS_PER_SECOND)
  );
}

/** Returns 0 for a child that has just ended, because the time of its parent then includes it. */
function readTicks(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(FIELDS.from, FIELDS.to).reduce((sum, field) => sum + Number(field), 0);
}

const KILOBYTES = 1_024;

/**
 * Returns the megabytes of the processes and all descendants, counting shared memory once. Null without
 * /proc.
 */
export function measureMemory(pids: number[]): number | null {
  if (!existsSync('/proc/self/smaps_rollup')) return null;
  const families = new Set(withChildren(pids));
  return [...families].reduce((sum, pid) => sum + proportional(pid), 0) / KILOBYTES;
}

/** Returns the processes and all their descendants. Without /proc, returns only the processes. */
export function withChildren(pids: number[]): number[] {
  if (!existsSync('/proc/self/status')) return pids;
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      parent: Number(/^PPid:\s+(\d+)/m.exec(read(name, 'status'))?.[1]),
    }));
  const listChildren = (pid: number): number[] =>
    parents
      .filter(({ parent }) => parent === pid)
      .flatMap((child) => [child.pid, ...listChildren(child.pid)]);
  return pids.flatMap((pid) => [pid, ...listChildren(pid)]);
}

function read(pid: number | string, file: 'status' | 'smaps_rollup'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const proportional = (pid: number) => Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0);
