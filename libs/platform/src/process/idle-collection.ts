import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between checks. */
const EVERY = 5_000;
/** Maximum fraction of the time that the event loop of an idle process is busy. */
const IDLE = 0.05;

/**
 * Collects garbage once when the process is idle, because V8 collects only when code requests memory. This
 * reduces the memory of all `npm start` processes from 749 to 465 MB. Obsolete if Node does this itself.
 */
export function collectWhenIdle(every = EVERY): void {
  let before = performance.eventLoopUtilization();
  const look = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > IDLE) return;
    clearInterval(look);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('globalThis.gc') as ((options: object) => void) | undefined;
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, every).unref();
}
