import { randomBytes, randomUUID } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  FLOW_SECRET_BYTES,
  type Asker,
  type Identity,
  type Job,
  type PayloadOf,
  type SessionUser,
  type SignUpRequest,
  type User,
} from '@meetmark/contracts';
import { PlatformModule, Readiness, StartedCall, type Call } from '@meetmark/platform';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { statementsOf } from '@meetmark/platform/testing/statements';
import { testDatabase, testRedisUrl, type TestDatabase } from '@meetmark/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AuthConfig } from '../auth.config.js';
import { AuthModule } from '../auth.module.js';

export const RESET_CODE_SECRET = 'a-reset-code-secret-for-tests-of-auth';
const POOL = 25;

/** The auth service without its transport, on a database and a Redis of its own. */
export interface TestAuth {
  config: AuthConfig;
  get<T>(type: Type<T>): T;
  /** The owner's connections: they may look at and change everything. */
  owner: pg.Pool;
  redis: Redis;
  /** Payloads of a job's rows in the outbox, oldest first. */
  outbox<J extends Job>(job: J): Promise<PayloadOf<J>[]>;
  /** The statements that the service sends while `work` runs, without BEGIN and COMMIT. */
  statements(work: () => Promise<unknown>): Promise<string[]>;
  /** As it was when it was opened: for tests that share it. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export function testAuthConfig(database: TestDatabase, redisUrl: string): AuthConfig {
  return Object.assign(new AuthConfig(), {
    nodeEnv: 'test',
    logLevel: 'silent',
    ...database.configFor('meetmark_auth', POOL),
    redisUrl,
    ...TEST_KEYS,
    resetCodeSecrets: [RESET_CODE_SECRET],
    secondFactorSecrets: ['a-second-factor-secret-for-tests-of-auth'],
    adminSecondFactor: 'encouraged',
    rpcPrefix: `test-${randomUUID()}`,
  });
}

export async function openAuth(): Promise<TestAuth> {
  const database = await testDatabase();
  const config = testAuthConfig(database, await testRedisUrl());
  const platform = PlatformModule.forProcess(AuthConfig, config, new Readiness());
  const root = { module: class Auth {}, imports: [platform, AuthModule] };
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  const owner = new pg.Pool({ connectionString: database.url, max: 5 });
  const redis = new Redis(config.redisUrl);
  return {
    config,
    get: (type) => app.get(type),
    owner,
    redis,
    outbox: async <J extends Job>(job: J) => {
      const { rows } = await owner.query<{ payload: PayloadOf<J> }>(
        'SELECT payload FROM auth.outbox WHERE job = $1 ORDER BY created_at, id',
        [job.name],
      );
      return rows.map((row) => row.payload);
    },
    statements: (work) => statementsOf(app.get(DataSource), work),
    clear: async () => {
      await owner.query('TRUNCATE auth.users, auth.pictures, auth.code_flows, auth.outbox CASCADE');
      await redis.flushdb();
    },
    close: async () => {
      await app.close();
      await owner.end();
      redis.disconnect();
      await database.drop();
    },
  };
}

/** One auth service for all tests of a `describe`, empty before each. */
export function authForTests(): TestAuth {
  const auth = {} as TestAuth;
  beforeAll(async () => {
    Object.assign(auth, await openAuth());
  });
  beforeEach(() => auth.clear());
  afterAll(() => auth.close());
  return auth;
}

/** A browser that has asked for nothing yet. */
export const anAsker = (network = '192.0.2.0/24'): Asker => ({
  browser: randomBytes(FLOW_SECRET_BYTES).toString('base64url'),
  network,
});

/** What somebody enters who signs up. */
export const memberFields = (given: Partial<SignUpRequest> = {}): SignUpRequest => ({
  email: 'Ada@Example.com',
  password: 'correct horse',
  firstName: 'Ada',
  lastName: 'Lovelace',
  linkedInUrl: null,
  asker: anAsker(),
  ...given,
});

/** A call that this user makes; the token says what was true of them when the object was made. */
export function callOf(
  who: SessionUser | { id: string; isAdmin?: boolean; epoch?: number },
  confirmedAt = Date.now(),
): Call {
  const { id, isAdmin = false }: Pick<User, 'id'> & Partial<User> = 'user' in who ? who.user : who;
  const identity: Identity = { sub: id, isAdmin, epoch: who.epoch ?? 1, confirmedAt };
  return new StartedCall({ identity, requestId: randomUUID(), timeLeft: 5_000 });
}
