import { EmailChangedMail, RecordAudit, WelcomeMail } from '@meetmark/contracts';
import { notifyRelay, OutboxReader, OutboxWriter } from '@meetmark/platform';
import { jest } from '@jest/globals';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { TestWorkers } from '../testing/test-worker.js';
import { WorkerConfig } from '../worker.config.js';
import { JobQueues } from './job-queues.js';
import { OutboxSweeper } from './sweeper.js';

describe('the outbox', () => {
  let workers: TestWorkers;
  let ada: UserRow;

  beforeEach(async () => {
    workers = await TestWorkers.prepare();
    ada = await insertUser(workers.owner);
  });
  afterEach(() => workers.close());

  it('sends what was committed, once', async () => {
    await workers.start();
    const id = await workers.ask('auth', WelcomeMail, { userId: ada.id });
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(1);
    expect(workers.smtp.to(ada.email)).toHaveLength(1);
    expect(await workers.row('auth', id)).toMatchObject({ attempts: 1, lastError: null });
  });

  it('knows nothing of what was rolled back', async () => {
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

  it('sends each mail once however many workers relay', async () => {
    await Promise.all([workers.start(), workers.start(), workers.start()]);
    const asked = Array.from({ length: 60 }, (_, index) =>
      workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: `member${index}@example.org` }),
    );
    await Promise.all(asked);
    await workers.allDone();
    expect(new Set(workers.smtp.received.map(({ recipients }) => recipients[0])).size).toBe(60);
    expect(workers.smtp.received).toHaveLength(60);
  });

  it('keeps a job until its time has come', async () => {
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

  it('relays a job when its time comes, and asks rarely while nothing is due', async () => {
    const asked = jest.spyOn(OutboxReader.prototype, 'untilDue');
    const { lookEvery } = new WorkerConfig();
    await workers.start({ lookEvery });
    const notBefore = new Date(Date.now() + 2_500);
    const before = asked.mock.calls.length;
    const id = await workers.ask('auth', WelcomeMail, { userId: ada.id }, { notBefore });
    await workers.allDone();
    // at the commit, when it was due, and after each: not every second between
    expect(asked.mock.calls.length - before).toBeLessThanOrEqual(4);
    const [{ late }] = await workers.owner.query<[{ late: string }]>(
      'SELECT extract(epoch FROM relayed_at - available_at) AS late FROM auth.outbox WHERE id = $1',
      [id],
    );
    expect(Number(late)).toBeLessThan(2); // the poll after the commit's would be five seconds later
    asked.mockRestore();
  });

  it('loses nothing when Redis is emptied while mails wait', async () => {
    await workers.start();
    workers.smtp.slowness = 100;
    for (let index = 0; index < 20; index += 1)
      await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: `member${index}@example.org` });
    await workers.mails(3);
    await workers.redis.flushdb();
    workers.smtp.slowness = 0;
    // what the sweeper takes for lost was relayed 20 seconds ago
    await workers.owner.query(`UPDATE auth.outbox SET relayed_at = relayed_at - interval '1 minute'`);
    await workers.allDone();
    expect(new Set(workers.smtp.received.map(({ recipients }) => recipients[0])).size).toBe(20);
  });

  it('puts an audit entry that was lost back into its queue, however long ago that was', async () => {
    await workers.start();
    const id = await workers.ask('auth', RecordAudit, {
      action: 'user.updated',
      actorId: ada.id,
      subjectId: ada.id,
      subjectName: null,
      changed: [],
      at: new Date().toISOString(),
    });
    // asked for and relayed days ago; Redis has forgotten it, and no attempt is left
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

  it('sends no mail that an outage has made older than a day', async () => {
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
    await workers.eventually('the mail in time', async () => (await openRows()).length === 1);
    expect(workers.smtp.received.map(({ recipients }) => recipients)).toEqual([['in-time@example.org']]);
    expect(await openRows()).toMatchObject([{ id: late }]);
    expect(await worker.get(JobQueues).missing([{ id: late, job: EmailChangedMail.name }])).toHaveLength(1);
  });

  it('waits half a second or more before it tries a mail again', async () => {
    await workers.smtp.close();
    const { retryAfter } = new WorkerConfig();
    await workers.start({ retryAfter });
    const id = await workers.ask('auth', EmailChangedMail, { userId: ada.id, oldEmail: 'again@example.org' });
    await workers.eventually('the first try', async () => (await workers.row('auth', id)).attempts === 1);
    const pause = () => workers.redis.hget(`jobs:mail:${id}`, 'delay').then(Number);
    await workers.eventually('the pause', async () => (await pause()) > 0);
    expect(await pause()).toBeGreaterThanOrEqual(500);
    await workers.smtp.open();
  });

  it('passes over a job that only a newer worker knows', async () => {
    await workers.start();
    const future = { queue: 'mail', name: 'mail.ofTheFuture' } as const;
    const unknown = await workers.ask('auth', future, {});
    await workers.ask('auth', WelcomeMail, { userId: ada.id });
    await workers.mails(1);
    await workers.eventually('the welcome mail', async () => (await openRows()).length === 1);
    expect(await openRows()).toEqual([{ id: unknown, relayed_at: null }]);
  });

  it('writes no address into Redis', async () => {
    await workers.smtp.close();
    await workers.start();
    const id = await workers.ask('auth', EmailChangedMail, {
      userId: ada.id,
      oldEmail: 'secret@example.org',
    });
    const inRedis = () => workers.redis.hgetall(`jobs:mail:${id}`);
    await workers.eventually('the job', async () => 'data' in (await inRedis()));
    expect(JSON.stringify(await inRedis())).not.toContain('secret@example.org');
    await workers.smtp.open();
  });

  const openRows = () => workers.owner.query('SELECT id, relayed_at FROM auth.outbox WHERE done_at IS NULL');
});
