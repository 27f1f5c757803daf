import { randomUUID } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Job, PayloadOf } from '@meetmark/contracts';
import { PlatformModule, Readiness } from '@meetmark/platform';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { statementsOf } from '@meetmark/platform/testing/statements';
import { testDatabase, testRedisUrl, type TestDatabase } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { Redis } from 'ioredis';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { EventsConfig } from '../events.config.js';
import { EventsServiceModule } from '../events-service.module.js';

const POOL = 10;

/** The events service without its transport, on a database and a Redis of its own. */
export interface TestEvents {
  config: EventsConfig;
  database: TestDatabase;
  get<T>(type: Type<T>): T;
  /** The owner's connections: they may look at and change everything. */
  owner: pg.Pool;
  redis: Redis;
  /** Removes every event and what hangs on it. */
  empty(): Promise<void>;
  /** Ids of so many new members. */
  members(count: number): Promise<string[]>;
  /** Payloads of a job's rows in the outbox that are not done, oldest first. */
  outbox<J extends Job>(job: J): Promise<PayloadOf<J>[]>;
  /** The statements that TypeORM sends while `work` runs, without BEGIN and COMMIT. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  /** A second process of the same service. */
  replica(): Promise<{ get<T>(type: Type<T>): T }>;
  close(): Promise<void>;
}

export function testEventsConfig(database: TestDatabase, redisUrl: string): EventsConfig {
  return Object.assign(new EventsConfig(), {
    nodeEnv: 'test',
    logLevel: 'silent',
    ...database.configFor('meetmark_events', POOL),
    redisUrl,
    ...TEST_KEYS,
    rpcPrefix: `test-${randomUUID()}`,
    communityConfig: new URL('../../../../config/community.json', import.meta.url).pathname,
    publicUrl: 'https://meetmark.example',
  });
}

export async function openEvents(): Promise<TestEvents> {
  const database = await testDatabase();
  const config = testEventsConfig(database, await testRedisUrl());
  const apps = [await open(config)];
  const owner = new pg.Pool({ connectionString: database.url, max: POOL });
  const redis = new Redis(config.redisUrl);
  return {
    config,
    database,
    get: (type) => apps[0]!.get(type),
    owner,
    redis,
    empty: async () => {
      await owner.query('TRUNCATE events.events, events.deleted_events, events.outbox CASCADE');
    },
    members: async (count) => {
      const ids: string[] = [];
      for (let made = 0; made < count; made += 1) ids.push((await insertUser(owner)).id);
      return ids;
    },
    outbox: async <J extends Job>(job: J) => {
      const { rows } = await owner.query<{ payload: PayloadOf<J> }>(
        'SELECT payload FROM events.outbox WHERE job = $1 AND done_at IS NULL ORDER BY created_at, id',
        [job.name],
      );
      return rows.map((row) => row.payload);
    },
    statements: (work) => statementsOf(apps[0]!.get(DataSource), work),
    replica: async () => {
      const app = await open(config);
      apps.push(app);
      return { get: (type) => app.get(type) };
    },
    close: async () => {
      for (const app of apps) await app.close();
      await owner.end();
      redis.disconnect();
      await database.drop();
    },
  };
}

/** One events service for all tests of a `describe`. */
export function eventsForTests(): TestEvents {
  const events = {} as TestEvents;
  beforeAll(async () => {
    Object.assign(events, await openEvents());
  });
  afterAll(() => events.close());
  return events;
}

function open(config: EventsConfig) {
  const platform = PlatformModule.forProcess(EventsConfig, config, new Readiness());
  const root = { module: class Events {}, imports: [platform, EventsServiceModule] };
  return NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
}

interface Refusal {
  code?: string;
  cause?: { code?: string; driverError?: { code?: string } };
}

const DEADLOCK = '40P01';

/** Asks again while the service says that it is busy, as a client may: a slow machine is not what is tested. A deadlock is. */
export async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { code = '', cause } = error as Refusal;
      const state = cause?.driverError?.code ?? cause?.code;
      if (!code.startsWith('SERVICE_') || state === DEADLOCK) throw error;
    }
  }
}
