import { setTimeout as delay } from 'node:timers/promises';
import { reconnectDelay } from '@meetmark/platform/redis/connection';

/** About twenty seconds in total, as long as the database takes to restart. */
const ATTEMPTS = 30;

/** For work that records a sent email, because the email would be sent again if that failed. */
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
