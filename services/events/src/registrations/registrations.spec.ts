import {
  EventCancelledMail,
  type RegisterRequest,
  RegistrationConfirmedMail,
  RollUpActivity,
  UnregisteredMail,
  getRegistrationState,
  type RegistrationState,
} from '@meetmark/contracts';
import { refuses } from '@meetmark/platform/testing/test-service';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { daysFromNow, type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import { updateRow } from '@meetmark/testing/factories/users';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import {
  createCall,
  eventForm,
  eventsForTests,
  inject,
  persistently,
  UNKNOWN,
} from '../testing/open-events.js';
import { shareEventLock, takeEventLock } from './participants.repository.js';
import { RegistrationsService } from './registrations.service.js';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { EventLifeService } from '../events/core/event-life.service.js';

const events = eventsForTests();

const service = inject(events, RegistrationsService);
const insert = async (given: Partial<EventRow> = {}) => (await insertEvent(events.owner, given)).id;
const fetchRows = (eventId: string) =>
  events.rows('SELECT * FROM events.event_registrations WHERE event_id = $1', eventId);
const fetchCount = async (eventId: string) => (await events.counts(eventId)).registered;

describe('registering', () => {
  let member: string;
  beforeEach(async () => {
    [member] = (await events.members(1)) as [string];
    await events.owner.query('DELETE FROM events.outbox');
  });

  const register = (eventId: string, given: Omit<RegisterRequest, 'eventId'> = {}, who = member) =>
    service.register({ eventId, ...given }, createCall(who));
  const unregister = (eventId: string, who = member) => service.unregister({ eventId }, createCall(who));

  it('creates a registration, counts it and queues a confirmation email and a roll-up', async () => {
    const eventId = await insert();
    const { created, registration } = await register(eventId);
    expect(created).toBe(true);
    expect(registration).toMatchObject({ userId: member, status: 'registered', selectedDate: null });
    expect(await fetchCount(eventId)).toBe(1);
    expect(await events.outbox(RegistrationConfirmedMail)).toEqual([
      { registrationId: registration.id, registeredAt: registration.registeredAt, own: true },
    ]);
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
  });

  it('registers members for other events while many wait for a locked event', async () => {
    const [locked, other] = [await insert(), await insert()];
    const crowd = await events.members(2 * events.config.databasePoolSize);
    await events.whileLocked('SELECT FROM events.events WHERE id = $1 FOR UPDATE', locked, async () => {
      const attempts = crowd.map((userId) => register(locked, {}, userId));
      const refused = outcomes(attempts);
      const first = await Promise.race([
        register(other),
        ...attempts.map((attempt) => attempt.catch(() => 'a refusal')),
      ]);
      expect(first).toMatchObject({ created: true });
      expect(Object.keys(await refused)).toEqual(['SERVICE_OVERLOADED']);
    });
  });

  it('returns the existing registration, without another email, even once the event has started', async () => {
    const eventId = await insert({ capacity: 1 });
    const { registration } = await register(eventId);
    const again = { created: false, registration };
    expect(await register(eventId)).toEqual(again);
    await updateRow(events.owner, 'events.events', eventId, { startDate: daysFromNow(-0.01) });
    expect(await register(eventId)).toEqual(again);
    expect(await fetchCount(eventId)).toBe(1);
    expect(await events.outbox(RegistrationConfirmedMail)).toHaveLength(1);
  });

  describe('with a visibility setting', () => {
    const shown = async (given: Omit<RegisterRequest, 'eventId'>, eventId: string) =>
      (await register(eventId, given)).registration.showMe;

    it("prefers the requested visibility to the profile's, which defaults to linkedin", async () => {
      const [one, two, three] = [await insert(), await insert(), await insert()];
      expect(await shown({}, one)).toBe('linkedin');
      await updateRow(events.owner, 'auth.users', member, { showMe: 'no' });
      expect([await shown({}, two), await shown({ showMe: 'name' }, three)]).toEqual(['no', 'name']);
    });

    it('keeps the previous visibility when a member registers again without choosing one', async () => {
      const eventId = await insert();
      expect(await shown({ showMe: 'no' }, eventId)).toBe('no');
      await unregister(eventId);
      expect(await shown({}, eventId)).toBe('no');
      expect(await shown({ showMe: 'name' }, eventId)).toBe('name');
    });

    it('changes the visibility of a waiting member, and rejects an unregistered member', async () => {
      const eventId = await insert({ capacity: 1, waitlistEnabled: true });
      const change = () => service.change({ eventId, showMe: 'linkedin' }, createCall(member));
      await expect(change()).rejects.toMatchObject({ code: 'NOT_REGISTERED' });
      await events.register(eventId, await events.members(1));
      await register(eventId, { waitlist: true });
      expect(await change()).toMatchObject({ status: 'waitlisted', showMe: 'linkedin' });
      await unregister(eventId);
      await expect(change()).rejects.toMatchObject({ code: 'NOT_REGISTERED' });
      expect(await fetchCount(eventId)).toBe(1);
    });
  });

  it('rejects a registration for a full event until someone cancels', async () => {
    const eventId = await insert({ capacity: 1 });
    const [other] = (await events.members(1)) as [string];
    await register(eventId, {}, other);
    await expect(register(eventId)).rejects.toMatchObject({ code: 'EVENT_FULL' });
    expect(await fetchRows(eventId)).toHaveLength(1);
    await unregister(eventId, other);
    expect(await register(eventId)).toMatchObject({ created: true });
    await expect(register(eventId, {}, other)).rejects.toMatchObject({ code: 'EVENT_FULL' });
  });

  it.each([
    ['a draft', { status: 'draft' }, 'EVENT_NOT_FOUND'],
    ['cancelled', { status: 'cancelled' }, 'EVENT_CANCELLED'],
    ['not open yet', { registrationOpensAt: daysFromNow(0.5) }, 'REGISTRATION_NOT_OPEN'],
    ['closed', { registrationClosesAt: daysFromNow(-0.5) }, 'REGISTRATION_ENDED'],
    ['running', { startDate: daysFromNow(-0.01) }, 'REGISTRATION_CLOSED'],
  ] as const)('rejects a registration for an event that is %s', async (_, state, code) => {
    const eventId = await insert({ waitlistEnabled: true, ...state });
    for (const waitlist of [false, true])
      await expect(register(eventId, { waitlist })).rejects.toMatchObject({ code });
    expect(await fetchRows(eventId)).toEqual([]);
  });

  it('rejects a registration when the event is cancelled at the same time', async () => {
    const eventId = await insert();
    const cancelling: [string, string[]] = [
      "UPDATE events.events SET status = 'cancelled', cancelled_at = now() WHERE id = $1",
      [eventId],
    ];
    await refuses(
      'EVENT_CANCELLED',
      beforeCommit(events.owner, cancelling, () => register(eventId)),
    );
    expect(await fetchRows(eventId)).toEqual([]);
  });

  it('does not deadlock when a member registers and cancels at the same time', async () => {
    const eventId = await insert();
    const calls = Array.from({ length: 30 }, (_, n) =>
      persistently<unknown>(() => (n % 2 === 0 ? register(eventId) : unregister(eventId))),
    );
    expect(await outcomes(calls)).toEqual({ ok: 30 });
  });

  it('rejects an unknown event and a member whose account does not exist', async () => {
    const eventId = await insert();
    await expect(register(UNKNOWN)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    await expect(register(eventId, {}, UNKNOWN)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await fetchCount(eventId)).toBe(0);
  });

  it.each([
    ['at the start', 0, true],
    ['at the end', 2 * 3_600_000, true],
    ['before the event', -1, false],
    ['after the event', 2 * 3_600_000 + 1, false],
  ])('handles a selected date %s', async (_, milliseconds, isAccepted) => {
    const { id, startDate } = await insertEvent(events.owner);
    const selectedDate = new Date(startDate.getTime() + milliseconds).toISOString();
    if (isAccepted)
      expect(await register(id, { selectedDate })).toMatchObject({ registration: { selectedDate } });
    else
      await expect(register(id, { selectedDate })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { fields: { selectedDate: [expect.any(String)] } },
      });
  });

  it('queues one roll-up for many changes until it may already be running', async () => {
    const eventId = await insert();
    const [one, two, three] = (await events.members(3)) as [string, string, string];
    for (const userId of [one, two]) await register(eventId, {}, userId);
    expect(await events.outbox(RegistrationConfirmedMail)).toHaveLength(2);
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
    await events.owner.query("UPDATE events.outbox SET available_at = now() + interval '1 s'");
    await register(eventId, {}, three);
    expect(await events.outbox(RollUpActivity)).toHaveLength(2);
    await events.owner.query('DELETE FROM events.outbox');
    await service.accountDeleted();
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
  });

  describe('cancelling a registration', () => {
    it('queues one email for a repeated cancellation, and raises the calendar revision', async () => {
      const eventId = await insert();
      await unregister(eventId);
      const { registration } = await register(eventId);
      await events.owner.query('DELETE FROM events.outbox');
      await unregister(eventId);
      await unregister(eventId);
      await unregister(UNKNOWN);
      expect(await events.outbox(UnregisteredMail)).toEqual([
        { registrationId: registration.id, registeredAt: registration.registeredAt },
      ]);
      expect(await events.outbox(RollUpActivity)).toHaveLength(1);
      expect(await fetchRows(eventId)).toMatchObject([{ status: 'cancelled', entry_revision: 1 }]);
      expect(await fetchCount(eventId)).toBe(0);
      await register(eventId);
      expect(await fetchRows(eventId)).toMatchObject([{ entry_revision: 2 }]);
    });

    it('rejects a cancellation once the event has started', async () => {
      const eventId = await insert({ startDate: daysFromNow(-0.01) });
      await events.register(eventId, [member]);
      await expect(unregister(eventId)).rejects.toMatchObject({ code: 'REGISTRATION_CLOSED' });
      expect(await fetchCount(eventId)).toBe(1);
    });

    it('reuses the row when a member registers again, with a new time and confirmation', async () => {
      const eventId = await insert();
      const [id] = (await events.register(eventId, [member])) as [string];
      const registeredAt = daysFromNow(-3);
      await updateRow(events.owner, 'events.event_registrations', id, { registeredAt });
      await unregister(eventId);
      const { created, registration } = await register(eventId);
      expect({ created, id: registration.id }).toEqual({ created: true, id });
      expect(new Date(registration.registeredAt).getTime()).toBeGreaterThan(registeredAt.getTime());
      expect(await events.outbox(RegistrationConfirmedMail)).toEqual([
        { registrationId: id, registeredAt: registration.registeredAt, own: true },
      ]);
      expect(await fetchCount(eventId)).toBe(1);
    });
  });

  it.each([
    [
      'a registration wait for the deletion of the event, even with an event id in upper case',
      takeEventLock,
      async (id: string) => expect(await register(id.toUpperCase())).toMatchObject({ created: true }),
    ],
    [
      'the deletion of an event wait for registrations',
      shareEventLock,
      async (eventId: string) =>
        events.get(EventEditingService).delete({ eventId }, createCall(await events.administrator())),
    ],
  ])('makes %s', async (_, lock, act) => {
    const eventId = await insert();
    const { answer } = await events.whileLocked(`SELECT ${lock('$1')}`, eventId, async () => {
      const acting = act(eventId);
      const waiting = events.lockWaits().then(() => 'waiting');
      expect(await Promise.race([acting.then(() => 'done'), waiting])).toBe('waiting');
      return { answer: acting };
    });
    await answer;
  });

  it('tells a member who was registering when the event was cancelled', async () => {
    const eventId = await insert();
    const admin = await events.administrator();
    const registering = `INSERT INTO events.event_registrations (id, event_id, user_id, status, registered_at, show_me)
      VALUES (gen_random_uuid(), $1, '${member}', 'registered', now(), 'name')`;
    const { answer } = await events.whileLocked(registering, eventId, async () => {
      const cancelling = events.get(EventLifeService).cancel({ eventId }, createCall(admin));
      await events.lockWaits();
      return { answer: cancelling };
    });
    await answer;
    expect(await events.outbox(EventCancelledMail)).toMatchObject([{ userId: member }]);
  });

  it('does not deadlock when the account is deleted at the same time', async () => {
    const [again, placed] = [await insert(), await insert()];
    await register(placed);
    await register(again);
    await unregister(again);
    const lock = 'SELECT FROM events.events WHERE id = $1 FOR NO KEY UPDATE';
    const ended = await events.whileLocked(lock, again, async (client) => {
      const registering = register(again);
      await events.lockWaits(1);
      const deleting = events.deleteUser(member);
      await events.lockWaits(2);
      const locking = client.query(lock, [placed]).then(() => client.query('COMMIT'));
      return Promise.allSettled([locking, registering, deleting]);
    });
    expect(ended.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect([await fetchCount(again), await fetchCount(placed)]).toEqual([0, 0]);
  });

  it('creates one row for 20 simultaneous registrations of the same member', async () => {
    const eventId = await insert();
    const attempts = Array.from({ length: 20 }, () => persistently(() => register(eventId)));
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.registration.id)).size).toBe(1);
    expect(await fetchRows(eventId)).toHaveLength(1);
  });
});

