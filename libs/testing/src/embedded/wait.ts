import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 40;

/**
 * Repeats `attempt` until it answers true. Rejects after `timeoutMs` with the last error, or at once when `givenUp` returns a reason.
 */
export async function until(
  what: string,
  timeoutMs: number,
  attempt: () => Promise<boolean>,
  givenUp: () => string | null = () => null,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  do {
    const reason = givenUp();
    if (reason !== null) throw new Error(`${what} ${reason}`, { cause: last });
    try {
      if (await attempt()) return;
    } catch (error) {
      last = error;
    }
    await pause(POLL_MS);
  } while (Date.now() < end);
  const detail = last instanceof Error ? `: ${last.message}` : '';
  throw new Error(`${what} was not ready within ${timeoutMs} ms${detail}`, { cause: last });
}
