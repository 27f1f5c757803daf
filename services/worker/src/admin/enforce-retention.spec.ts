import { randomUUID } from 'node:crypto';
import {
  type CommunitySettings,
  EnforceRetention,
  PUBLIC_EVENTS_VERSION,
  type RetentionRun,
  type RetentionSetting,
  SOMEONE,
} from '@meetmark/contracts';
import { COMMUNITY } from '@meetmark/platform';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser, type UserRow } from '@meetmark/testing/factories/users';
import type { INestApplicationContext } from '@nestjs/common';
import { workersForTests, zoneAtNight } from '../testing/test-worker.js';
import { EnforceRetentionJob, isNight } from './enforce-retention.js';

const KEPT: Record<RetentionSetting, null> = {
  ...{ auditNamesDays: null, answersDays: null, checkInsDays: null, unconfirmedAccountsDays: null },
};

describe('the retention of old data', () => {
  const workers = workersForTests();
  let app: INestApplicationContext;
  beforeAll(async () => {
    app = await workers.startHandlers();
  });
  const query = <T = unknown[]>(sql: string, values?: unknown[]) => workers.owner.query<T>(sql, values);

  beforeEach(async () => {
    await query('TRUNCATE admin.retention_run');
  });

  const enforce = async (settings: Partial<CommunitySettings>) => {
    Object.assign(app.get<object>(COMMUNITY), KEPT, settings);
    await app.get(EnforceRetentionJob).run();
    const [last] = await query<[RetentionRun?]>('SELECT removed FROM admin.retention_run');
    return last?.removed;
  };
  const endedFor = (days: number) =>
    insertEvent(workers.owner, { startDate: daysFromNow(-days - 0.1), endDate: daysFromNow(-days) });
  const register = async (eventId: string) => {
    const { id: userId } = await insertUser(workers.owner);
    return (await insertRegistration(workers.owner, { eventId, userId })).id;
  };

  it('removes nothing while every setting is off', async () => {
    const { id } = await insertUser(workers.owner, { emailVerifiedAt: null, createdAt: daysFromNow(-4_000) });
    expect(await enforce({})).toBeUndefined();
    expect(await query('SELECT id FROM auth.users WHERE id = $1', [id])).toEqual([{ id }]);
  });

  it('replaces people in audit entries that are old enough', async () => {
    const { id: ada } = await insertUser(workers.owner);
    const event = randomUUID();
    const record = (daysAgo: number, given: object) =>
      workers.insert('admin.audit_log', {
        ...{ id: randomUUID(), action: 'user.updated', actorId: ada, at: daysFromNow(-daysAgo), ...given },
      });
    const changedValues = { email: { before: 'a…@e….org', after: null }, role: {} };
    for (const daysAgo of [41, 39]) await record(daysAgo, { subjectId: ada, changedValues });
    await record(50, { action: 'event.updated', subjectId: event, subjectName: 'Tea' });
    expect(await enforce({ auditNamesDays: 40 })).toEqual({ auditNamesDays: 2 });
    const entries = await query(
      `SELECT actor_id AS actor, subject_id AS subject, subject_name AS name, changed_values AS values
       FROM admin.audit_log ORDER BY at`,
    );
    expect(entries).toEqual([
      { actor: SOMEONE, subject: event, name: 'Tea', values: {} },
      { actor: SOMEONE, subject: SOMEONE, name: null, values: { role: {} } },
      { actor: ada, subject: ada, name: null, values: { email: expect.anything(), role: {} } },
    ]);
    expect(await enforce({ auditNamesDays: 40 })).toEqual({ auditNamesDays: 0 });
  });

  it('removes answers once the event has ended long enough ago', async () => {
    const [old, young] = await Promise.all([endedFor(41), endedFor(39)]);
    const registrations = [await register(old.id), await register(young.id)];
    const questions = [{ id: 'diet', kind: 'text', label: 'Diet?', required: false, options: [] }];
    for (const { id } of [old, young])
      await workers.insert('events.event_contents', { eventId: id, questions: JSON.stringify(questions) });
    const answers = { diet: 'No nuts' };
    for (const id of registrations) await workers.update('events.event_registrations', id, { answers });
    expect(await enforce({ answersDays: 40 })).toEqual({ answersDays: 1 });
    const left = await query('SELECT id, answers FROM events.event_registrations WHERE id = ANY ($1)', [
      registrations,
    ]);
    const kept = [null, answers].map((each, index) => ({ id: registrations[index], answers: each }));
    expect(left).toEqual(expect.arrayContaining(kept));
  });

  it('removes all check-ins of an event, so that nobody counts as missing', async () => {
    const [old, young] = await Promise.all([endedFor(41), endedFor(39)]);
    const checkIn = async (eventId: string) => {
      const registrationId = await register(eventId);
      await workers.insert('events.check_ins', {
        eventId,
        key: randomUUID(),
        registrationId,
        at: new Date(),
      });
    };
    for (const { id } of [old, old, young]) await checkIn(id);
    await register(old.id);
    const linkId = randomUUID();
    await workers.insert('events.door_links', { id: linkId, eventId: old.id, tokenHash: Buffer.alloc(32) });
    await workers.insert('events.door_refusals', {
      ...{ linkId, key: randomUUID(), at: new Date(), reason: 'expired', guestName: 'Ada' },
    });
    expect(await enforce({ checkInsDays: 40 })).toEqual({ checkInsDays: 2 });
    const known = (id: string) => query('SELECT events.knows_who_came($1) AS known', [id]);
    expect([await known(old.id), await known(young.id)]).toEqual([[{ known: false }], [{ known: true }]]);
    expect(await query('SELECT FROM events.check_ins')).toHaveLength(1);
    expect(await query('SELECT FROM events.door_refusals')).toEqual([]);
  });

  it('deletes old accounts without a verified email address, unless they are in use', async () => {
    const { owner } = workers;
    await query('DELETE FROM auth.users WHERE email_verified_at IS NULL');
    const insert = (days: number, given: Partial<UserRow> = {}) =>
      insertUser(owner, { emailVerifiedAt: null, createdAt: daysFromNow(-days), ...given });
    const [gone, young] = [await insert(41), await insert(39)];
    const [registered, organiser] = [await insert(41), await insert(41, { isOrganiser: true })];
    const [named, signedIn, waiting] = [await insert(41), await insert(41), await insert(41)];
    const upcoming = await insertEvent(owner, { createdById: (await insertAdministrator(owner)).id });
    const full = await insertEvent(owner, { createdById: upcoming.createdById, capacity: 1 });
    await insertRegistration(owner, { eventId: full.id, userId: (await insertUser(owner)).id });
    const past = await endedFor(50);
    await insertRegistration(owner, { eventId: past.id, userId: gone.id });
    await insertRegistration(owner, { eventId: upcoming.id, userId: registered.id });
    await insertRegistration(owner, { eventId: full.id, userId: waiting.id, status: 'waitlisted' });
    await workers.insert('events.event_people', {
      ...{ eventId: upcoming.id, role: 'host', position: 0, userId: named.id },
    });
    await workers.insert('gateway.sessions', {
      ...{ sid: 's', sess: {}, expire: daysFromNow(1), userId: signedIn.id },
    });
    const { redis } = workers;
    const version = Number(await redis.get(PUBLIC_EVENTS_VERSION));
    expect(await enforce({ unconfirmedAccountsDays: 40 })).toEqual({ unconfirmedAccountsDays: 1 });
    const left = await query<{ id: string }[]>('SELECT id FROM auth.users WHERE email_verified_at IS NULL');
    const kept = [young, registered, organiser, named, signedIn, waiting].map(({ id }) => id);
    expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(Number(await redis.get(PUBLIC_EVENTS_VERSION))).toBe(version + 1);
  });

  it('refuses shorter times than the settings allow', async () => {
    const { id } = await insertUser(workers.owner);
    await workers.insert('admin.audit_log', {
      ...{ id, action: 'user.created', actorId: id, at: daysFromNow(-29) },
    });
    for (const name of [
      ...['admin.forget_audit_names', 'events.forget_answers', 'events.forget_check_ins'],
      'auth.delete_unconfirmed_account',
    ])
      await workers.asWorker.query(`SELECT ${name}(0)`);
    expect(await query('SELECT actor_id FROM admin.audit_log WHERE id = $1', [id])).toEqual([
      { actor_id: id },
    ]);
  });

  it('finishes the other kinds when one fails, and records no run', async () => {
    const revoked = 'FUNCTION admin.forget_audit_names FROM meetmark_worker';
    await query(`REVOKE EXECUTE ON ${revoked}`);
    await insertUser(workers.owner, { emailVerifiedAt: null, createdAt: daysFromNow(-50) });
    const settings = { auditNamesDays: 40, unconfirmedAccountsDays: 40 };
    await expect(enforce(settings)).rejects.toThrow('1 parts of the retention failed');
    await query(`GRANT EXECUTE ON ${revoked.replace(' FROM ', ' TO ')}`);
    expect(await query('SELECT FROM admin.retention_run')).toEqual([]);
    expect(await enforce(settings)).toMatchObject({ unconfirmedAccountsDays: 0 });
  });

  it('runs once per night, in the community’s time zone', async () => {
    expect(isNight(new Date('2026-11-21T02:00:00Z'), 'Europe/London')).toBe(true);
    expect(isNight(new Date('2026-11-21T02:00:00Z'), 'America/New_York')).toBe(false);
    expect(isNight(new Date('2026-11-21T11:00:00Z'), 'America/New_York')).toBe(false);
    Object.assign(app.get<object>(COMMUNITY), KEPT, { timeZone: zoneAtNight(), checkInsDays: 40 });
    const run = async () => {
      await workers.run('auth', EnforceRetention, {});
      return query('SELECT ran_at FROM admin.retention_run');
    };
    const first = await run();
    expect(first).toHaveLength(1);
    expect(await run()).toEqual(first);
  });
});
