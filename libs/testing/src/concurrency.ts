import type pg from 'pg';
import { until } from './embedded/wait.js';

export async function inTurns<T, R>(
  items: T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

export function tally(values: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Returns the outcome of each promise in order: 'ok' or the error code. */
export async function codes(work: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((each) =>
    each.status === 'fulfilled' ? 'ok' : ((each.reason as { code?: string }).code ?? String(each.reason)),
  );
}

export const outcomes = async (work: Promise<unknown>[]) => tally(await codes(work));

const PATIENCE = 10_000;

/**
 * Runs `change` in a transaction and starts `work`. Commits the transaction when `work` waits for a lock or
 * has ended.
 */
export async function beforeCommit<T>(
  owner: pg.Pool,
  change: [sql: string, values?: unknown[]],
  work: () => Promise<T>,
): Promise<T> {
  const client = await owner.connect();
  await client.query('BEGIN');
  await client.query(...change);
  const working = work();
  let ended = false;
  const end = () => (ended = true);
  working.then(end, end);
  await until('the work to wait or to end', PATIENCE, async () => ended || (await isWaiting(owner)));
  await client.query('COMMIT');
  client.release();
  return working;
}

const isWaiting = async (owner: pg.Pool): Promise<boolean> =>
  (
    await owner.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
  ).rowCount !== 0;
