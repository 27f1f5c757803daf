import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

export const RUN_MARK = 'MEETMARK_TEST_RUN';
const PARENT_CHECK_MS = 500;

export function findSurvivors(runId) {
  const marked = process.platform === 'linux' ? fromProc(runId) : fromPs(runId);
  return marked.filter(({ pid }) => pid !== process.pid);
}

export function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * On a signal, kills the run's processes and removes `directory`. Does the same when npm ends, because npm
 * forwards no signals.
 */
export function endWithParent(runId, directory) {
  const parent = process.ppid;
  const endAll = () => {
    for (const { pid } of findSurvivors(runId)) kill(pid);
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
