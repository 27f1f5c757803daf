import { setTimeout as delay } from 'node:timers/promises';
import { reconnectDelay } from '@meetmark/platform/redis/connection';

/** Half a second or more apart: about twenty seconds in all, as long as a database takes to restart. */
const ATTEMPTS = 30;

/** Repeats `work` until it succeeds: for what follows a sent mail, whose failure would send the mail again. */
export async function retry(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await delay(reconnectDelay(attempt));
    }
  }
}
