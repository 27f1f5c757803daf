import { EmailChangedMail, type Job, type PayloadOf, RecordAudit, WelcomeMail } from '@meetmark/contracts';
import { notifyRelay, OutboxReader, OutboxWriter } from '@meetmark/platform';
import { jest } from '@jest/globals';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import type { INestApplicationContext } from '@nestjs/common';
import { workersForTests } from '../testing/test-worker.js';
import { WorkerConfig } from '../worker.config.js';
import { JobQueues } from './job-queues.js';
import { OutboxSweeper } from './sweeper.js';

/** Milliseconds. Longer than a test waits, so that polling can't replace a missing notification. */
const NEVER = 60_000;

describe('the outbox', () => {
  const workers = workersForTests({ lookEvery: NEVER, retryAfter: new WorkerConfig().retryAfter });
  let worker: INestApplicationContext;
  let ada: UserRow;

  beforeAll(async () => {
    worker = await workers.start();
    ada = await insertUser(workers.owner);
  });
  beforeEach(() => workers.reset());

  const ask = (name: string) =>
    workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: `${name}@example.org` });
  const askMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(`member${index}`)));
  const recipients = () => workers.smtp.received.map((received) => received.recipients.join());
  const openRows = () => workers.owner.query('SELECT id, relayed_at FROM auth.outbox WHERE done_at IS NULL');
  /** Adds a job that was relayed at some time after it was due, but that Redis has lost. */
  const addLost = <J extends Job>(job: J, payload: PayloadOf<J>, due: string, relayed = '1 minute') =>
    workers.owner.transaction(async (manager) => {
      const id = await new OutboxWriter('auth').add(manager, job, payload);
      await manager.query(
        `UPDATE auth.outbox SET available_at = now() - $2::interval, relayed_at = now() - $3::interval WHERE id = $1`,
        [id, due, relayed],
      );
      return id;
    });

  it('holds a job until it is due', async () => {
    const later = new Date(Date.now() + 3_600_000);
    const id = await workers.ask('auth', WelcomeMail, { userId: ada.id }, { notBefore: later });
    await ask('now');
    await workers.mails(1);
    expect(recipients()).toEqual(['now@example.org']);
    await workers.owner.query(
      `WITH due AS (UPDATE auth.outbox SET available_at = now() WHERE id = $1) SELECT ${notifyRelay('auth')}`,
      [id],
    );
    await workers.allDone();
    expect(recipients()).toEqual(['now@example.org', ada.email]);
  });

  it('relays a job when it is due, without frequent polling', async () => {
    const asked = jest.spyOn(OutboxReader.prototype, 'untilDue');
    const notBefore = new Date(Date.now() + 2_500);
    await workers.ask('auth', WelcomeMail, { userId: ada.id }, { notBefore });
    await workers.allDone();
    // The relay reads the rows twice after the commit and twice when the job is due. Frequent polling would
    // read them more often.
    expect(asked.mock.calls.length).toBeLessThanOrEqual(4);
    asked.mockRestore();
  });

  it('writes an audit entry even if Redis lost its job days ago', async () => {
    const entry = { subjectId: ada.id, subjectName: null, changed: [], at: new Date().toISOString() };
    const audited = { action: 'user.updated' as const, actorId: ada.id, ...entry };
    const id = await addLost(RecordAudit, audited, '3 days', '3 days');
    await worker.get(OutboxSweeper).sweep();
    await workers.allDone();
    const entries = await workers.owner.query('SELECT id FROM admin.audit_log WHERE id = $1', [id]);
    expect(entries).toHaveLength(1);
  });

  it('drops an email that is more than a day late', async () => {
    const email = (name: string) => ({ userId: ada.id, oldEmail: `${name}@example.org` });
    const late = await addLost(EmailChangedMail, email('late'), '25 hours');
    await addLost(EmailChangedMail, email('in-time'), '23 hours');
    await worker.get(OutboxSweeper).sweep();
    await workers.allDone();
    expect(recipients()).toEqual(['in-time@example.org']);
    expect(await workers.row('auth', late)).toMatchObject({
      attempts: 0,
      lastError: 'Not done within 24 hours',
    });
  });

  it('waits at least half a second before it retries an email', async () => {
    await workers.smtp.close();
    const id = await ask('again');
    await workers.eventually('the first try', async () => (await workers.row('auth', id)).attempts === 1);
    const [{ pause }] = await workers.owner.query<[{ pause: number }]>(
      'SELECT extract(epoch FROM available_at - failing_since)::float AS pause FROM auth.outbox WHERE id = $1',
      [id],
    );
    await workers.smtp.open();
    expect(pause).toBeGreaterThanOrEqual(0.5);
    await workers.allDone();
  });

  it('skips a job that only a newer worker knows', async () => {
    const unknown = await workers.ask('auth', { queue: 'mail', name: 'mail.ofTheFuture' } as const, {});
    await ask('known');
    await workers.eventually('the known email', async () => (await openRows()).length === 1);
    expect(await openRows()).toEqual([{ id: unknown, relayed_at: null }]);
  });

  it('writes no email address to Redis', async () => {
    const queue = worker.get(JobQueues).get('mail');
    await queue.pause();
    const id = await ask('secret');
    const inRedis = () => workers.redis.hgetall(`jobs:mail:${id}`);
    await workers.eventually('the job', async () => 'data' in (await inRedis()));
    expect(JSON.stringify(await inRedis())).not.toContain('secret@example.org');
    await queue.resume();
    await workers.allDone();
  });

  it('loses no email when Redis is emptied while emails are queued', async () => {
    workers.smtp.slowness = 100;
    await askMany(20);
    await workers.mails(3);
    await workers.redis.flushdb();
    workers.smtp.slowness = 0;
    await worker.get(OutboxSweeper).sweep(0);
    await workers.allDone();
    expect(new Set(recipients()).size).toBe(20);
  });

  it('sends each email once when several workers relay the outbox', async () => {
    await workers.start();
    await askMany(60);
    await workers.allDone();
    expect(new Set(recipients()).size).toBe(60);
    expect(recipients()).toHaveLength(60);
  });
});
