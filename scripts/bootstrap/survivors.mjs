import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** Environment variable that every process of one test run inherits. */
export const RUN_MARK = 'MEETMARK_TEST_RUN';
const PARENT_CHECK_MS = 500;

/** Processes that carry the run's mark, other than ourselves: `{ pid, command }`. */
export function survivorsOf(runId) {
  const marked = process.platform === 'linux' ? fromProc(runId) : fromPs(runId);
  return marked.filter(({ pid }) => pid !== process.pid);
}

/** Ends it for good. One that has ended by itself in the meantime, as children of the others do, is no failure. */
export function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** A signal, or the end of npm, which passes none on, ends the whole run, and removes its directory. */
export function endWithParent(runId, directory) {
  const parent = process.ppid;
  const endAll = () => {
    for (const { pid } of survivorsOf(runId)) kill(pid);
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, endAll);
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && endAll(), PARENT_CHECK_MS).unref();
}

function fromProc(runId) {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      if (!fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${RUN_MARK}=${runId}`)) return [];
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(pid), command }];
    } catch {
      // Gone in the meantime, or another user's.
      return [];
    }
  });
}

function fromPs(runId) {
  const lines = execFileSync('ps', ['-axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  }).split('\n');
  return lines
    .filter((line) => line.includes(`${RUN_MARK}=${runId}`))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().slice(0, 120) }));
}
