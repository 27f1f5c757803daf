import { EmailChangedMail, RecordAudit, WelcomeMail } from '@meetmark/contracts';
import { notifyRelay, OutboxReader, OutboxWriter } from '@meetmark/platform';
import { jest } from '@jest/globals';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { TestWorkers } from '../testing/test-worker.js';
import { WorkerConfig } from '../worker.config.js';
import { OutboxSweeper } from './sweeper.js';

describe('the outbox', () => {
  let workers: TestWorkers;
  let ada: UserRow;

  beforeEach(async () => {
    workers = await TestWorkers.prepare();
    ada = await insertUser(workers.owner);
  });
  afterEach(() => workers.close());

  it('sends a committed email once', async () => {
    await workers.start();
    const id = await workers.ask('auth', WelcomeMail, { userId: ada.id });
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(1);
    expect(workers.smtp.to(ada.email)).toHaveLength(1);
    expect(await workers.row('auth', id)).toMatchObject({ attempts: 1, lastError: null });
  });

  it('does not send an email that was rolled back', async () => {
    await workers.start();
    const rolledBack = workers.owner.transaction(async (manager) => {
      await new OutboxWriter('auth').add(manager, WelcomeMail, { userId: ada.id });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: 'after@example.org' });
    await workers.allDone();
    expect(workers.smtp.received.map(({ recipients }) => recipients)).toEqual([['after@example.org']]);
  });

  it('sends each email once when several workers relay the outbox', async () => {
    await Promise.all([workers.start(), workers.start(), workers.start()]);
    const asked = Array.from({ length: 60 }, (_, index) =>
      workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: `member${index}@example.org` }),
    );
    await Promise.all(asked);
    await workers.allDone();
    expect(new Set(workers.smtp.received.map(({ recipients }) => recipients[0])).size).toBe(60);
    expect(workers.smtp.received).toHaveLength(60);
  });

  it('holds a job until it is due', async () => {
    await workers.start();
    const later = new Date(Date.now() + 3_600_000);
    const id = await workers.ask('auth', WelcomeMail, { userId: ada.id }, { notBefore: later });
    await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: 'now@example.org' });
    await workers.mails(1);
    expect(workers.smtp.to(ada.email)).toHaveLength(0);
    await workers.owner.query(
      `WITH due AS (UPDATE auth.outbox SET available_at = now() WHERE id = $1) SELECT ${notifyRelay('auth')}`,
      [id],
    );
    await workers.allDone();
    expect(workers.smtp.to(ada.email)).toHaveLength(1);
  });

  it('relays a job when it is due, without frequent polling', async () => {
    const asked = jest.spyOn(OutboxReader.prototype, 'untilDue');
    const { lookEvery } = new WorkerConfig();
    await workers.start({ lookEvery });
    const notBefore = new Date(Date.now() + 2_500);
    const before = asked.mock.calls.length;
    const id = await workers.ask('auth', WelcomeMail, { userId: ada.id }, { notBefore });
    await workers.allDone();
    // The relay reads the rows twice after the commit and twice when the job is due. Frequent polling would
    // read them more often.
    expect(asked.mock.calls.length - before).toBeLessThanOrEqual(4);
    const [{ late }] = await workers.owner.query<[{ late: string }]>(
      'SELECT extract(epoch FROM relayed_at - available_at) AS late FROM auth.outbox WHERE id = $1',
      [id],
    );
    expect(Number(late)).toBeLessThan(2);
    asked.mockRestore();
  });

  it('loses no email when Redis is emptied while emails are queued', async () => {
    await workers.start();
    workers.smtp.slowness = 100;
    for (let index = 0; index < 20; index += 1)
      await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: `member${index}@example.org` });
    await workers.mails(3);
    await workers.redis.flushdb();
    workers.smtp.slowness = 0;
    // The sweeper ignores jobs that were relayed less than 20 seconds ago.
    await workers.owner.query(`UPDATE auth.outbox SET relayed_at = relayed_at - interval '1 minute'`);
    await workers.allDone();
    expect(new Set(workers.smtp.received.map(({ recipients }) => recipients[0])).size).toBe(20);
  });

  it('writes an audit entry even if Redis lost its job days ago', async () => {
    await workers.start();
    const id = await workers.ask('auth', RecordAudit, {
      action: 'user.updated',
      actorId: ada.id,
      subjectId: ada.id,
      subjectName: null,
      changed: [],
      at: new Date().toISOString(),
    });
    // Simulates a job that was relayed three days ago, but never attempted, because Redis lost it.
    await workers.owner.query(
      `UPDATE auth.outbox SET available_at = now() - interval '3 days', relayed_at = now() - interval '3 days', done_at = NULL
       WHERE id = $1`,
      [id],
    );
    await workers.redis.flushdb();
    await workers.eventually('the entry', async () => (await openRows()).length === 0);
    const entries = await workers.owner.query('SELECT id FROM admin.audit_log WHERE id = $1', [id]);
    expect(entries).toHaveLength(1);
  });

  it('drops an email that is more than a day late', async () => {
    const lost = async (name: string, hours: number) => {
      const oldEmail = `${name}@example.org`;
      const id = await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail });
      await workers.owner.query(
        `UPDATE auth.outbox SET available_at = now() - $2 * interval '1 hour', relayed_at = now() - interval '1 minute'
         WHERE id = $1`,
        [id, hours],
      );
      return id;
    };
    const late = await lost('late', 25);
    await lost('in-time', 23);
    const worker = await workers.start();
    await worker.get(OutboxSweeper).sweep();
    await workers.allDone();
    expect(workers.smtp.received.map(({ recipients }) => recipients)).toEqual([['in-time@example.org']]);
    expect(await workers.row('auth', late)).toMatchObject({
      attempts: 0,
      lastError: 'Not done within 24 hours',
    });
  });

  it('waits at least half a second before it retries an email', async () => {
    await workers.smtp.close();
    const { retryAfter } = new WorkerConfig();
    await workers.start({ retryAfter });
    const id = await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: 'again@example.org' });
    await workers.eventually('the first try', async () => (await workers.row('auth', id)).attempts === 1);
    const [{ pause }] = await workers.owner.query<[{ pause: number }]>(
      'SELECT extract(epoch FROM available_at - failing_since)::float AS pause FROM auth.outbox WHERE id = $1',
      [id],
    );
    expect(pause).toBeGreaterThanOrEqual(0.5);
    await workers.smtp.open();
  });

  it('skips a job that only a newer worker knows', async () => {
    await workers.start();
    const future = { queue: 'mail', name: 'mail.ofTheFuture' } as const;
    const unknown = await workers.ask('auth', future, {});
    await workers.ask('auth', WelcomeMail, { userId: ada.id });
    await workers.mails(1);
    await workers.eventually('the welcome mail', async () => (await openRows()).length === 1);
    expect(await openRows()).toEqual([{ id: unknown, relayed_at: null }]);
  });

  it('writes no email address to Redis', async () => {
    // A slow mail server keeps the job in Redis until the test has read it.
    workers.smtp.slowness = 3_000;
    await workers.start();
    const id = await workers.ask('auth', EmailChangedMail, {
      userId: ada.id,
      oldEmail: 'secret@example.org',
    });
    const inRedis = () => workers.redis.hgetall(`jobs:mail:${id}`);
    await workers.eventually('the job', async () => 'data' in (await inRedis()));
    expect(JSON.stringify(await inRedis())).not.toContain('secret@example.org');
    workers.smtp.slowness = 0;
  });

  const openRows = () => workers.owner.query('SELECT id, relayed_at FROM auth.outbox WHERE done_at IS NULL');
});
