import { randomUUID } from 'node:crypto';
import { DeleteClosedAccounts, EnforceRetention, SOMEONE } from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { workersForTests, zoneAtNight } from '../testing/test-worker.js';
import { killHalfway } from '../testing/worker-process.js';

describe('a worker killed in the middle of deleting', () => {
  const workers = workersForTests();
  afterEach(() => workers.stopWorkers());
  const query = <T = unknown[]>(sql: string, values?: unknown[]) => workers.owner.query<T>(sql, values);

  const register = async (eventId: string, userId: string) =>
    insertRegistration(workers.owner, { eventId, userId, registeredAt: daysFromNow(-60) });
  const finish = async () => {
    await workers.start();
    await workers.allDone();
  };

  it('closed accounts is replaced by one that deletes the others', async () => {
    const { id: createdById } = await insertAdministrator(workers.owner);
    const due: { userId: string; eventId: string }[] = [];
    for (const days of [10, 9, 8]) {
      const { id: userId } = await insertUser(workers.owner);
      const { id: eventId } = await insertEvent(workers.owner, { startDate: daysFromNow(-20), createdById });
      await register(eventId, userId);
      await workers.update('auth.users', userId, { closedAt: daysFromNow(-days) });
      due.push({ userId, eventId });
    }
    const listLeft = () =>
      query('SELECT id FROM auth.users WHERE id = ANY ($1)', [due.map(({ userId }) => userId)]);
    await workers.ask('auth', DeleteClosedAccounts, {});
    // The worker waits for this lock after it has deleted the first account.
    const lock = `SELECT FROM events.events WHERE id = '${due[1]!.eventId}' FOR UPDATE`;
    await killHalfway(workers, lock, async () => (await listLeft()).length === 2);

    await finish();
    expect(await listLeft()).toEqual([]);
    const registrations = await query(
      `SELECT registration.user_id AS user, event.registration_count AS count
       FROM events.event_registrations AS registration JOIN events.events AS event ON event.id = registration.event_id`,
    );
    expect(registrations).toEqual(due.map(() => ({ user: null, count: 1 })));
  });

  it('old data is replaced by one that deletes the rest and records the run', async () => {
    const { owner } = workers;
    const days = { auditNamesDays: 40, checkInsDays: 40, unconfirmedAccountsDays: 40 };
    await insertSettings(owner, { timeZone: zoneAtNight(), ...days });
    const unconfirmed = await insertUser(owner, { emailVerifiedAt: null, createdAt: daysFromNow(-50) });
    const { id: eventId } = await insertEvent(owner, { startDate: daysFromNow(-50) });
    for (const { id: userId } of [await insertUser(owner), await insertUser(owner)])
      await workers.insert('events.check_ins', {
        ...{
          eventId,
          key: randomUUID(),
          registrationId: (await register(eventId, userId)).id,
          at: new Date(),
        },
      });
    await workers.insert('admin.audit_log', {
      ...{ id: randomUUID(), action: 'user.updated', actorId: randomUUID(), at: daysFromNow(-50) },
    });
    const listActors = () => query<{ actor: string }[]>('SELECT actor_id AS actor FROM admin.audit_log');
    const runs = () => query('SELECT removed FROM admin.retention_run');
    await workers.ask('auth', EnforceRetention, {});
    // The worker waits for this lock after it has replaced the people in audit entries.
    const lock = `SELECT pg_advisory_xact_lock(hashtextextended('door ${eventId}', 0))`;
    await killHalfway(workers, lock, async () => (await listActors())[0]!.actor === SOMEONE);
    expect(await runs()).toEqual([]);

    await finish();
    expect(await query('SELECT FROM events.check_ins')).toEqual([]);
    expect(await query('SELECT FROM events.event_registrations WHERE checked_in_at IS NOT NULL')).toEqual([]);
    expect(await query('SELECT FROM auth.users WHERE id = $1', [unconfirmed.id])).toEqual([]);
    expect(await listActors()).toEqual([{ actor: SOMEONE }]);
    expect(await runs()).toEqual([
      {
        removed: Object.fromEntries(Object.keys(days).map((name) => [name, expect.any(Number) as number])),
      },
    ]);
  });
});