describe('capacity', () => {
  const SEATS = 10;
  const MEMBERS = 40;
  const ROUNDS = 5;

  let members: string[];
  beforeAll(async () => {
    members = await events.members(MEMBERS);
  });

  const taken = async (eventId: string) => ({
    rows: (await fetchRows(eventId)).filter(({ status }) => status === 'registered').length,
    count: await fetchCount(eventId),
  });

  it(`admits exactly ${SEATS} of ${MEMBERS} members through 2 replicas, in each of ${ROUNDS} rounds`, async () => {
    const replicas = [service, (await events.replica()).get(RegistrationsService)];
    for (let round = 0; round < ROUNDS; round += 1) {
      const eventId = await insert({ capacity: SEATS });
      const outcome = await outcomes(
        members.map((userId, i) =>
          persistently(() => replicas[i % 2]!.register({ eventId }, createCall(userId))),
        ),
      );
      expect(outcome).toEqual({ ok: SEATS, EVENT_FULL: MEMBERS - SEATS });
      expect(await taken(eventId)).toEqual({ rows: SEATS, count: SEATS });
    }
  });

  it('never exceeds a capacity that is lowered while members register', async () => {
    const admin = await events.administrator();
    const eventId = await insert({ capacity: MEMBERS });
    const registrations = members.map((userId) =>
      persistently(() => service.register({ eventId }, createCall(userId))),
    );
    const update = { ...eventForm(), eventId, capacity: MEMBERS / 2 };
    const lowering = persistently(() => events.get(EventEditingService).update(update, createCall(admin)));
    const [outcome, lowered] = await Promise.all([outcomes(registrations), outcomes([lowering])]);
    expect(await taken(eventId)).toEqual({ rows: outcome.ok, count: outcome.ok });
    expect(outcome.ok).toBe(lowered.ok ? MEMBERS / 2 : MEMBERS);
    expect(Object.keys({ ...outcome, ...lowered }).toSorted()).toEqual(
      lowered.ok ? ['EVENT_FULL', 'ok'] : ['CAPACITY_BELOW_REGISTERED', 'ok'],
    );
  });
});

