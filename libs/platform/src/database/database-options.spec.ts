import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@meetmark/testing';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { databaseForTests } from '../testing/database-for-tests.js';
import { databaseOptions } from './database-options.js';

const SIZE = 3;
const IDLE = 50;

describe('the pool of an idle process', () => {
  const database = databaseForTests();

  it('closes all idle connections except one', async () => {
    const config = database.configFor('meetmark_admin', SIZE);
    const options = databaseOptions(config, { schema: 'admin', entities: [] });
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
