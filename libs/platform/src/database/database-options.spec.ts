import { setTimeout as pause } from 'node:timers/promises';
import { testDatabase, until, type TestDatabase } from '@meetmark/testing';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { databaseOptions } from './database-options.js';

const SIZE = 3;
const IDLE = 50;

describe('the pool of an idle process', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('closes all idle connections except one', async () => {
    const options = databaseOptions(database.configFor('meetmark_admin', SIZE), {
      schema: 'admin',
      entities: [],
    });
    const extra: object = { ...(options.extra as object), idleTimeoutMillis: IDLE };
    const dataSource = await new DataSource({ ...options, extra } as DataSourceOptions).initialize();
    const { master: pool } = dataSource.driver as unknown as { master: Pool };
    const all = await Promise.all(Array.from({ length: SIZE }, () => pool.connect()));
    expect(pool.totalCount).toBe(SIZE);
    for (const client of all) client.release();
    await until('the others are closed', 60_000, async () => pool.totalCount === 1);
    await pause(5 * IDLE);
    expect(pool.totalCount).toBe(1);
    await dataSource.destroy();
  });
});
