import { randomUUID } from 'node:crypto';
import {
  SYSTEM_KEYS,
  TestMail,
  type QueueStatus,
  type ChecklistName,
  EventChanged,
  GetChecklist,
  MAIL_RECORDS,
  type MailRecord,
  type RecordState,
} from '@meetmark/contracts';
import { RedisClock } from '@meetmark/platform';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';
import { insertEvent, insertRegistration, daysFromNow } from '@meetmark/testing/factories/events';
import {
  insertAdministrator,
  insertRow,
  insertUser,
  type Queryable,
} from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { refuses, serviceForTests } from '@meetmark/platform/testing/test-service';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { openAdmin, openAdminStores } from '../testing/open-admin.js';
import type { SettingsService } from '../settings/settings.service.js';
import { ReplicaStatus, SystemService } from './system-status.js';

const MINUTE = 60_000;

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

const insertMail = (
  database: Queryable,
  { owner = 'auth', job = TestMail.name, age = 0, done = false, error = null, ...row }: Mail,
) =>
  insertRow(database, `${owner}.outbox`, {
    ...{ id: uuid(), job, payload: {}, attempts: 0, createdAt: new Date(Date.now() - age) },
    ...{ doneAt: done ? new Date() : null, lastError: error, ...row },
  });

describe('the system status', () => {
  /** Reports no left-out settings. settings.spec.ts tests them. */
  const settings = { leftOut: () => Promise.resolve([]) } as unknown as SettingsService;
  const stores = serviceForTests(openAdminStores);
  let worker: ReplicaStatus;
  let service: SystemService;
  const serviceWith = (own: ReplicaStatus) => new SystemService(stores.dataSource, own, settings);
  let redis: ReturnType<typeof redisConnection>;
  beforeAll(async () => {
    worker = new ReplicaStatus(stores.config, new RedisClock());
    service = serviceWith(worker);
    redis = redisConnection(stores.redis.ownerUrl);
    await connectForever(redis);
  });
  beforeEach(async () => {
    await redis.flushdb();
    await stores.owner.query('TRUNCATE auth.outbox, events.outbox');
  });
  afterAll(() => {
    worker.onApplicationShutdown();
    redis.disconnect();
  });

  const mail = (given: Mail) => insertMail(stores.owner, given);

  it('shows no replicas, queues or emails before anything runs', async () => {
    expect(await service.status()).toEqual({
      processes: ['auth', 'events', 'admin', 'worker', 'gateway'].map((name) => ({ name, replicas: 0 })),
      queues: [],
      lastMails: [],
      leftOutSettings: [],
      refusedMails: [],
      lastSchedulerTick: null,
      lastBackup: null,
      lastRetention: null,
    });
  });

  it('shows the time of the last backup', async () => {
    const lastBackup = '2026-11-21T03:00:00.000Z';
    await stores.owner.query('INSERT INTO admin.last_backup (made_at) VALUES ($1)', [lastBackup]);
    expect(await service.status()).toMatchObject({ lastBackup });
    const { rows } = await stores.owner.query<{ at: Date }>('SELECT admin.note_backup() AS at');
    expect(rows[0]!.at.getTime()).toBeGreaterThan(Date.now() - MINUTE);
    expect(await service.status()).toMatchObject({ lastBackup: rows[0]!.at.toISOString() });
  });

  it('shows when old data was last deleted, and how much', async () => {
    const lastRetention = { ranAt: '2026-11-21T03:00:00.000Z', removed: { answersDays: 12 } };
    await stores.owner.query('INSERT INTO admin.retention_run (ran_at, removed) VALUES ($1, $2)', [
      ...[lastRetention.ranAt, lastRetention.removed],
    ]);
    expect(await service.status()).toMatchObject({ lastRetention });
  });

  it('counts replicas with a recent heartbeat, and gateways that cannot process images', async () => {
    const [fresh, stale] = [Date.now() + MINUTE, Date.now() - MINUTE];
    await redis.zadd(SYSTEM_KEYS.replicas('worker'), fresh, 'one', fresh, 'two', stale, 'dead');
    await redis.zadd(SYSTEM_KEYS.replicas('gateway'), fresh, 'one');
    expect((await service.status()).processes.slice(3)).toEqual([
      { name: 'worker', replicas: 2 },
      { name: 'gateway', replicas: 1 },
    ]);
    await redis.zadd(SYSTEM_KEYS.withoutPictures, fresh, 'one', stale, 'two');
    const gateway = { name: 'gateway', replicas: 1, withoutPictures: 1 };
    expect((await service.status()).processes[4]).toEqual(gateway);
  });

  it('shows the queues and the scheduler tick that the worker reported', async () => {
    const queues: QueueStatus[] = [
      { name: 'mail', waiting: 1, active: 2, delayed: 3, failed: 4, oldestWaiting: 5 },
    ];
    await redis.set(SYSTEM_KEYS.queues, JSON.stringify(queues));
    await redis.set(SYSTEM_KEYS.lastSchedulerTick, '2026-11-21T02:00:00.000Z');
    expect(await service.status()).toMatchObject({ queues, lastSchedulerTick: '2026-11-21T02:00:00.000Z' });
  });

  it('shows the newest emails of both outboxes with their state', async () => {
    await mail({ owner: 'events', job: 'mail.reminder', age: 4 * MINUTE, done: true, skipped: true });
    await mail({ job: 'mail.welcome', age: 3 * MINUTE, done: true, attempts: 1 });
    const confirmation = { owner: 'events', job: 'mail.registrationConfirmed' } as const;
    await mail({ ...confirmation, age: 2 * MINUTE, attempts: 2, error: 'refused' });
    await mail({ job: 'mail.code', age: MINUTE });
    await mail({ job: 'audit.record' });
    await mail({ owner: 'events', job: 'mail.eventChangedFanOut' });
    expect((await service.status()).lastMails).toMatchObject([
      { kind: 'mail.code', state: 'waiting', sentAt: null, attempts: 0 },
      {
        ...{ kind: 'mail.registrationConfirmed', state: 'failing', sentAt: null, attempts: 2 },
        ...{ nextAttemptAt: expect.any(String), lastError: 'refused' },
      },
      {
        ...{ kind: 'mail.welcome', state: 'sent', sentAt: expect.any(String) },
        ...{ nextAttemptAt: null, lastError: null },
      },
      { kind: 'mail.reminder', state: 'skipped', sentAt: null, lastError: null },
    ]);
  });

  it('shows each email’s recipient until the recipient’s account is deleted', async () => {
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
    const payload = { userId: ada.id, oldEmail: 'before@example.org' };
    await mail({ job: 'mail.emailChanged', age: 3, payload });
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
    // The account's own jobs are deleted with it. Emails for its registration or code remain without
    // recipient.
    expect(await recipients()).toEqual([
      ['reminder', null],
      ['code', null],
    ]);
  });

  it('shows recipients without an account', async () => {
    const { id: eventId } = await insertEvent(stores.owner);
    const [place, subscriptionId, requestId] = [uuid(), uuid(), uuid()];
    const guest = { guestName: 'Grace', guestEmail: 'grace@example.org', showMe: 'no' };
    await insertRow(stores.owner, 'events.event_registrations', { id: place, eventId, ...guest });
    await insertRow(stores.owner, 'events.subscriptions', {
      ...{ id: subscriptionId, email: 'reader@example.org', announcements: true, digest: true },
    });
    await insertRow(stores.owner, 'events.subscription_requests', {
      ...{ id: requestId, email: 'new@example.org', topicIds: '{}', digest: true },
    });
    const payloads = [
      { registrationId: place },
      { guest: { name: 'Gone', email: 'gone@example.org' } },
      { subscriptionId },
      { requestId },
    ];
    for (const [n, payload] of payloads.entries())
      await mail({ owner: 'events', job: 'mail.any', age: (n + 1) * MINUTE, payload });
    const { lastMails } = await service.status();
    expect(lastMails.map(({ recipient }) => recipient!.split('@')[0])).toEqual([
      ...['grace', 'gone', 'reader', 'new'],
    ]);
  });

  it('lists refused emails with recipient and error, even behind the twenty newest emails', async () => {
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
    for (let n = 0; n < 24; n += 1) await mail({ owner: n % 2 ? 'auth' : 'events', done: true, attempts: 1 });
    const { lastMails, refusedMails } = await service.status();
    expect(lastMails).toHaveLength(20);
    expect(lastMails.map(({ state }) => state)).not.toContain('refused');
    const shown = { state: 'refused', lastError: refused.error, attempts: 1 };
    expect(refusedMails).toMatchObject([
      { kind: 'mail.eventChanged', recipient: ada.email, ...shown },
      { kind: 'mail.code', recipient: 'nobody@example.org', ...shown },
    ]);
  });

  it('fails with SERVICE_UNAVAILABLE while Redis is down', async () => {
    const away = new ReplicaStatus(stores.config, new RedisClock());
    away.onApplicationShutdown();
    await refuses('SERVICE_UNAVAILABLE', serviceWith(away).status());
  });
});

