import { setTimeout as pause } from 'node:timers/promises';
import { testDatabase, until, type TestDatabase } from '@meetmark/testing';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { databaseOptions } from './database-options.js';

const SIZE = 3;
/** Milliseconds. */
const IDLE = 50;

describe('the pool of a process that nobody asks anything', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pool: Pool;
  beforeAll(async () => {
    database = await testDatabase();
    const config = database.configFor('meetmark_admin', SIZE);
    const options = databaseOptions(config, { schema: 'admin', entities: [] });
    const extra = { ...(options.extra as object), idleTimeoutMillis: IDLE };
    dataSource = await new DataSource({ ...options, extra } as DataSourceOptions).initialize();
    pool = (dataSource.driver as unknown as { master: Pool }).master;
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('gives all connections back but one, which is there for whoever asks next', async () => {
    const all = await Promise.all(Array.from({ length: SIZE }, () => pool.connect()));
    expect(pool.totalCount).toBe(SIZE);
    for (const client of all) client.release();
    await until('the others are closed', 5_000, async () => pool.totalCount === 1);
    await pause(5 * IDLE);
    expect(pool.totalCount).toBe(1);
  });
});
