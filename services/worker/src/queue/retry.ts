import { setTimeout as delay } from 'node:timers/promises';
import { reconnectDelay } from '@meetmark/platform/redis/connection';

/** Enough for about 20 seconds, the time that the database needs to restart. */
const ATTEMPTS = 30;

/**
 * Retries `work`, for example to record that an email was sent. Without the record, it would be sent again.
 */
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