describe('the checklist of the first month', () => {
  const admin = serviceForTests(openAdmin);
  const get = () => admin.send(GetChecklist, {});
  const query = (sql: string, values?: unknown[]) => admin.owner.query(sql, values);
  /** Returns an item as 'count/needed', with an exclamation mark if the item is done. */
  const state = async (name: ChecklistName) => {
    const { count, needed, done } = (await get()).items.find((item) => item.name === name)!;
    return `${count}/${needed}${done ? '!' : ''}`;
  };
  const mail = (given: Mail) => insertMail(admin.owner, { owner: 'events', done: true, ...given });

  it('starts with every item open, in a fixed order', async () => {
    await insertSettings(admin.owner, { terms: null, privacy: null });
    const { items, ...rest } = await get();
    expect(items.map(({ name, count, needed, done }) => `${name} ${count}/${needed} ${done}`)).toEqual([
      'mail 0/4 false',
      'legalPages 0/2 false',
      'secondFactor 0/1 false',
      'members 1/10 false',
      'topics 0/1 false',
      'firstEvent 0/1 false',
      'firstEvening 0/1 false',
      'backup 0/1 false',
    ]);
    expect(rest).toEqual({ mailArrived: false, mailCheck: null, lastBackup: null });
  });

  it('advances the email item after a sent test email or a verified member', async () => {
    for (const ignored of [
      { job: EventChanged.name },
      { done: false },
      { error: '550 refused' },
      { skipped: true },
    ])
      await mail(ignored);
    await insertUser(admin.owner, { emailVerifiedAt: null });
    expect(await state('mail')).toBe('0/4');
    await mail({});
    expect(await state('mail')).toBe('1/4');
    await query('TRUNCATE events.outbox');
    expect(await state('mail')).toBe('0/4');
    await insertUser(admin.owner);
    expect((await get()).mailArrived).toBe(true);
    expect(await state('mail')).toBe('1/4');
  });

  it('counts the mail records found by the last check', async () => {
    const records = (...states: string[]): MailRecord[] =>
      MAIL_RECORDS.map((name, at) => ({ name, state: states[at] as RecordState, host: null, value: null }));
    const check = (...states: string[]) =>
      query(
        `INSERT INTO admin.mail_check (domain, selector, records) VALUES ('meet.example', 's1', $1)
         ON CONFLICT (is_last) DO UPDATE SET records = excluded.records`,
        [JSON.stringify(records(...states))],
      );
    await check('found', 'unknown', 'missing');
    expect(await state('mail')).toBe('2/4');
    await check('found', 'found', 'found');
    expect(await state('mail')).toBe('4/4!');
    expect((await get()).mailCheck).toEqual({
      ...{ domain: 'meet.example', selector: 's1', records: records('found', 'found', 'found') },
      checkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await expect(check('found', 'perhaps', 'found')).rejects.toMatchObject({ code: '23514' });
  });

  it('counts legal pages and owners with a second factor', async () => {
    await insertSettings(admin.owner, { terms: 'Be kind.', privacy: null });
    expect(await state('legalPages')).toBe('1/2');
    await insertSettings(admin.owner, { terms: 'Be kind.', privacy: 'We keep little.' });
    expect(await state('legalPages')).toBe('2/2!');
    const { id } = await insertAdministrator(admin.owner);
    await query('UPDATE auth.users SET second_factor = true WHERE id = $1', [id]);
    expect(await state('secondFactor')).toBe('1/2');
    await query('UPDATE auth.users SET second_factor = true WHERE is_admin');
    expect(await state('secondFactor')).toBe('2/2!');
  });

  it('counts members, topics, published events and past events with a registration', async () => {
    while (!(await state('members')).startsWith('9/')) await insertUser(admin.owner);
    expect(await state('members')).toBe('9/10');
    await insertUser(admin.owner);
    expect(await state('members')).toBe('10/10!');
    await insertRow(admin.owner, 'events.topics', {
      id: randomUUID(),
      slug: 'rust',
      name: 'Rust',
      place: 1,
    });
    expect(await state('topics')).toBe('1/1!');

    const { sub: createdById } = admin.administrator;
    await insertEvent(admin.owner, { createdById, status: 'draft' });
    expect(await state('firstEvent')).toBe('0/1');
    const past = { createdById, startDate: daysFromNow(-2), endDate: daysFromNow(-1) };
    const ahead = await insertEvent(admin.owner, { createdById });
    const held = await insertEvent(admin.owner, past);
    expect([await state('firstEvent'), await state('firstEvening')]).toEqual(['2/1!', '0/1']);
    await insertRegistration(admin.owner, { eventId: ahead.id, userId: createdById });
    expect(await state('firstEvening')).toBe('0/1');
    await insertRegistration(admin.owner, { eventId: held.id, userId: createdById });
    expect(await state('firstEvening')).toBe('1/1!');
  });

  it('counts a backup of the last seven days', async () => {
    const noted = (age: number) =>
      query(
        `INSERT INTO admin.last_backup (made_at) VALUES (now() - $1 * interval '1 day')
         ON CONFLICT (is_last) DO UPDATE SET made_at = excluded.made_at`,
        [age],
      );
    await noted(7.1);
    expect(await state('backup')).toBe('0/1');
    expect((await get()).lastBackup).not.toBeNull();
    await noted(6.9);
    expect(await state('backup')).toBe('1/1!');
  });
});
