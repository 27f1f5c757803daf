import { once } from 'node:events';
import type { Job, PayloadOf } from '@meetmark/contracts';
import {
  NestLogger,
  type OutboxName,
  type OutboxOptions,
  OutboxWriter,
  PlatformModule,
  Readiness,
} from '@meetmark/platform';
import { verifyUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { emptyTables, testDatabase, testRedis, until, type TestDatabase } from '@meetmark/testing';
import { SmtpSink, type ReceivedMail } from '@meetmark/testing/mailbox/smtp-sink';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { WorkerConfig } from '../worker.config.js';
import { WorkerModule } from '../worker.module.js';
import { spawnWorker } from './worker-process.js';

/** Milliseconds: far beyond what anything here takes. */
const PATIENCE = 50_000;

/** Milliseconds: what these wait for in production is not what tests are about. */
const SHORT_PAUSES = { takeOverEvery: 300, lookEvery: 500, retryAfter: 200 };

export const SECRETS = {
  link: 'the secret of the links in the tests of the worker',
  resetCode: 'the secret of the reset codes in the tests of the worker',
  guestCode: 'the secret of the codes of guests in the tests of the worker',
};

/** Workers, with a database, a Redis and a mail server of their own. */
export class TestWorkers {
  private readonly apps: INestApplicationContext[] = [];

  private constructor(
    readonly database: TestDatabase,
    /** The owner's connections: they may look at and change everything. */
    readonly owner: DataSource,
    /** The connections of the worker's own role: what it may not do fails. */
    readonly asWorker: DataSource,
    /** The owner's connection. */
    readonly redis: Redis,
    readonly smtp: SmtpSink,
    readonly config: WorkerConfig,
  ) {}

  static async prepare(changes: Partial<WorkerConfig> = {}): Promise<TestWorkers> {
    Logger.overrideLogger(false); // what is tested without an application around it would print
    const [database, redis, smtp] = await Promise.all([testDatabase(), testRedis(), SmtpSink.start()]);
    const owner = await connect(database.url);
    // on a Monday the digest would be written beside what is tested
    await owner.query(
      `INSERT INTO events.digests (week, since, until) VALUES (date_trunc('week', now())::date, now() - interval '7 days', now())`,
    );
    const asWorker = await connect(database.urlFor('meetmark_worker'));
    const config = Object.assign(new WorkerConfig(), {
      logLevel: 'silent',
      ...database.configFor('meetmark_worker', 10),
      redisUrl: redis.urlFor('worker'),
      smtpUrl: smtp.url,
      mailFrom: 'events@meet.example',
      publicUrl: 'https://meet.example',
      communityConfig: new URL('../../../../config/demo/community.json', import.meta.url).pathname,
      linkSecrets: [SECRETS.link],
      resetCodeSecrets: [SECRETS.resetCode],
      guestCodeSecrets: [SECRETS.guestCode],
      messagesPerSecond: 1_000,
      ...SHORT_PAUSES,
      ...changes,
    });
    return new TestWorkers(database, owner, asWorker, new Redis(redis.ownerUrl), smtp, config);
  }

  /** One more worker. */
  async start(changes: Partial<WorkerConfig> = {}): Promise<INestApplicationContext> {
    const config = Object.assign(new WorkerConfig(), this.config, changes);
    const platform = PlatformModule.forProcess(WorkerConfig, config, new Readiness());
    const root = { module: class Worker {}, imports: [platform, WorkerModule] };
    const logger = new NestLogger(pino({ level: config.logLevel }));
    const app = await NestFactory.createApplicationContext(root, { logger, abortOnError: false });
    this.apps.push(app);
    return app;
  }

  /** Asks for work as a service does. */
  async ask<J extends Job>(
    outbox: OutboxName,
    job: J,
    payload: PayloadOf<J>,
    options?: OutboxOptions,
  ): Promise<string> {
    return this.owner.transaction((manager) => new OutboxWriter(outbox).add(manager, job, payload, options));
  }

  async row(outbox: OutboxName, id: string): Promise<OutboxRow> {
    const [row] = await this.owner.query<OutboxRow[]>(
      `SELECT done_at AS "doneAt", attempts, last_error AS "lastError" FROM ${outbox}.outbox WHERE id = $1`,
      [id],
    );
    if (row === undefined) throw new Error(`no row ${id}`);
    return row;
  }

  isDone = async (outbox: OutboxName, id: string): Promise<boolean> =>
    (await this.row(outbox, id)).doneAt !== null;

  eventually = (what: string, condition: () => Promise<boolean>): Promise<void> =>
    until(what, PATIENCE, condition);

  /** Resolves when every row of both outboxes is done. */
  allDone(): Promise<void> {
    return this.eventually('the outbox', async () => (await this.open()) === 0);
  }

  /** Resolves when the mail server has taken so many mails. */
  mails(count: number): Promise<void> {
    return this.eventually(`${count} mails`, async () => this.smtp.received.length >= count);
  }

  /** The one mail that came of everything. */
  async onlyMail(): Promise<ReceivedMail> {
    await this.allDone();
    expect(this.smtp.received).toHaveLength(1);
    return this.smtp.received[0]!;
  }

  /** As it was at first, but for people; these tables of events are empty as well. */
  async reset(...tables: string[]): Promise<void> {
    await this.stopWorkers();
    await emptyTables(this.owner, ['events.outbox', ...tables]);
    await this.redis.flushdb();
    this.smtp.received.length = 0;
    Object.assign(this.smtp, { slowness: 0, manners: 'take' });
  }

  /** Lets the workers try so many mails of a job in vain and stops them, so that no attempt is under way when something changes. */
  async triedInVain(job: Job, count: number): Promise<void> {
    await this.eventually('the mails that were tried', async () => {
      const [{ tried }] = await this.owner.query<[{ tried: number }]>(
        'SELECT count(*) FILTER (WHERE attempts > 0)::integer AS tried FROM events.outbox WHERE job = $1',
        [job.name],
      );
      return tried === count;
    });
    await this.stopWorkers();
    this.smtp.manners = 'take';
  }

  /** How many mails with different Message-IDs each address got. */
  mailsByAddress(): number[] {
    const ids = new Map<string, Set<string | undefined>>();
    for (const { recipients, mail } of this.smtp.received)
      ids.set(recipients.join(), (ids.get(recipients.join()) ?? new Set()).add(mail.messageId));
    return [...ids.values()].map(({ size }) => size);
  }

  /** Runs a worker until `moment` has come, and kills it then; what `moment` answers is done afterwards. */
  async killed(moment: () => Promise<void | (() => Promise<void>)>): Promise<void> {
    const victim = spawnWorker(this.config);
    victim.stdout?.resume();
    const afterwards = await moment();
    victim.kill('SIGKILL');
    await once(victim, 'close');
    await afterwards?.();
    // as after the seconds until the lock of its job has run out, for which killed-worker.spec waits
    const locks = await this.redis.keys(`${this.config.queuePrefix}:*:lock`);
    if (locks.length > 0) await this.redis.del(locks);
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.smtp.close();
    this.redis.disconnect();
    await Promise.all([this.owner.destroy(), this.asWorker.destroy()]);
    await this.database.drop();
  }

  private async open(): Promise<number> {
    const [{ open }] = await this.owner.query<[{ open: string }]>(
      `SELECT (SELECT count(*) FROM auth.outbox WHERE done_at IS NULL)
         + (SELECT count(*) FROM events.outbox WHERE done_at IS NULL) AS open`,
    );
    return Number(open);
  }
}

/** Whose mails of which list the link in a mail's head stops. */
export function stoppedBy({ mail }: ReceivedMail) {
  const stop = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  return verifyUnsubscribe(/unsubscribe\/([^>]+)>/.exec(stop)?.[1] ?? '', [SECRETS.link]);
}

/** For all tests of a `describe`. */
export function workersForTests(): TestWorkers {
  const workers = Object.create(TestWorkers.prototype) as TestWorkers;
  beforeAll(async () => {
    Object.assign(workers, await TestWorkers.prepare());
  });
  afterAll(() => workers.close());
  return workers;
}

const connect = (url: string) =>
  new DataSource({ type: 'postgres', url, installExtensions: false }).initialize();

export interface OutboxRow {
  doneAt: Date | null;
  attempts: number;
  lastError: string | null;
}
