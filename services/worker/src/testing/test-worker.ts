import { once } from 'node:events';
import type { Job, PayloadOf } from '@meetmark/contracts';
import {
  NestLogger,
  OUTBOXES,
  type OutboxName,
  type OutboxOptions,
  OutboxReader,
  OutboxWriter,
  PlatformModule,
  Readiness,
} from '@meetmark/platform';
import { verifyUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { emptyTables, testDatabase, testRedis, until, type TestDatabase } from '@meetmark/testing';
import { SmtpSink, type ReceivedMail } from '@meetmark/testing/mailbox/smtp-sink';
import { type DynamicModule, type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { MAIL_TRANSPORT, type MailTransport } from '../mail/transport.js';
import { JobRegistry } from '../queue/job-registry.js';
import { JobRunner } from '../queue/job-runner.js';
import { WorkerConfig } from '../worker.config.js';
import { JobsModule, WorkerModule } from '../worker.module.js';
import { spawnWorker } from './worker-process.js';

const PATIENCE = 50_000;

const BATCH = 100;

/** Intervals in milliseconds. Shorter than in production, to speed up tests. */
const SHORT_PAUSES = { takeOverEvery: 300, lookEvery: 500, retryAfter: 200 };

export const SECRETS = {
  link: 'the secret of the links in the tests of the worker',
  resetCode: 'the secret of the reset codes in the tests of the worker',
  guestCode: 'the secret of the codes of guests in the tests of the worker',
};

export class TestWorkers {
  private readonly apps: INestApplicationContext[] = [];
  private handlers?: { runner: JobRunner; outbox: OutboxReader; jobs: string[] };

  private constructor(
    readonly database: TestDatabase,
    readonly owner: DataSource,
    readonly asWorker: DataSource,
    readonly redis: Redis,
    readonly smtp: SmtpSink,
    readonly config: WorkerConfig,
  ) {}

  static async prepare(changes: Partial<WorkerConfig> = {}): Promise<TestWorkers> {
    Logger.overrideLogger(false); // Hides log lines of code that is tested without an application.
    const [database, redis, smtp] = await Promise.all([testDatabase(), testRedis(), SmtpSink.start()]);
    const owner = await connect(database.url);
    // Records this week's digest as sent. On a Monday, the worker would send it during a test.
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

  async start(changes: Partial<WorkerConfig> = {}): Promise<INestApplicationContext> {
    return this.open(Object.assign(new WorkerConfig(), this.config, changes), WorkerModule);
  }

  /**
   * Starts the job handlers without queues or a mail server. Jobs run only when a test waits for them. Emails
   * go to `smtp.received`.
   */
  async startHandlers(): Promise<INestApplicationContext> {
    const jobs = JobsModule.sendingBy({ provide: MAIL_TRANSPORT, useValue: this.inMemoryTransport() });
    const app = await this.open(this.config, jobs);
    this.handlers = {
      runner: app.get(JobRunner),
      outbox: app.get(OutboxReader),
      jobs: app.get(JobRegistry).jobs.map(({ name }) => name),
    };
    return app;
  }

  async runScheduled({ name }: Job): Promise<void> {
    await this.handlers?.runner.runScheduled({ id: name, name, createdAt: new Date() });
  }

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

  eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
    return until(what, PATIENCE, async () => {
      await this.runWaiting();
      return condition();
    });
  }

  allDone(): Promise<void> {
    return this.eventually('the outbox', async () => (await this.countOpen()) === 0);
  }

  /** Resolves when the mail server has received `count` emails. */
  mails(count: number): Promise<void> {
    return this.eventually(`${count} mails`, async () => this.smtp.received.length >= count);
  }

  async onlyMail(): Promise<ReceivedMail> {
    await this.allDone();
    expect(this.smtp.received).toHaveLength(1);
    return this.smtp.received[0]!;
  }

  /** Stops the workers. Empties Redis, `smtp.received`, `events.outbox` and the given tables. */
  async reset(...tables: string[]): Promise<void> {
    await this.stopWorkers();
    await emptyTables(this.owner, ['events.outbox', ...tables]);
    await this.redis.flushdb();
    this.smtp.received.length = 0;
    Object.assign(this.smtp, { slowness: 0, manners: 'take' });
  }

  /**
   * Waits until `count` jobs have failed at least once. Then stops the workers, so that no attempt is
   * running.
   */
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

  mailsByAddress(): number[] {
    const ids = new Map<string, Set<string | undefined>>();
    for (const { recipients, mail } of this.smtp.received)
      ids.set(recipients.join(), (ids.get(recipients.join()) ?? new Set()).add(mail.messageId));
    return [...ids.values()].map(({ size }) => size);
  }

  /**
   * Starts a worker, and kills it when `moment()` resolves. If `moment()` resolves to a function, calls this
   * function after the kill.
   */
  async killed(moment: () => Promise<void | (() => Promise<void>)>): Promise<void> {
    const victim = spawnWorker(this.config);
    victim.stdout?.resume();
    const afterwards = await moment();
    victim.kill('SIGKILL');
    await once(victim, 'close');
    await afterwards?.();
    // Removes the locks, because waiting for their expiry would be slow. killed-worker.spec tests the expiry.
    const locks = await this.redis.keys(`${this.config.queuePrefix}:*:lock`);
    if (locks.length > 0) await this.redis.del(locks);
  }

  async stopWorkers(): Promise<void> {
    this.handlers = undefined;
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.smtp.close();
    this.redis.disconnect();
    await Promise.all([this.owner.destroy(), this.asWorker.destroy()]);
    await this.database.drop();
  }

  private async open(
    config: WorkerConfig,
    jobs: typeof WorkerModule | DynamicModule,
  ): Promise<INestApplicationContext> {
    const platform = PlatformModule.forProcess(WorkerConfig, config, new Readiness());
    const root = { module: class Worker {}, imports: [platform, jobs] };
    const logger = new NestLogger(pino({ level: config.logLevel }));
    const app = await NestFactory.createApplicationContext(root, { logger, abortOnError: false });
    this.apps.push(app);
    return app;
  }

  private async runWaiting(): Promise<void> {
    if (this.handlers === undefined) return;
    const { runner, outbox, jobs } = this.handlers;
    for (const name of OUTBOXES) {
      const rows = await this.owner.transaction((manager) => outbox.takeWaiting(manager, name, jobs, BATCH));
      for (const { id, job } of rows) await runner.runRow(name, id, job);
      if (rows.length > 0) return this.runWaiting();
    }
  }

  private inMemoryTransport(): MailTransport {
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    return {
      sendMail: async (message: SendMailOptions) => {
        const { message: raw, envelope } = await composer.sendMail(message);
        await this.smtp.keep(envelope.to, raw.toString('utf8'));
      },
      close: () => undefined,
    };
  }

  private async countOpen(): Promise<number> {
    const [{ open }] = await this.owner.query<[{ open: string }]>(
      `SELECT (SELECT count(*) FROM auth.outbox WHERE done_at IS NULL)
         + (SELECT count(*) FROM events.outbox WHERE done_at IS NULL) AS open`,
    );
    return Number(open);
  }
}

export function stoppedBy({ mail }: ReceivedMail) {
  const stop = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  return verifyUnsubscribe(/unsubscribe\/([^>]+)>/.exec(stop)?.[1] ?? '', [SECRETS.link]);
}

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
