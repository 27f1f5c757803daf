import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ErrorCode, Job, PayloadOf } from '@meetmark/contracts';
import { testDatabase, testRedis, type TestDatabase, type TestRedis } from '@meetmark/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import type { ServiceConfig } from '../config/service.config.js';
import { NestLogger } from '../log/logger.js';
import { Readiness } from '../operations/readiness.js';
import { PlatformModule, type RunningProcess } from '../process/run-process.js';
import { openService } from '../process/start-service.js';
import { RedisClock } from '../redis/clock.js';
import { AnswerModule } from '../rpc/server.js';
import { recordStatements } from './statements.js';
import { TEST_KEYS } from './test-keys.js';

export interface TestService<Config> {
  config: Config;
  database: TestDatabase;
  get<T>(type: Type<T>): T;
  owner: pg.Pool;
  /** Runs SQL as the owner of the database and returns its rows. */
  rows(sql: string, values?: unknown[]): Promise<pg.QueryResult['rows']>;
  redis: Redis;
  /** Returns the payloads of a job's open outbox rows, oldest first. */
  outbox<J extends Job>(job: J): Promise<PayloadOf<J>[]>;
  /** Returns the statements that the service sends while `work` runs, except BEGIN and COMMIT. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  replica(): Promise<{ get<T>(type: Type<T>): T }>;
  serve(): Promise<void>;
  close(): Promise<void>;
}

interface ServiceUnderTest<Config extends ServiceConfig> {
  name: 'auth' | 'events' | 'admin';
  module: Type;
  config: Type<Config>;
  pool: number;
  values: Partial<Config>;
}

/**
 * Returns the configuration of a service for a test's database and Redis, with the service's own role and
 * user.
 */
export function createConfig<Config extends ServiceConfig>(
  { name, config, pool, values }: Omit<ServiceUnderTest<Config>, 'module'>,
  database: TestDatabase,
  redis: TestRedis,
): Config {
  const common = { nodeEnv: 'test', logLevel: 'silent', redisUrl: redis.urlFor(name), ...TEST_KEYS };
  return Object.assign(new config(), common, database.configFor(`meetmark_${name}`, pool), values);
}

export async function openServiceContext<Config extends ServiceConfig>(
  service: ServiceUnderTest<Config>,
  given?: TestDatabase,
): Promise<TestService<Config>> {
  const database = given ?? (await testDatabase());
  const servers = await testRedis();
  const config = createConfig(service, database, servers);
  const redis = new Redis(servers.ownerUrl);
  const answers = new Redis(config.redisUrl);
  await Promise.all([redis.ping(), answers.ping()]);
  const open = () => {
    const platform = PlatformModule.forProcess(service.config, config, new Readiness());
    const root = {
      module: class Root {},
      imports: [platform, AnswerModule.over(answers, new RedisClock()), service.module],
    };
    return NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  };
  const app = await open();
  const apps: { close(): Promise<unknown> }[] = [app];
  const owner = new pg.Pool({ connectionString: database.url, max: 10 });
  return {
    config,
    database,
    get: (type) => app.get(type),
    owner,
    rows: async (sql, values) => (await owner.query(sql, values)).rows,
    redis,
    outbox: async <J extends Job>(job: J) => {
      const { rows } = await owner.query<{ payload: PayloadOf<J> }>(
        `SELECT payload FROM ${service.name}.outbox WHERE job = $1 AND done_at IS NULL ORDER BY created_at, id`,
        [job.name],
      );
      return rows.map((row) => row.payload);
    },
    statements: (work) => recordStatements(app.get(DataSource), work),
    replica: async () => {
      const another = await open();
      apps.push(another);
      return { get: (type) => another.get(type) };
    },
    serve: async () => {
      const running = await serve(service, config);
      apps.unshift({ close: () => running.stop() });
    },
    close: async () => {
      for (const each of apps) await each.close();
      await owner.end();
      redis.disconnect();
      answers.disconnect();
      if (given === undefined) await database.drop();
    },
  };
}

export function serve<Config extends ServiceConfig>(
  { name, module, config: type }: Pick<ServiceUnderTest<Config>, 'name' | 'module' | 'config'>,
  config: Config,
): Promise<RunningProcess> {
  const readiness = new Readiness();
  const platform = PlatformModule.forProcess(type, config, readiness);
  const logger = new NestLogger(pino({ level: 'silent' }));
  return openService({ name, module, config: type }, { config, platform, logger, readiness });
}

export function serviceForTests<Service extends { close(): Promise<void> }>(
  open: () => Promise<Service>,
  empty?: (service: Service) => Promise<unknown>,
): Service {
  const service = {} as Service;
  beforeAll(async () => {
    Object.assign(service, await open());
  });
  if (empty !== undefined) beforeEach(() => empty(service));
  afterAll(() => service.close());
  return service;
}

/** Expects that `work` fails with this error code. */
export const refuses = (code: ErrorCode, work: Promise<unknown>): Promise<void> =>
  expect(work).rejects.toMatchObject({ code });
