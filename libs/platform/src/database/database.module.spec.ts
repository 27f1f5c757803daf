import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { testDatabase, until, type TestDatabase } from '@meetmark/testing';
import { Client } from 'pg';
import { StoreConfig } from '../config/service.config.js';
import { Readiness } from '../operations/readiness.js';
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

describe('a process that has started', () => {
  const SIZE = 4;
  let database: TestDatabase;
  let owner: Client;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new Client({ connectionString: database.url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  const connections = async () => {
    const { rows } = await owner.query<{ count: string }>(
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

  it('has all its connections: its first requests wait for none', async () => {
    const app = await started();
    expect(await connections()).toBe(SIZE);
    await app.close();
  });

  it('waits for its role, which the first migration of a database makes, and says so meanwhile', async () => {
    const role = `meetmark_late_${process.pid}`;
    const databaseUrl = Object.assign(new URL(database.url), { username: role, password: 'late' }).href;
    const readiness = new Readiness();
    const starting = started({ ...database.configFor('meetmark_auth', SIZE), databaseUrl }, readiness);
    await until('it says that it waits', 5_000, async () =>
      /the migration has not run/.test((await readiness.report()).problems['postgres'] ?? ''),
    );
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'late'`);
    try {
      const app = await starting;
      expect((await readiness.report()).problems).toEqual({});
      await app.close();
    } finally {
      await owner.query(`DROP ROLE ${role}`);
    }
  });

  it('has those that it could get, when the database gives no more', async () => {
    const name = owner.escapeIdentifier(owner.database ?? '');
    await owner.query(`ALTER DATABASE ${name} CONNECTION LIMIT 3`); // one of them is ours
    const app = await started();
    expect(await connections()).toBe(2);
    await app.close();
  });
});
