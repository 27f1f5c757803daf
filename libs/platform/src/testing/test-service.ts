import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Job, PayloadOf } from '@meetmark/contracts';
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
import { AnswerModule } from '../rpc/server.js';
import { statementsOf } from './statements.js';
import { TEST_KEYS } from './test-keys.js';

/** A service without its transport, on a database and a Redis of its own. */
export interface TestService<Config> {
  config: Config;
  database: TestDatabase;
  get<T>(type: Type<T>): T;
  /** The owner's connections: they may look at and change everything. */
  owner: pg.Pool;
  /** The owner's connection, like `owner` of the database. */
  redis: Redis;
  /** Payloads of a job's rows in the outbox that are not done, oldest first. */
  outbox<J extends Job>(job: J): Promise<PayloadOf<J>[]>;
  /** The statements that the service sends while `work` runs, without BEGIN and COMMIT. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  /** A second process of the same service. */
  replica(): Promise<{ get<T>(type: Type<T>): T }>;
  /** Puts one more process of it behind its queue, as the gateway meets it. */
  serve(): Promise<void>;
  close(): Promise<void>;
}

interface ServiceUnderTest<Config extends ServiceConfig> {
  /** Also of its schema and its role in the database. */
  name: 'auth' | 'events' | 'admin';
  module: Type;
  config: Type<Config>;
  /** Connections at once. */
  pool: number;
  values: Partial<Config>;
}

/** The configuration of a service on those servers, each with its own role and user. */
export function configOf<Config extends ServiceConfig>(
  { name, config, pool, values }: Omit<ServiceUnderTest<Config>, 'module'>,
  database: TestDatabase,
  redis: TestRedis,
): Config {
  const common = { nodeEnv: 'test', logLevel: 'silent', redisUrl: redis.urlFor(name), ...TEST_KEYS };
  return Object.assign(new config(), common, database.configFor(`meetmark_${name}`, pool), values);
}

/** On a database of its own, which goes with it, unless one is given. */
export async function openServiceContext<Config extends ServiceConfig>(
  service: ServiceUnderTest<Config>,
  given?: TestDatabase,
): Promise<TestService<Config>> {
  const database = given ?? (await testDatabase());
  const servers = await testRedis();
  const config = configOf(service, database, servers);
  const redis = new Redis(servers.ownerUrl);
  const answers = new Redis(config.redisUrl);
  await Promise.all([redis.ping(), answers.ping()]);
  const open = () => {
    const platform = PlatformModule.forProcess(service.config, config, new Readiness());
    const root = { module: class Root {}, imports: [platform, AnswerModule.over(answers), service.module] };
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
    redis,
    outbox: async <J extends Job>(job: J) => {
      const { rows } = await owner.query<{ payload: PayloadOf<J> }>(
        `SELECT payload FROM ${service.name}.outbox WHERE job = $1 AND done_at IS NULL ORDER BY created_at, id`,
        [job.name],
      );
      return rows.map((row) => row.payload);
    },
    statements: (work) => statementsOf(app.get(DataSource), work),
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

/** A process of a service behind its queue. */
export function serve<Config extends ServiceConfig>(
  { name, module, config: type }: Pick<ServiceUnderTest<Config>, 'name' | 'module' | 'config'>,
  config: Config,
): Promise<RunningProcess> {
  const readiness = new Readiness();
  const platform = PlatformModule.forProcess(type, config, readiness);
  const logger = new NestLogger(pino({ level: 'silent' }));
  return openService({ name, module, config: type }, { config, platform, logger, readiness });
}

/** One service for all tests of a `describe`; `empty` runs before each. */
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
