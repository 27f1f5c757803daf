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
  try {
    const families = new Set(withChildren(pids));
    const kilobytes = [...families].reduce((sum, pid) => sum + proportional(pid), 0);
    return kilobytes / KILOBYTES;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function withChildren(pids: number[]): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const status = readStatus(name);
      return status === null
        ? []
        : [{ pid: Number(name), parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) }];
    });
  const childrenOf = (pid: number): number[] =>
    parents.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...childrenOf(child.pid)]);
  return pids.flatMap((pid) => [pid, ...childrenOf(pid)]);
}

/** Null for a process that has ended meanwhile. */
function readStatus(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return null;
  }
}

const proportional = (pid: number) =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
