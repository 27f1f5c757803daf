import { until } from '@meetmark/testing';
import type pg from 'pg';

const HELD_UP_WITHIN = 1_500;

export async function whileLocked(owner: pg.Pool, eventId: string, work: () => Promise<void>): Promise<void> {
  const lock = await owner.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('SELECT 1 FROM events.events WHERE id = $1 FOR UPDATE', [eventId]);
    await work();
  } finally {
    await lock.query('COMMIT');
    lock.release();
  }
}

export const someoneWaits = (owner: pg.Pool) =>
  until('a transaction that waits', HELD_UP_WITHIN, async () => {
    const { rowCount } = await owner.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    return rowCount !== 0;
  });
