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
import { insertRow, updateRow } from '@meetmark/testing/factories/users';
import { SmtpSink, type ReceivedMail } from '@meetmark/testing/mailbox/smtp-sink';
import { type DynamicModule, type INestApplicationContext, Logger, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { MAIL_TRANSPORT, type MailTransport } from '../mail/transport.js';
import { JobQueues } from '../queue/job-queues.js';
import { JobRegistry } from '../queue/job-registry.js';
import { JobRunner } from '../queue/job-runner.js';
import { WorkerConfig } from '../worker.config.js';
import { JobsModule, WorkerModule } from '../worker.module.js';

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
   * Starts the job handlers without queues. Jobs run only when a test waits for them. Emails go to
   * `smtp.received` without a mail server, unless `transport` is given.
   */
  async startHandlers(
    transport: Provider<MailTransport> = { provide: MAIL_TRANSPORT, useValue: this.inMemoryTransport() },
  ): Promise<INestApplicationContext> {
    const queues = { provide: JobQueues, useValue: { redis: this.redis } };
    const app = await this.open(this.config, JobsModule.sendingBy(transport), [queues]);
    this.handlers = {
      runner: app.get(JobRunner),
      outbox: app.get(OutboxReader),
      jobs: app.get(JobRegistry).jobs.map(({ name }) => name),
    };
    return app;
  }

  async ask<J extends Job>(
    outbox: OutboxName,
    job: J,
    payload: PayloadOf<J>,
    options?: OutboxOptions,
  ): Promise<string> {
    return this.owner.transaction((manager) => new OutboxWriter(outbox).add(manager, job, payload, options));
  }

  /** Adds a job, and waits until no job is open. Returns the emails that were sent. */
  async run<J extends Job>(outbox: OutboxName, job: J, payload: PayloadOf<J>): Promise<ReceivedMail[]> {
    const before = this.smtp.received.length;
    await this.ask(outbox, job, payload);
    await this.allDone();
    return this.smtp.received.slice(before);
  }

  /**
   * Like `run`, but holds `lock` and cuts the connection of the job that waits for it, as if its worker had
   * been killed. Calls `halfway` before the job is repeated.
   */
  async runInterrupted<J extends Job>(
    outbox: OutboxName,
    job: J,
    payload: PayloadOf<J>,
    { lock, halfway }: { lock: string; halfway: () => Promise<unknown> },
  ): Promise<ReceivedMail[]> {
    const { running } = await this.owner.transaction(async (manager) => {
      await manager.query(lock);
      const started = this.run(outbox, job, payload);
      await until('a job that waits for the lock', PATIENCE, async () => {
        const ended = await this.owner.query<unknown[]>(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE wait_event_type = 'Lock' AND usename = 'meetmark_worker' AND datname = current_database()`,
        );
        return ended.length > 0;
      });
      await halfway();
      return { running: started };
    });
    // Like the sweeper, repeats a job whose failure could not be recorded.
    await this.owner.query(`UPDATE ${outbox}.outbox SET relayed_at = NULL WHERE done_at IS NULL`);
    return running;
  }

  /** Like `run`, for a job that sends exactly one email. */
  async send<J extends Job>(outbox: OutboxName, job: J, payload: PayloadOf<J>): Promise<ReceivedMail> {
    const sent = await this.run(outbox, job, payload);
    expect(sent).toHaveLength(1);
    return sent[0]!;
  }

  /** @param row camelCase names of columns, with their values */
  insert(table: string, row: object): Promise<void> {
    return insertRow(this.owner, table, row);
  }

  update(table: string, id: string, changes: object): Promise<void> {
    return updateRow(this.owner, table, id, changes);
  }

  /** Adds members with verified email addresses. Returns their ids. */
  async insertMembers(count: number): Promise<string[]> {
    const rows = await this.owner.query<{ id: string }[]>(
      `INSERT INTO auth.users (id, email, password_hash, first_name, last_name, email_verified_at)
       SELECT gen_random_uuid(), 'member-' || gen_random_uuid() || '@example.org', '$argon2id$v=19$m=1', 'Person', 'No ' || n, now()
       FROM generate_series(1, $1::integer) AS n RETURNING id`,
      [count],
    );
    return rows.map(({ id }) => id);
  }

  /** Adds a topic of the given events and followers. Returns its id. */
  async insertTopic(eventIds: string[], followerIds: string[] = []): Promise<string> {
    const topicId = uuid();
    await this.insert('events.topics', { id: topicId, slug: 'search', name: 'Search', place: 1 });
    for (const eventId of eventIds)
      await this.insert('events.event_topics', { eventId, topicId, position: 1 });
    for (const userId of followerIds) await this.insert('events.topic_follows', { topicId, userId });
    return topicId;
  }

  async row(outbox: OutboxName, id: string): Promise<OutboxRow> {
    const [row] = await this.owner.query<OutboxRow[]>(
      `SELECT done_at AS "doneAt", attempts, skipped, last_error AS "lastError" FROM ${outbox}.outbox WHERE id = $1`,
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

  /** Empties `smtp.received`, the outboxes and the given tables. No job may be running. */
  async reset(...tables: string[]): Promise<void> {
    await emptyTables(this.owner, ['auth.outbox', 'events.outbox', ...tables]);
    this.smtp.received.length = 0;
    Object.assign(this.smtp, { slowness: 0, manners: 'take' });
  }

  /** Refuses all emails for now, until `count` jobs have failed at least once. Only for `startHandlers`. */
  async failOnce(job: Job, count: number): Promise<void> {
    this.smtp.manners = 'not-now';
    await this.eventually('the failed jobs', async () => {
      const [{ tried }] = await this.owner.query<[{ tried: number }]>(
        'SELECT count(*) FILTER (WHERE attempts > 0)::integer AS tried FROM events.outbox WHERE job = $1',
        [job.name],
      );
      return tried === count;
    });
    this.smtp.manners = 'take';
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
    providers: Provider[] = [],
  ): Promise<INestApplicationContext> {
    const platform = PlatformModule.forProcess(WorkerConfig, config, new Readiness());
    const root = { module: class Worker {}, imports: [platform, jobs], providers };
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
        const { manners } = this.smtp;
        if (manners === 'not-now') throw refusal('EMESSAGE', 452);
        if (manners === 'refuse-recipients') throw refusal('EENVELOPE', 550);
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

const refusal = (code: string, responseCode: number) =>
  Object.assign(new Error('refused'), { code, responseCode, command: 'RCPT TO' });

export function stoppedBy({ mail }: ReceivedMail) {
  const folded = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const stop = folded.replaceAll(/\s/g, '');
  return verifyUnsubscribe(/unsubscribe\/([^?>]+)/.exec(stop)?.[1] ?? '', [SECRETS.link]);
}

/** Prepares a database, Redis and a mail server for the tests of a file. Starts no worker. */
export function workersForTests(changes?: Partial<WorkerConfig>): TestWorkers {
  const workers = Object.create(TestWorkers.prototype) as TestWorkers;
  beforeAll(async () => {
    Object.assign(workers, await TestWorkers.prepare(changes));
  });
  afterAll(() => workers.close());
  return workers;
}

/** Like `workersForTests`, but also starts the job handlers. See `startHandlers`. */
export function handlersForTests(changes?: Partial<WorkerConfig>): TestWorkers {
  const workers = workersForTests(changes);
  beforeAll(async () => {
    await workers.startHandlers();
  });
  return workers;
}

/** Returns a time zone in which it is between 3:00 and 4:00. The signs of these zones' names are reversed. */
export function zoneAtNight(): string {
  const ahead = 3 - new Date().getUTCHours();
  const offset = ahead < -12 ? ahead + 24 : ahead;
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

const connect = (url: string) =>
  new DataSource({ type: 'postgres', url, installExtensions: false }).initialize();

export interface OutboxRow {
  doneAt: Date | null;
  attempts: number;
  skipped: boolean;
  lastError: string | null;
}
