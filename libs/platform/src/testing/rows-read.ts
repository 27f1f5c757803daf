import type pg from 'pg';
import type { DataSource } from 'typeorm';

const COUNTED = `
  SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes) AS count`;

/**
 * Counts the rows and index entries that `work` reads. Nothing else may use the database at the same time.
 */
export async function rowsRead(dataSource: DataSource, work: () => Promise<unknown>): Promise<number> {
  const before = await counted(dataSource);
  await work();
  return (await counted(dataSource)) - before;
}

/**
 * Reads the statistics. Each connection publishes its own statistics first. Otherwise, PostgreSQL would delay
 * them by some seconds.
 */
async function counted(dataSource: DataSource): Promise<number> {
  const { master: pool } = dataSource.driver as unknown as { master: pg.Pool };
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    for (const client of clients) await client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await clients[0]!.query<{ count: string }>(COUNTED);
    return Number(rows[0]!.count);
  } finally {
    for (const client of clients) client.release();
  }
}
