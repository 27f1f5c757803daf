import { setTimeout as pause } from 'node:timers/promises';
import { testDatabase, until, type TestDatabase } from '@meetmark/testing';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { databaseOptions } from './database-options.js';

const SIZE = 3;
/** Milliseconds. */
const IDLE = 50;

describe('the pool of a process that nobody asks anything', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    { ready: SIZE, kept: 1, what: 'all connections back but one, which is there for whoever asks next' },
    { ready: 0, kept: 0, what: 'the last one back, too, where it has to have none open' },
  ])('gives $what', async ({ ready, kept }) => {
    const config = {
      ...database.configFor('meetmark_admin', SIZE),
      databasePoolReady: ready,
      databasePoolIdle: IDLE,
    };
    const dataSource = await new DataSource(
      databaseOptions(config, { schema: 'admin', entities: [] }),
    ).initialize();
    const { master: pool } = dataSource.driver as unknown as { master: Pool };
    const all = await Promise.all(Array.from({ length: SIZE }, () => pool.connect()));
    expect(pool.totalCount).toBe(SIZE);
    for (const client of all) client.release();
    await until('the others are closed', 5_000, async () => pool.totalCount === kept);
    await pause(5 * IDLE);
    expect(pool.totalCount).toBe(kept);
    await dataSource.destroy();
  });
});
