import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between checks. */
const EVERY = 5_000;
/** A process counts as idle if its event loop is busy for at most this fraction of the time. */
const IDLE = 0.05;

/**
 * Collects garbage once, as soon as the process is idle. V8 collects only when code requests memory, so an
 * idle process would keep its garbage. This reduces the memory of all `npm start` processes together from 749
 * to 465 MB. Remove it if Node does this itself.
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