describe('the registration count', () => {
  it('updates the registration count for every kind of change to registrations', async () => {
    const [eventId, other] = [await insert(), await insert()];
    await events.register(eventId, await events.members(4));
    const [absent] = await events.register(eventId, await events.members(1), 'cancelled');
    expect(await fetchCount(eventId)).toBe(4);
    const change = (values: string, where: string, id = eventId) =>
      events.owner.query(`UPDATE events.event_registrations SET ${values} WHERE ${where} = $1`, [id]);
    await change("status = 'registered'", 'id', absent);
    expect(await fetchCount(eventId)).toBe(5);
    await change("status = 'cancelled'", 'event_id');
    expect(await fetchCount(eventId)).toBe(0);
    await change(`status = 'registered', event_id = '${other}'`, 'event_id');
    expect([await fetchCount(eventId), await fetchCount(other)]).toEqual([0, 5]);
    await events.owner.query('DELETE FROM events.event_registrations WHERE event_id = $1', [other]);
    expect(await fetchCount(other)).toBe(0);
  });

  it('prevents the service from writing the registration count', async () => {
    const written = events.get(DataSource).query('UPDATE events.events SET registration_count = 7');
    await expect(written).rejects.toMatchObject({ code: '42501' });
  });

  it('keeps the count correct when members and events are deleted at the same time', async () => {
    const admin = await events.administrator();
    for (let round = 0; round < 3; round += 1) {
      const ids: string[] = [];
      for (let made = 0; made < 6; made += 1) ids.push(await insert());
      const members = await events.members(8);
      for (const eventId of ids) await events.register(eventId, members);
      const deletion = events.get(EventEditingService);
      const outcome = await outcomes([
        ...members.map((userId) => events.deleteUser(userId)),
        ...ids.map((eventId) => persistently(() => deletion.delete({ eventId }, createCall(admin)))),
      ]);
      expect(outcome).toEqual({ ok: members.length + ids.length });
    }
    const wrong = await events.rows(
      `SELECT id FROM events.events WHERE registration_count <> (
         SELECT count(*) FROM events.event_registrations WHERE event_id = events.id AND status = 'registered')`,
    );
    expect(wrong).toEqual([]);
  });
});

