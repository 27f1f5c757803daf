import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { until } from '@meetmark/testing';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { StoreConfig } from '../config/service.config.js';
import { Readiness } from '../operations/readiness.js';
import { databaseForTests } from '../testing/database-for-tests.js';
import { SilentProxy } from '../testing/silent-proxy.js';
import { mapDatabaseError } from './database-errors.js';
import { databaseOptions } from './database-options.js';
import { DatabaseModule } from './database.module.js';

@Module({})
class Given {
  static of(config: object, readiness: Readiness): DynamicModule {
    const providers = [
      { provide: StoreConfig, useValue: config },
      { provide: Readiness, useValue: readiness },
    ];
    return { module: Given, global: true, providers, exports: [StoreConfig, Readiness] };
  }
}

/** Message of PostgreSQL after the sign-in. */
const READY = Buffer.from([...Buffer.from('Z'), 0, 0, 0, 5, ...Buffer.from('I')]);

describe('the database module', () => {
  const SIZE = 4;
  const database = databaseForTests();

  const connections = async () => {
    const { rows } = await database.owner.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'meetmark-auth' AND datname = current_database()`,
    );
    return Number(rows[0]?.count);
  };
  const started = (
    config: object = database.configFor('meetmark_auth', SIZE),
    readiness = new Readiness(),
  ) => {
    const root: DynamicModule = {
      module: class Root {},
      imports: [Given.of(config, readiness), DatabaseModule.forOwner({ schema: 'auth', entities: [] })],
    };
    return NestFactory.createApplicationContext(root, { logger: false });
  };

  it.each([
    [1, 1],
    [3, 3],
    [SIZE + 1, SIZE],
  ])('opens connections at start: %d configured, %d open', async (ready, open) => {
    const app = await started({ ...database.configFor('meetmark_auth', SIZE), databasePoolReady: ready });
    expect(await connections()).toBe(open);
    await app.close();
  });

  it('closes all idle connections of the pool except one', async () => {
    const IDLE = 50;
    const options = databaseOptions(database.configFor('meetmark_auth', SIZE), {
      schema: 'auth',
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

  it('waits for a missing database role and reports that it waits', async () => {
    const role = `meetmark_late_${process.pid}`;
    const databaseUrl = Object.assign(new URL(database.url), { username: role, password: 'late' }).href;
    const readiness = new Readiness();
    const starting = started({ ...database.configFor('meetmark_auth', SIZE), databaseUrl }, readiness);
    await until('it says that it waits', 60_000, async () =>
      /Wait for the migration/.test((await readiness.report()).problems['postgres'] ?? ''),
    );
    await database.owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'late'`);
    try {
      const app = await starting;
      expect((await readiness.report()).problems).toEqual({});
      await app.close();
    } finally {
      await database.owner.query(`DROP ROLE ${role}`);
    }
  });

  it('recovers from a database connection that ends right after it opens', async () => {
    const proxy = await SilentProxy.before(database.urlFor('meetmark_auth'));
    const setting = `ALTER ROLE meetmark_auth IN DATABASE ${database.owner.escapeIdentifier(database.owner.database ?? '')}`;
    const app = await started({ ...database.configFor('meetmark_auth', 1), databaseUrl: proxy.url });
    const dataSource = app.get(DataSource);
    await database.owner.query(`${setting} SET idle_session_timeout = 1`);
    await database.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'meetmark-auth' AND datname = current_database()`,
    );
    const { master: pool } = dataSource.driver as unknown as { master: Pool };
    await until('the loss of the connection', 60_000, async () => pool.totalCount === 0);
    proxy.holdsBack = (data) => data.includes(READY);
    const refusal = await dataSource.query('SELECT 1').catch(mapDatabaseError);
    expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    proxy.holdsBack = () => false;
    await database.owner.query(`${setting} RESET idle_session_timeout`);
    await expect(dataSource.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await app.close();
    await proxy.close();
  });

  it('starts with fewer connections if the database limits them', async () => {
    const name = database.owner.escapeIdentifier(database.owner.database ?? '');
    await database.owner.query(`ALTER DATABASE ${name} CONNECTION LIMIT 3`);
    const app = await started({ ...database.configFor('meetmark_auth', SIZE), databasePoolReady: SIZE });
    expect(await connections()).toBe(2);
    await app.close();
  });
});
