import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 40;
/** Each pause lasts at least this fraction of the total time waited, which saves processor time. */
const POLL_PART = 0.04;

/**
 * Repeats `attempt` until it returns true.
 * @throws Error after `timeoutMs`, or as soon as `givenUp` returns a reason
 */
export async function until(
  what: string,
  timeoutMs: number,
  attempt: () => Promise<boolean>,
  givenUp: () => string | null = () => null,
): Promise<void> {
  const began = Date.now();
  const end = began + timeoutMs;
  let last: unknown;
  do {
    const reason = givenUp();
    if (reason !== null) throw new Error(`${what} ${reason}`, { cause: last });
    try {
      if (await attempt()) return;
    } catch (error) {
      last = error;
    }
    await pause(Math.max(POLL_MS, POLL_PART * (Date.now() - began)));
  } while (Date.now() < end);
  const detail = last instanceof Error ? `: ${last.message}` : '';
  throw new Error(`${what} was not ready within ${timeoutMs} ms${detail}`, { cause: last });
}
