import { reconnectDelay } from '@meetmark/platform/redis/connection';
import { setTimeout as delay } from 'node:timers/promises';

/** Half a second or more apart: some twenty seconds, as long as a database takes to be started again. */
const ATTEMPTS = 30;

/** Repeats `work` until it succeeds. For what follows a mail that is out: failing then would send the mail again. */
export async function insist(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await delay(reconnectDelay(attempt));
    }
  }
}