const REFUSALS: Record<RegistrationState, string | null> = {
  cancelled: 'EVENT_CANCELLED',
  ended: 'REGISTRATION_CLOSED',
  started: 'REGISTRATION_CLOSED',
  closed: 'REGISTRATION_ENDED',
  scheduled: 'REGISTRATION_NOT_OPEN',
  open: null,
  waitlist: null,
  full: null,
};
const EVENTS = 1_000;

const offset = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -8e9, max: 8e9 }));
const anyEvent = fc.record({
  status: fc.constantFrom('draft', 'published', 'cancelled'),
  visibility: fc.constantFrom('public', 'unlisted'),
  start: offset,
  length: fc.integer({ min: 1, max: 1e9 }),
  opens: fc.option(offset),
  closes: fc.option(offset),
});

it(`computes the same registration state in the database and in browsers for ${EVENTS} random events`, async () => {
  const given = fc.sample(anyEvent, { numRuns: EVENTS, seed: 20_261_126 });
  const answers = await events.rows(
    `WITH given AS (
       SELECT value ->> 'status' AS status, value ->> 'visibility' AS visibility,
         now() + (value ->> 'start')::bigint * interval '1 ms' AS start_date,
         now() + ((value ->> 'start')::bigint + (value ->> 'length')::bigint) * interval '1 ms' AS end_date,
         now() + (value ->> 'opens')::bigint * interval '1 ms' AS registration_opens_at,
         now() + (value ->> 'closes')::bigint * interval '1 ms' AS registration_closes_at
       FROM jsonb_array_elements($1)),
     events AS (SELECT jsonb_populate_record(NULL::events.events, to_jsonb(given)) AS event FROM given)
     SELECT (event).status, (event).visibility, now(), (event).start_date AS "startDate", (event).end_date AS "endDate",
       (event).registration_opens_at AS "registrationOpensAt", (event).registration_closes_at AS "registrationClosesAt",
       events.registration_refusal(event) AS refusal, events.is_to_come(event) AS "toCome", events.is_listed(event) AS listed
     FROM events`,
    JSON.stringify(given),
  );
  const wrong = answers.filter((event) => {
    const places = { capacity: null, registrationCount: 0, waitlistEnabled: false };
    const state = getRegistrationState({ ...event, ...places }, event.now.getTime());
    const toCome = event.status === 'published' && event.startDate > event.now;
    return (
      event.refusal !== (event.status === 'draft' ? 'EVENT_NOT_FOUND' : REFUSALS[state]) ||
      (event.refusal === null && !toCome) ||
      event.toCome !== toCome ||
      event.listed !== (toCome && event.visibility === 'public')
    );
  });
  expect(wrong).toEqual([]);
  expect(new Set(answers.map(({ refusal }) => refusal))).toEqual(
    new Set([...Object.values(REFUSALS), 'EVENT_NOT_FOUND']),
  );
});
