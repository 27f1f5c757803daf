import { randomBytes, randomUUID } from 'node:crypto';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { insertUser } from '@meetmark/testing/factories/users';
import { loadCommunity } from '@meetmark/platform';
import { workersForTests } from '../testing/test-worker.js';
import { CleanUpJob } from './clean-up.js';
import { RegistrationActivity } from './roll-up-activity.js';

const HOURS = 1 / 24;
const hash = () => randomBytes(32);

describe('the clean-up', () => {
  const workers = workersForTests();
  let userId: string;
  let eventId: string;

  beforeAll(async () => {
    userId = (await insertUser(workers.owner)).id;
    eventId = (await insertEvent(workers.owner)).id;
  });

  const cleanUp = async () => {
    const settings = loadCommunity(workers.config.communityConfig);
    const activity = new RegistrationActivity(workers.asWorker, settings);
    await new CleanUpJob(workers.asWorker, activity, workers.config).handle();
  };
  const read = (table: string) => workers.owner.query<{ hash: string }[]>(`SELECT * FROM ${table}`);
  const session = (expire: Date) => ({ sid: randomUUID(), sess: {}, expire, userId });
  const codeFlow = (createdAt: Date, linkExpiresAt: Date) => ({
    ...{ id: randomUUID(), purpose: 'reset', email: 'a@b.co', linkHash: hash(), expiresAt: createdAt },
    ...{ createdAt, linkExpiresAt },
  });
  const hostMessage = (writtenAt: Date) => ({
    ...{ id: randomUUID(), eventId, hostId: userId, writerHash: hash(), writtenAt },
  });
  const edit = (editedAt: Date) => ({
    ...{ version: Math.round(editedAt.getTime() / 1_000), changed: [], editedAt },
  });
  const imported = (state: string, createdAt: Date) => ({
    ...{ id: randomUUID(), createdById: userId, fileName: 'events.csv', state, createdAt },
  });
  const job = (times: object, name = 'x') => ({ id: randomUUID(), job: name, payload: {}, ...times });

  it.each<[string, number, (at: Date) => object]>([
    ['gateway.sessions', 0, session],
    ['gateway.idempotency_keys', 0, (expire) => ({ userId, key: randomUUID(), requestHash: '', expire })],
    ['gateway.maps', 30, (fetchedAt) => ({ key: hash(), picture: hash(), fetchedAt })],
    [
      ...(['gateway.security_events', 90] as const),
      (at) => ({ id: randomUUID(), kind: 'sign-in', network: 'n'.repeat(22), requestId: 'r', at }),
    ],
    ['auth.pending_sign_ins', 0, (expiresAt) => ({ tokenHash: hash(), userId, sessionEpoch: 1, expiresAt })],
    ['auth.code_flows', 1, (at) => codeFlow(at, at)],
    ['auth.code_flows', 0, (until) => codeFlow(daysFromNow(-3), until)],
    [
      ...(['auth.email_reverts', 1] as const),
      (expiresAt) => ({ id: randomUUID(), userId, email: 'a@b.co', linkHash: hash(), expiresAt }),
    ],
    ['auth.sign_ups', 1, (createdAt) => ({ keyHash: hash(), requestHash: hash(), userId, createdAt })],
    ['auth.profile_edits', 31, (at) => ({ userId, ...edit(at) })],
    ['events.event_edits', 31, (at) => ({ eventId, ...edit(at) })],
    ['events.imports', 1, (at) => imported('preview', at)],
    ['events.imports', 30, (at) => imported('done', at)],
    ['events.host_messages', 2, hostMessage],
    [
      ...(['events.host_messages', 7] as const),
      (at) => ({ ...hostMessage(at), name: 'Vera', email: 'a@b.co', body: 'Is there parking?' }),
    ],
    [
      ...(['events.deleted_events', 31] as const),
      (endDate) => ({
        ...{ id: randomUUID(), title: 'x', startDate: endDate, endDate, isAllDay: false, sequence: 1 },
        ...{ registeredUserIds: [], createdAt: new Date() },
      }),
    ],
    ['events.sent_mails', 1, (sentAt) => ({ id: randomUUID(), eventId, recipient: 'x', kind: 'x', sentAt })],
    ['admin.audit_log', 730, (at) => ({ id: randomUUID(), action: 'user.updated', actorId: userId, at })],
    ['auth.outbox', 7, (at) => job({ relayedAt: at, doneAt: at })],
    ['auth.outbox', 7, (relayedAt) => job({ relayedAt })],
    ['events.outbox', 7, (at) => job({ relayedAt: at, doneAt: at })],
    ['events.outbox', 7, (relayedAt) => job({ relayedAt })],
  ])('removes rows of %s after %d days', async (table, days, make) => {
    await workers.reset(table);
    await workers.insert(table, make(daysFromNow(-days + HOURS)));
    const kept = await read(table);
    await workers.insert(table, make(daysFromNow(-days - HOURS)));
    await cleanUp();
    expect(await read(table)).toEqual(kept);
  });

  it.each(['auth.outbox', 'events.outbox'])(
    'keeps unfinished audit entries and jobs that were never relayed in %s',
    async (table) => {
      await workers.reset();
      const at = daysFromNow(-800);
      await workers.insert(table, job({ relayedAt: at }, 'audit.record'));
      await workers.insert(table, job({ createdAt: at, availableAt: at }));
      await cleanUp();
      expect(await read(table)).toHaveLength(2);
    },
  );

  it('clears a pending email address that was not confirmed within a day', async () => {
    const [old, young] = [await insertUser(workers.owner), await insertUser(workers.owner)];
    const change = ({ id }: { id: string }, hours: number) =>
      workers.update('auth.users', id, {
        ...{ pendingEmail: 'new@example.org', pendingEmailAt: daysFromNow(-hours * HOURS) },
      });
    await change(old, 25);
    await change(young, 23);
    await cleanUp();
    const rows = await workers.owner.query('SELECT id FROM auth.users WHERE pending_email IS NOT NULL');
    expect(rows).toEqual([{ id: young.id }]);
  });

  it('clears the network of registrations once the event has started', async () => {
    const network = 'n'.repeat(22);
    for (const days of [-0.5, 1]) {
      const dates = { startDate: daysFromNow(days), endDate: daysFromNow(days + 1) };
      const event = await insertEvent(workers.owner, dates);
      const { id } = await insertRegistration(workers.owner, { eventId: event.id, userId });
      await workers.update('events.event_registrations', id, { network });
    }
    await cleanUp();
    const rows = await workers.owner.query(
      `SELECT network FROM events.event_registrations AS r JOIN events.events AS e ON e.id = r.event_id ORDER BY start_date`,
    );
    expect(rows).toEqual([{ network: null }, { network }]);
  });

  it.each<[string, (hash: string) => Promise<void>]>([
    ['a profile', (hash) => workers.update('auth.users', userId, { profilePictureHash: hash })],
    ['an event', (hash) => workers.update('events.events', eventId, { bannerHash: hash })],
    [
      'a gallery',
      (hash) => {
        const galleryPictures = JSON.stringify([{ id: randomUUID(), hash, alt: 'The hall' }]);
        return workers.update('events.events', eventId, { galleryPictures });
      },
    ],
    ['the community', (hash) => insertSettings(workers.owner, { logoUrl: `/media/community/${hash}.webp` })],
  ])('removes an unused image after a day, but not one of %s', async (owner, use) => {
    const schema = { 'a profile': 'auth', 'the community': 'admin' }[owner] ?? 'events';
    const add = async (daysAgo: number) => {
      const hash = randomBytes(32).toString('hex');
      const createdAt = daysFromNow(-daysAgo);
      await workers.insert(`${schema}.pictures`, { hash, bytes: 'x', width: 1, height: 1, createdAt });
      return hash;
    };
    const [used, unused, fresh] = [await add(2), await add(2), await add(HOURS)];
    await use(used);
    // Disables the trigger, to test that the query itself keeps gallery images. If the trigger kept them, the
    // batch would look incomplete, and the job would end early.
    const trigger = (does: 'DISABLE' | 'ENABLE') =>
      workers.owner.query(`ALTER TABLE events.pictures ${does} TRIGGER pictures_keep_of_gallery`);
    await trigger('DISABLE');
    try {
      await cleanUp();
    } finally {
      await trigger('ENABLE');
    }
    const left = (await read(`${schema}.pictures`)).map((picture) => picture.hash);
    expect(left).toEqual(expect.arrayContaining([used, fresh]));
    expect(left).not.toContain(unused);
  });

  it('removes the oldest security events of a kind without removing other kinds', async () => {
    const { owner } = workers;
    await workers.reset('gateway.security_events');
    const insert = (kind: string, count: number, age: string, counted = false) =>
      owner.query(
        `INSERT INTO gateway.security_events (id, kind, network, request_id, at, hour)
         SELECT gen_random_uuid(), $1, lpad(n::text, 22, 'n'), n, now() - $3::interval - n * interval '1 ms',
           CASE WHEN $4 THEN date_trunc('hour', now(), 'UTC') END
         FROM generate_series(1, $2::integer) AS n`,
        [kind, count, age, counted],
      );
    await insert('sign-in', 5, '60 days');
    await insert('locked-out', 60_010, '1 day');
    await insert('locked-out', 6_670, '1 hour', true);
    await cleanUp();
    const counts = await owner.query(
      `SELECT kind, count(*)::integer AS count, max(request_id::integer) AS oldest
       FROM gateway.security_events GROUP BY kind, hour IS NULL ORDER BY kind, oldest`,
    );
    expect(counts).toEqual([
      { kind: 'locked-out', count: 5_882, oldest: 5_882 },
      { kind: 'locked-out', count: 52_941, oldest: 52_941 },
      { kind: 'sign-in', count: 5, oldest: 5 },
    ]);
    await workers.reset('gateway.security_events');
  });

  it('removes more rows than fit in one batch', async () => {
    await workers.owner.query(
      `INSERT INTO gateway.sessions (sid, sess, expire, user_id)
       SELECT 'many' || n, '{}', now() - interval '1 minute', $1 FROM generate_series(1, 2500) n`,
      [userId],
    );
    await cleanUp();
    expect(await read("gateway.sessions WHERE sid LIKE 'many%'")).toEqual([]);
  });

  it('runs the remaining parts when one fails, then reports the failure', async () => {
    await workers.reset('auth.sign_ups', 'gateway.sessions');
    await workers.insert('auth.sign_ups', {
      ...{ keyHash: hash(), requestHash: hash(), userId, createdAt: daysFromNow(-2) },
    });
    await workers.owner.query('REVOKE DELETE ON gateway.sessions FROM meetmark_worker');
    await expect(cleanUp()).rejects.toThrow('1 parts of the clean-up failed');
    expect(await read('auth.sign_ups')).toEqual([]);
    await workers.owner.query('GRANT DELETE ON gateway.sessions TO meetmark_worker');
  });
});
