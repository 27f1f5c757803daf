import { readdirSync, readFileSync } from 'node:fs';

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

export function withChildren(pids: number[]): number[] {
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
