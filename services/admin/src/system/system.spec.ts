import { SYSTEM_KEYS, TestMail, type QueueStatus } from '@meetmark/contracts';
import { RedisClock } from '@meetmark/platform';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { openAdminStores, type AdminStores } from '../testing/open-admin.js';
import type { SettingsService } from '../settings/settings.service.js';
import { ChecklistRepository } from './checklist.repository.js';
import { MailsRepository } from './mails.repository.js';
import { SystemService, WorkerStatus } from './system-status.js';

const MINUTE = 60_000;

describe('the system status', () => {
  /** Settings of which nothing is left out; settings.spec.ts has others. */
  const settings = { leftOut: () => Promise.resolve([]) } as unknown as SettingsService;
  let stores: AdminStores;
  let caller: TestCaller;
  let worker: WorkerStatus;
  let service: SystemService;
  const serviceWith = (own: WorkerStatus) => {
    const { dataSource } = stores;
    const [mails, noted] = [new MailsRepository(dataSource), new ChecklistRepository(dataSource)];
    return new SystemService(caller.rpc, own, mails, settings, noted);
  };
  let redis: ReturnType<typeof redisConnection>;
  beforeAll(async () => {
    stores = await openAdminStores();
    caller = await openCaller(stores.config);
    worker = new WorkerStatus(stores.config, new RedisClock());
    service = serviceWith(worker);
    redis = redisConnection(stores.redis.ownerUrl);
    await connectForever(redis);
  });
  beforeEach(async () => {
    await redis.flushdb();
    await stores.owner.query('TRUNCATE auth.outbox, events.outbox');
  });
  afterAll(async () => {
    caller.close();
    worker.onApplicationShutdown();
    redis.disconnect();
    await stores.close();
  });

  interface Mail {
    owner?: 'auth' | 'events';
    job?: string;
    age?: number;
    done?: boolean;
    attempts?: number;
    error?: string | null;
    skipped?: boolean;
    payload?: object;
  }
  const mail = ({
    owner = 'auth',
    job = TestMail.name,
    age = 0,
    done = false,
    attempts = 0,
    error = null,
    skipped = false,
    payload = {},
  }: Mail) =>
    stores.owner.query(
      `INSERT INTO ${owner}.outbox (id, job, payload, created_at, done_at, attempts, last_error, skipped)
       VALUES ($1, $2, $8, $3, $4, $5, $6, $7)`,
      [uuid(), job, new Date(Date.now() - age), done ? new Date() : null, attempts, error, skipped, payload],
    );

  it('is empty and honest before anything runs', async () => {
    expect(await service.status()).toEqual({
      processes: ['auth', 'events', 'admin', 'worker', 'gateway'].map((name) => ({ name, replicas: 0 })),
      queues: [],
      lastMails: [],
      leftOutSettings: [],
      refusedMails: [],
      lastSchedulerTick: null,
      lastBackup: null,
    });
  });

  it('says when the last backup was made', async () => {
    const lastBackup = '2026-11-21T03:00:00.000Z';
    await stores.owner.query('INSERT INTO admin.last_backup (made_at) VALUES ($1)', [lastBackup]);
    expect(await service.status()).toMatchObject({ lastBackup });
  });

  it('counts the replicas whose heartbeat is fresh', async () => {
    const [fresh, stale] = [Date.now() + MINUTE, Date.now() - MINUTE];
    await redis.zadd(SYSTEM_KEYS.replicas('worker'), fresh, 'one', fresh, 'two', stale, 'dead');
    await redis.zadd(SYSTEM_KEYS.replicas('gateway'), fresh, 'one');
    expect((await service.status()).processes.slice(3)).toEqual([
      { name: 'worker', replicas: 2 },
      { name: 'gateway', replicas: 1 },
    ]);
  });

  it('says at how many gateways no picture can be taken', async () => {
    const [fresh, stale] = [Date.now() + MINUTE, Date.now() - MINUTE];
    await redis.zadd(SYSTEM_KEYS.replicas('gateway'), fresh, 'one', fresh, 'two');
    await redis.zadd(SYSTEM_KEYS.withoutPictures, fresh, 'one', stale, 'two');
    expect((await service.status()).processes[4]).toEqual({
      name: 'gateway',
      replicas: 2,
      withoutPictures: 1,
    });
  });

  it('passes on what the worker wrote of its queues and schedulers', async () => {
    const queues: QueueStatus[] = [
      { name: 'mail', waiting: 1, active: 2, delayed: 3, failed: 4, oldestWaiting: 5 },
    ];
    await redis.set(SYSTEM_KEYS.queues, JSON.stringify(queues));
    await redis.set(SYSTEM_KEYS.lastSchedulerTick, '2026-11-21T02:00:00.000Z');
    expect(await service.status()).toMatchObject({ queues, lastSchedulerTick: '2026-11-21T02:00:00.000Z' });
  });

  it('shows the newest mails of both outboxes and what became of them', async () => {
    await mail({ owner: 'events', job: 'mail.reminder', age: 4 * MINUTE, done: true, skipped: true });
    await mail({ job: 'mail.welcome', age: 3 * MINUTE, done: true, attempts: 1 });
    await mail({
      owner: 'events',
      job: 'mail.registrationConfirmed',
      age: 2 * MINUTE,
      attempts: 2,
      error: 'refused',
    });
    await mail({ job: 'mail.code', age: MINUTE });
    await mail({ job: 'audit.record' });
    await mail({ owner: 'events', job: 'mail.eventChangedFanOut' });
    expect((await service.status()).lastMails).toMatchObject([
      { kind: 'mail.code', state: 'waiting', sentAt: null, attempts: 0 },
      {
        kind: 'mail.registrationConfirmed',
        state: 'failing',
        sentAt: null,
        attempts: 2,
        lastError: 'refused',
      },
      { kind: 'mail.welcome', state: 'sent', sentAt: expect.any(String), lastError: null },
      { kind: 'mail.reminder', state: 'skipped', sentAt: null, lastError: null },
    ]);
  });

  it('says whom each mail is for, as long as the account exists', async () => {
    const ada = await insertUser(stores.owner);
    const { id: registrationId } = await insertRegistration(stores.owner, {
      eventId: (await insertEvent(stores.owner)).id,
      userId: ada.id,
    });
    const flowId = uuid();
    await stores.owner.query(
      `INSERT INTO auth.code_flows (id, purpose, email, user_id, link_hash, expires_at, link_expires_at)
       VALUES ($1, 'reset', $2, $3, $4, now(), now())`,
      [flowId, ada.email, ada.id, Buffer.alloc(32)],
    );
    await mail({ job: 'mail.welcome', age: 5, payload: { userId: ada.id } });
    await mail({ job: 'mail.code', age: 4, payload: { flowId } });
    await mail({
      job: 'mail.emailChanged',
      age: 3,
      payload: { userId: ada.id, oldEmail: 'before@example.org' },
    });
    await mail({ owner: 'events', job: 'mail.reminder', age: 2, payload: { registrationId } });
    await mail({ owner: 'events', job: 'mail.eventChanged', age: 1, payload: { userId: ada.id } });
    const recipients = async () =>
      (await service.status()).lastMails.map(({ kind, recipient }) => [kind.replace('mail.', ''), recipient]);
    expect(await recipients()).toEqual([
      ['eventChanged', ada.email],
      ['reminder', ada.email],
      ['emailChanged', 'before@example.org'],
      ['code', ada.email],
      ['welcome', ada.email],
    ]);
    await stores.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.id]);
    // The mails that name the account go with it; what names another row of it alone has no recipient any more.
    expect(await recipients()).toEqual([
      ['reminder', null],
      ['code', null],
    ]);
  });

  it('says whom a mail is for who has no account', async () => {
    const { id: eventId } = await insertEvent(stores.owner);
    const [place, subscriptionId, requestId] = [uuid(), uuid(), uuid()];
    await stores.owner.query(
      `INSERT INTO events.event_registrations (id, event_id, guest_name, guest_email, show_me)
       VALUES ($1, $2, 'Grace', 'grace@example.org', 'no')`,
      [place, eventId],
    );
    await stores.owner.query(
      `INSERT INTO events.subscriptions (id, email, announcements, digest) VALUES ($1, 'reader@example.org', true, true)`,
      [subscriptionId],
    );
    await stores.owner.query(
      `INSERT INTO events.subscription_requests (id, email, topic_ids, digest) VALUES ($1, 'new@example.org', '{}', true)`,
      [requestId],
    );
    const payloads = [
      { registrationId: place },
      { guest: { name: 'Gone', email: 'gone@example.org' } },
      { subscriptionId },
      { requestId },
    ];
    for (const [n, payload] of payloads.entries())
      await mail({ owner: 'events', job: 'mail.any', age: (n + 1) * MINUTE, payload });
    const { lastMails } = await service.status();
    expect(lastMails.map(({ recipient }) => recipient)).toEqual([
      'grace@example.org',
      'gone@example.org',
      'reader@example.org',
      'new@example.org',
    ]);
  });

  it('names the addresses that the mail server refuses for good, and why, behind any number of newer mails', async () => {
    const ada = await insertUser(stores.owner);
    const flowId = uuid();
    await stores.owner.query(
      `INSERT INTO auth.code_flows (id, purpose, email, link_hash, expires_at, link_expires_at, event_id, first_name, last_name, waitlist)
       VALUES ($1, 'rsvp', 'nobody@example.org', $2, now(), now(), $1, 'Ada', 'King', false)`,
      [flowId, Buffer.alloc(32, 1)],
    );
    const refused = { age: MINUTE, done: true, attempts: 1, error: '550 no such mailbox' };
    await mail({ owner: 'events', job: 'mail.eventChanged', payload: { userId: ada.id }, ...refused });
    await mail({ job: 'mail.code', payload: { flowId }, ...refused, age: 2 * MINUTE });
    await mail({ job: 'mail.welcome', payload: { userId: ada.id }, attempts: 3, error: '451 try again' });
    for (let n = 0; n < 20; n += 1) await mail({ done: true, attempts: 1 });
    const { lastMails, refusedMails } = await service.status();
    expect(lastMails.map(({ state }) => state)).not.toContain('refused');
    expect(refusedMails).toMatchObject([
      {
        kind: 'mail.eventChanged',
        state: 'refused',
        recipient: ada.email,
        lastError: refused.error,
        attempts: 1,
      },
      { kind: 'mail.code', state: 'refused', recipient: 'nobody@example.org', lastError: refused.error },
    ]);
  });

  it('shows twenty mails at most', async () => {
    for (let i = 0; i < 15; i += 1) {
      await mail({ age: i });
      await mail({ owner: 'events', job: 'mail.reminder', age: i });
    }
    expect((await service.status()).lastMails).toHaveLength(20);
  });

  it('is a 503 while Redis is away', async () => {
    const away = new WorkerStatus(stores.config, new RedisClock());
    away.onApplicationShutdown();
    await expect(serviceWith(away).status()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
