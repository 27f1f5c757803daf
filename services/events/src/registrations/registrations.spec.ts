import {
  type RegisterRequest,
  RegistrationConfirmedMail,
  RollUpActivity,
  UnregisteredMail,
  getRegistrationState,
  type RegistrationState,
} from '@meetmark/contracts';
import {
  daysFromNow,
  insertEvent,
  insertRegistration,
  type EventRow,
} from '@meetmark/testing/factories/events';
import { beforeCommit, outcomes, until } from '@meetmark/testing';
import { v7 as uuid } from 'uuid';
import pg from 'pg';
import fc from 'fast-check';
import { updateRow } from '@meetmark/testing/factories/users';
import {
  createCall,
  eventsForTests,
  persistently,
  openEvents,
  type TestEvents,
} from '../testing/open-events.js';
import { takeEventLock } from './participants.repository.js';
import { RegistrationsService } from './registrations.service.js';
import { EventEditingService } from '../events/core/event-editing.service.js';

const events = eventsForTests();

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';
/** Milliseconds, far longer than a busy machine needs to send a statement. */
const PATIENCE = 10_000;

describe('registering', () => {
  let service: RegistrationsService;
  let member: string;
  beforeAll(() => {
    service = events.get(RegistrationsService);
  });
  beforeEach(async () => {
    [member] = (await events.members(1)) as [string];
  });

  const fetchRows = async (eventId: string) =>
    (await events.owner.query('SELECT * FROM events.event_registrations WHERE event_id = $1', [eventId]))
      .rows;
  const fetchCount = async (eventId: string) =>
    (await events.owner.query('SELECT registration_count FROM events.events WHERE id = $1', [eventId]))
      .rows[0].registration_count;

  it('creates a registration, counts it and queues a confirmation email and a roll-up', async () => {
    await events.owner.query('DELETE FROM events.outbox');
    const event = await insertEvent(events.owner);
    const { created, registration } = await service.register({ eventId: event.id }, createCall(member));
    expect(created).toBe(true);
    expect(registration).toMatchObject({ userId: member, status: 'registered', selectedDate: null });
    expect(await fetchCount(event.id)).toBe(1);
    expect(await events.outbox(RegistrationConfirmedMail)).toEqual([
      { registrationId: registration.id, registeredAt: registration.registeredAt, own: true },
    ]);
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
  });

  it('registers members for other events while many wait for a locked event', async () => {
    const [locked, other] = [await insertEvent(events.owner), await insertEvent(events.owner)];
    const lock = await events.owner.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM events.events WHERE id = $1 FOR UPDATE', [locked.id]);
      const crowd = await events.members(2 * events.config.databasePoolSize);
      const attempts = crowd.map((userId) => service.register({ eventId: locked.id }, createCall(userId)));
      const refused = outcomes(attempts);
      const first = await Promise.race([
        service.register({ eventId: other.id }, createCall(member)),
        ...attempts.map((attempt) => attempt.catch(() => 'a refusal')),
      ]);
      expect(first).toMatchObject({ created: true });
      expect(Object.keys(await refused)).toEqual(['SERVICE_OVERLOADED']);
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
  });

  it('returns the existing registration for a repeated request, without another email', async () => {
    const event = await insertEvent(events.owner);
    const first = await service.register({ eventId: event.id }, createCall(member));
    await events.owner.query('DELETE FROM events.outbox');
    const second = await service.register({ eventId: event.id }, createCall(member));
    expect(second).toEqual({ created: false, registration: first.registration });
    expect(await fetchCount(event.id)).toBe(1);
    expect(await events.outbox(RegistrationConfirmedMail)).toEqual([]);
  });

  describe('with a visibility setting', () => {
    const profileSays = (showMe: string) => updateRow(events.owner, 'auth.users', member, { showMe });
    const shown = async (request: Omit<RegisterRequest, 'eventId'>, eventId: string) =>
      (await service.register({ ...request, eventId }, createCall(member))).registration.showMe;

    it("prefers the requested visibility to the profile's, which defaults to linkedin", async () => {
      const ids = await Promise.all([1, 2, 3].map(async () => (await insertEvent(events.owner)).id));
      expect(await shown({}, ids[0]!)).toBe('linkedin');
      await profileSays('no');
      expect([await shown({}, ids[1]!), await shown({ showMe: 'name' }, ids[2]!)]).toEqual(['no', 'name']);
      expect((await fetchRows(ids[0]!))[0].show_me).toBe('linkedin');
    });

    it('keeps the previous visibility when a member registers again without choosing one', async () => {
      const { id: eventId } = await insertEvent(events.owner);
      expect(await shown({ showMe: 'no' }, eventId)).toBe('no');
      await service.unregister({ eventId }, createCall(member));
      expect(await shown({}, eventId)).toBe('no');
      expect(await shown({ showMe: 'name' }, eventId)).toBe('name');
      expect((await fetchRows(eventId))[0].show_me).toBe('name');
    });

    it('changes the visibility of a waiting member, and rejects an unregistered member', async () => {
      const { id: eventId } = await insertEvent(events.owner, { capacity: 1, waitlistEnabled: true });
      const change = () => service.change({ eventId, showMe: 'linkedin' }, createCall(member));
      await expect(change()).rejects.toMatchObject({ code: 'NOT_REGISTERED' });
      await service.register({ eventId }, createCall((await events.members(1))[0]!));
      await service.register({ eventId, waitlist: true }, createCall(member));
      expect(await change()).toMatchObject({ status: 'waitlisted', showMe: 'linkedin' });
      await service.unregister({ eventId }, createCall(member));
      await expect(change()).rejects.toMatchObject({ code: 'NOT_REGISTERED' });
      expect(await fetchCount(eventId)).toBe(1);
    });
  });

  it('returns an existing registration even if the event is full or has started', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    await service.register({ eventId: event.id }, createCall(member));
    expect(await service.register({ eventId: event.id }, createCall(member))).toMatchObject({
      created: false,
    });
    await events.owner.query("UPDATE events.events SET start_date = now() - interval '1 s' WHERE id = $1", [
      event.id,
    ]);
    expect(await service.register({ eventId: event.id }, createCall(member))).toMatchObject({
      created: false,
    });
  });

  it('rejects a registration for a full event', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    const [other] = await events.members(1);
    await service.register({ eventId: event.id }, createCall(other!));
    await expect(service.register({ eventId: event.id }, createCall(member))).rejects.toMatchObject({
      code: 'EVENT_FULL',
    });
    expect(await fetchRows(event.id)).toHaveLength(1);
  });

  it('accepts another member after someone cancels', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    const [other] = await events.members(1);
    await service.register({ eventId: event.id }, createCall(other!));
    await service.unregister({ eventId: event.id }, createCall(other!));
    expect(await service.register({ eventId: event.id }, createCall(member))).toMatchObject({
      created: true,
    });
    await expect(service.register({ eventId: event.id }, createCall(other!))).rejects.toMatchObject({
      code: 'EVENT_FULL',
    });
  });

  it('rejects a registration once the event has started', async () => {
    const event = await insertEvent(events.owner, { startDate: daysFromNow(-0.01) });
    await expect(service.register({ eventId: event.id }, createCall(member))).rejects.toMatchObject({
      code: 'REGISTRATION_CLOSED',
    });
    expect(await fetchRows(event.id)).toEqual([]);
  });

  it.each([
    ['a draft', { status: 'draft' }, 'EVENT_NOT_FOUND'],
    ['cancelled', { status: 'cancelled' }, 'EVENT_CANCELLED'],
    ['not open yet', { registrationOpensAt: daysFromNow(0.5) }, 'REGISTRATION_NOT_OPEN'],
    ['closed', { registrationClosesAt: daysFromNow(-0.5) }, 'REGISTRATION_ENDED'],
  ] as const)('rejects a registration for an event that is %s', async (_, state, code) => {
    const event = await insertEvent(events.owner, state);
    await expect(service.register({ eventId: event.id }, createCall(member))).rejects.toMatchObject({ code });
    expect(await fetchRows(event.id)).toEqual([]);
  });

  it('accepts a registration for an unlisted event during its registration period', async () => {
    const event = await insertEvent(events.owner, {
      visibility: 'unlisted',
      registrationOpensAt: daysFromNow(-0.5),
      registrationClosesAt: daysFromNow(0.5),
    });
    expect(await service.register({ eventId: event.id }, createCall(member))).toMatchObject({
      created: true,
    });
  });

  it('rejects a registration when the event is cancelled at the same time', async () => {
    const event = await insertEvent(events.owner);
    const cancelling: [string, string[]] = [
      "UPDATE events.events SET status = 'cancelled', cancelled_at = now() WHERE id = $1",
      [event.id],
    ];
    const registering = () => outcomes([service.register({ eventId: event.id }, createCall(member))]);
    expect(await beforeCommit(events.owner, cancelling, registering)).toEqual({ EVENT_CANCELLED: 1 });
    expect(await fetchRows(event.id)).toEqual([]);
  });

  it('does not deadlock when a member registers and cancels at the same time', async () => {
    const event = await insertEvent(events.owner);
    const calls = Array.from({ length: 60 }, (__, n) =>
      persistently<unknown>(() =>
        n % 2 === 0
          ? service.register({ eventId: event.id }, createCall(member))
          : service.unregister({ eventId: event.id }, createCall(member)),
      ),
    );
    expect(await outcomes(calls)).toEqual({ ok: 60 });
  });

  it('rejects a registration for an unknown event', async () => {
    await expect(service.register({ eventId: UNKNOWN }, createCall(member))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('rejects a member whose account does not exist', async () => {
    const event = await insertEvent(events.owner);
    await expect(service.register({ eventId: event.id }, createCall(UNKNOWN))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await fetchCount(event.id)).toBe(0);
  });

  it('accepts a selected date from the start to the end of the event', async () => {
    const event = await insertEvent(events.owner);
    const [atStart, atEnd] = (await events.members(2)) as [string, string];
    for (const [userId, moment] of [
      [atStart, event.startDate],
      [atEnd, event.endDate],
    ] as const) {
      const selectedDate = moment.toISOString();
      const { registration } = await service.register(
        { eventId: event.id, selectedDate },
        createCall(userId),
      );
      expect(registration.selectedDate).toBe(selectedDate);
    }
  });

  it.each([
    ['before the event', -1],
    ['after the event', 2 * 3_600_000 + 1],
  ])('rejects a selected date %s', async (_, milliseconds) => {
    const event = await insertEvent(events.owner);
    const selectedDate = new Date(event.startDate.getTime() + milliseconds).toISOString();
    await expect(
      service.register({ eventId: event.id, selectedDate }, createCall(member)),
    ).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { selectedDate: [expect.any(String)] } },
    });
  });

  it('queues a single roll-up for many registrations in a short time', async () => {
    await events.owner.query('DELETE FROM events.outbox');
    const event = await insertEvent(events.owner);
    for (const userId of await events.members(10))
      await service.register({ eventId: event.id }, createCall(userId));
    expect(await events.outbox(RegistrationConfirmedMail)).toHaveLength(10);
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
  });

  it('queues another roll-up when the previous one may already be running', async () => {
    await events.owner.query('DELETE FROM events.outbox');
    const event = await insertEvent(events.owner);
    const [one, two] = (await events.members(2)) as [string, string];
    await service.register({ eventId: event.id }, createCall(one));
    await events.owner.query("UPDATE events.outbox SET available_at = now() + interval '1 s'");
    await service.register({ eventId: event.id }, createCall(two));
    expect(await events.outbox(RollUpActivity)).toHaveLength(2);
  });

  it('queues a roll-up after an account is deleted', async () => {
    await events.owner.query('DELETE FROM events.outbox');
    await service.accountDeleted();
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
  });

  describe('cancelling a registration', () => {
    it('marks the registration as cancelled, frees the seat and queues a roll-up', async () => {
      const event = await insertEvent(events.owner);
      await service.register({ eventId: event.id }, createCall(member));
      await events.owner.query('DELETE FROM events.outbox');
      await service.unregister({ eventId: event.id }, createCall(member));
      expect(await fetchRows(event.id)).toMatchObject([{ status: 'cancelled' }]);
      expect(await fetchCount(event.id)).toBe(0);
      expect(await events.outbox(RollUpActivity)).toHaveLength(1);
    });

    it('queues one email for a repeated cancellation, and raises the calendar revision', async () => {
      const event = await insertEvent(events.owner);
      const { registration } = await service.register({ eventId: event.id }, createCall(member));
      await events.owner.query('DELETE FROM events.outbox');
      await service.unregister({ eventId: event.id }, createCall(member));
      await service.unregister({ eventId: event.id }, createCall(member));
      expect(await events.outbox(UnregisteredMail)).toEqual([
        { registrationId: registration.id, registeredAt: registration.registeredAt },
      ]);
      expect(await fetchRows(event.id)).toMatchObject([{ entry_revision: 1 }]);
      await service.register({ eventId: event.id }, createCall(member));
      expect(await fetchRows(event.id)).toMatchObject([{ entry_revision: 2 }]);
    });

    it('ignores a repeated cancellation, a missing registration and an unknown event', async () => {
      const event = await insertEvent(events.owner);
      await service.unregister({ eventId: event.id }, createCall(member));
      await service.register({ eventId: event.id }, createCall(member));
      await service.unregister({ eventId: event.id }, createCall(member));
      await service.unregister({ eventId: event.id }, createCall(member));
      await service.unregister({ eventId: UNKNOWN }, createCall(member));
      expect(await fetchCount(event.id)).toBe(0);
    });

    it('rejects a cancellation once the event has started', async () => {
      const event = await insertEvent(events.owner, { startDate: daysFromNow(-0.01) });
      await insertRegistration(events.owner, { eventId: event.id, userId: member });
      await expect(service.unregister({ eventId: event.id }, createCall(member))).rejects.toMatchObject({
        code: 'REGISTRATION_CLOSED',
      });
      expect(await fetchCount(event.id)).toBe(1);
    });

    it('reuses the row when a member registers again, with a new time and confirmation', async () => {
      const event = await insertEvent(events.owner);
      const registeredAt = daysFromNow(-3);
      const first = await insertRegistration(events.owner, {
        eventId: event.id,
        userId: member,
        registeredAt,
      });
      await service.unregister({ eventId: event.id }, createCall(member));
      await events.owner.query('DELETE FROM events.outbox');
      const { created, registration } = await service.register({ eventId: event.id }, createCall(member));
      expect({ created, id: registration.id }).toEqual({ created: true, id: first.id });
      expect(new Date(registration.registeredAt).getTime()).toBeGreaterThan(registeredAt.getTime());
      expect(await events.outbox(RegistrationConfirmedMail)).toEqual([
        { registrationId: first.id, registeredAt: registration.registeredAt, own: true },
      ]);
      expect(await fetchCount(event.id)).toBe(1);
    });
  });

  it('waits for the event lock even with an event id in upper case', async () => {
    const { id } = await insertEvent(events.owner);
    const deletion = await events.owner.connect();
    await deletion.query('BEGIN');
    await deletion.query(`SELECT ${takeEventLock('$1')}`, [id]);
    const registering = service.register({ eventId: id.toUpperCase() }, createCall(member));
    const first = Promise.race([registering.then(() => 'placed'), waiting().then(() => 'waiting')]);
    expect(await first).toBe('waiting');
    await deletion.query('COMMIT');
    deletion.release();
    expect(await registering).toMatchObject({ created: true });
  });

  it('does not deadlock when the account is deleted at the same time', async () => {
    const [again, placed] = [await insertEvent(events.owner), await insertEvent(events.owner)];
    await service.register({ eventId: placed.id }, createCall(member));
    await service.register({ eventId: again.id }, createCall(member));
    await service.unregister({ eventId: again.id }, createCall(member));
    const another = await events.owner.connect();
    const lock = ({ id }: { id: string }) =>
      another.query('SELECT FROM events.events WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await another.query('BEGIN');
    await lock(again);
    const registering = service.register({ eventId: again.id }, createCall(member));
    await waiting(1);
    const deleting = events.owner.query('DELETE FROM auth.users WHERE id = $1', [member]);
    await waiting(2);
    const locking = lock(placed).then(() => another.query('COMMIT'));
    const ended = await Promise.allSettled([locking, registering, deleting]);
    another.release();
    expect(ended.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect([await fetchCount(again.id), await fetchCount(placed.id)]).toEqual([0, 0]);
  });

  const waiting = (count = 1) =>
    until(`${count} who wait for a lock`, PATIENCE, async () => {
      const { rowCount } = await events.owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount! >= count;
    });

  it('creates one row for 50 simultaneous registrations of the same member', async () => {
    const event = await insertEvent(events.owner);
    const attempts = Array.from({ length: 50 }, () =>
      persistently(() => service.register({ eventId: event.id }, createCall(member))),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.registration.id)).size).toBe(1);
    expect(await fetchRows(event.id)).toHaveLength(1);
  });
});

describe('capacity', () => {
  const SEATS = 50;
  const MEMBERS = 200;
  const ROUNDS = 20;
  const PATIENCE = 120_000;
  /** As many as there are connections, so that all requests check for room before one of them inserts. */
  const AT_ONCE = 10;

  const INSERT = 'INSERT INTO events.event_registrations (id, event_id, user_id) VALUES ($1, $2, $3)';

  let events: TestEvents;
  let members: string[];
  beforeAll(async () => {
    events = await openEvents();
    members = await events.members(MEMBERS);
  });
  afterAll(() => events.close());

  const taken = async (eventId: string) => {
    const { rows } = await events.owner.query(
      `SELECT count(*)::integer AS rows, (SELECT registration_count FROM events.events WHERE id = $1) AS count
       FROM events.event_registrations WHERE event_id = $1 AND status = 'registered'`,
      [eventId],
    );
    return rows[0];
  };

  /** Checks for room and then inserts, as a program would without the constraint. */
  const checkThenInsert = async (eventId: string, userIds: string[]) => {
    for (let first = 0; first < userIds.length; first += AT_ONCE) {
      const together = userIds.slice(first, first + AT_ONCE);
      const room = await Promise.all(together.map(async () => (await taken(eventId)).rows < SEATS));
      await Promise.allSettled(
        together
          .filter((_, i) => room[i])
          .map((userId) => events.owner.query(INSERT, [uuid(), eventId, userId])),
      );
    }
  };

  it(
    `admits exactly ${SEATS} of ${MEMBERS} members through 2 replicas, in each of ${ROUNDS} rounds`,
    async () => {
      const replicas = [events, await events.replica()].map((replica) => replica.get(RegistrationsService));
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id: eventId } = await insertEvent(events.owner, { capacity: SEATS });
        const outcome = await outcomes(
          members.map((userId, i) =>
            persistently(() => replicas[i % 2]!.register({ eventId }, createCall(userId))),
          ),
        );
        expect(outcome).toEqual({ ok: SEATS, EVENT_FULL: MEMBERS - SEATS });
        expect(await taken(eventId)).toEqual({ rows: SEATS, count: SEATS });
      }
    },
    PATIENCE,
  );

  it('never exceeds the capacity when clients check for room before inserting', async () => {
    const { id } = await insertEvent(events.owner, { capacity: SEATS });
    await insertSome(id, members.slice(0, SEATS - 1));
    await checkThenInsert(id, members.slice(SEATS - 1));
    expect(await taken(id)).toEqual({ rows: SEATS, count: SEATS });
  });

  const insertSome = async (eventId: string, userIds: string[]) => {
    for (const userId of userIds) await events.owner.query(INSERT, [uuid(), eventId, userId]);
  };

  it('never exceeds a capacity that is lowered while members register', async () => {
    const admin = await events.administrator();
    const event = await insertEvent(events.owner, { capacity: MEMBERS });
    const registrations = members.map((userId) =>
      persistently(() =>
        events.get(RegistrationsService).register({ eventId: event.id }, createCall(userId)),
      ),
    );
    const lowering = persistently(() =>
      events.get(EventEditingService).update(
        {
          eventId: event.id,
          title: event.title,
          description: null,
          location: null,
          price: null,
          startDate: event.startDate.toISOString(),
          endDate: event.endDate.toISOString(),
          capacity: MEMBERS / 2,
          banner: { action: 'remove' },
        },
        createCall(admin),
      ),
    );
    const [outcome, lowered] = await Promise.all([outcomes(registrations), outcomes([lowering])]);
    const { rows, count } = await taken(event.id);
    expect({ rows, count }).toEqual({ rows: outcome.ok, count: outcome.ok });
    expect(rows).toBe(lowered.ok ? MEMBERS / 2 : MEMBERS);
    expect(Object.keys({ ...outcome, ...lowered }).toSorted()).toEqual(
      lowered.ok ? ['EVENT_FULL', 'ok'] : ['CAPACITY_BELOW_REGISTERED', 'ok'],
    );
  });

  // this test runs last, because it drops the constraint; it shows that the tests above can fail
  it('shows that without the constraint, clients would exceed the capacity', async () => {
    await events.owner.query('ALTER TABLE events.events DROP CONSTRAINT events_within_capacity_check');
    for (const operation of ['insert', 'update', 'delete'])
      await events.owner.query(
        `DROP TRIGGER event_registrations_count_${operation} ON events.event_registrations`,
      );
    const { id } = await insertEvent(events.owner, { capacity: SEATS });
    await insertSome(id, members.slice(0, SEATS - 1));
    await checkThenInsert(id, members.slice(SEATS - 1));
    expect((await taken(id)).rows).toBeGreaterThan(SEATS);
  });
});

describe('the registration count', () => {
  const fetchCount = async (eventId: string) =>
    (
      await events.owner.query('SELECT registration_count AS count FROM events.events WHERE id = $1', [
        eventId,
      ])
    ).rows[0].count;
  const wrongCounts = async () => {
    const { rows } = await events.owner.query(
      `SELECT id FROM events.events WHERE registration_count <> (
         SELECT count(*) FROM events.event_registrations WHERE event_id = events.id AND status = 'registered')`,
    );
    return rows;
  };

  it('updates the registration count for every kind of change to registrations', async () => {
    const event = await insertEvent(events.owner);
    const other = await insertEvent(events.owner);
    for (const userId of await events.members(4))
      await insertRegistration(events.owner, { eventId: event.id, userId });
    const [absent] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: event.id, userId: absent, status: 'cancelled' });
    expect(await fetchCount(event.id)).toBe(4);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'registered' WHERE user_id = $1",
      [absent],
    );
    expect(await fetchCount(event.id)).toBe(5);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1",
      [event.id],
    );
    expect(await fetchCount(event.id)).toBe(0);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'registered', event_id = $2 WHERE event_id = $1",
      [event.id, other.id],
    );
    expect([await fetchCount(event.id), await fetchCount(other.id)]).toEqual([0, 5]);
    await events.owner.query('DELETE FROM events.event_registrations WHERE event_id = $1', [other.id]);
    expect(await fetchCount(other.id)).toBe(0);
  });

  it('lowers the registration count when a member is deleted with their registrations', async () => {
    const [leaving, staying] = (await events.members(2)) as [string, string];
    const there = [await insertEvent(events.owner), await insertEvent(events.owner)];
    for (const { id: eventId } of there)
      for (const userId of [leaving, staying]) await insertRegistration(events.owner, { eventId, userId });
    await events.owner.query('DELETE FROM auth.users WHERE id = $1', [leaving]);
    expect(await Promise.all(there.map(({ id }) => fetchCount(id)))).toEqual([1, 1]);
    const { rows } = await events.owner.query('SELECT FROM events.event_registrations WHERE user_id = $1', [
      leaving,
    ]);
    expect(rows).toEqual([]);
  });

  it('prevents the service from writing the registration count', async () => {
    const event = await insertEvent(events.owner);
    const service = new pg.Client(events.config.databaseUrl);
    await service.connect();
    const written = updateRow(service, 'events.events', event.id, { registrationCount: 7 });
    await expect(written).rejects.toMatchObject({ code: '42501' });
    await service.end();
  });

  it('keeps the count correct under concurrent registrations, cancellations and deletions', async () => {
    const MEMBERS = 40;
    const STEPS = 12;
    const service = events.get(RegistrationsService);
    const admin = await events.administrator();
    const there: EventRow[] = [];
    for (let made = 0; made < 4; made += 1)
      there.push(
        await insertEvent(events.owner, {
          capacity: made === 0 ? null : 10 * made,
          startDate: daysFromNow(2),
        }),
      );
    const members = await events.members(MEMBERS);

    const steps = members.map(async (userId, member) => {
      const came: Record<string, number>[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        const eventId = there[(member + step) % there.length]!.id;
        const giveUp = (member * 7 + step * 3) % 5 < 2;
        came.push(
          await outcomes([
            persistently(async () => {
              if (giveUp) await service.unregister({ eventId }, createCall(userId));
              else await service.register({ eventId }, createCall(userId));
            }),
          ]),
        );
        // deletes every fifth account halfway through, all at about the same time
        if (step === STEPS / 2 && member % 5 === 0)
          await events.owner.query('DELETE FROM auth.users WHERE id = $1', [userId]);
        if (step === STEPS / 2 && member === 1)
          await persistently(() =>
            events.get(EventEditingService).delete({ eventId: there[3]!.id }, createCall(admin)),
          );
      }
      return came;
    });
    const seen = new Set((await Promise.all(steps)).flat().flatMap((outcome) => Object.keys(outcome)));

    expect(
      [...seen].filter((code) => !['ok', 'EVENT_FULL', 'EVENT_NOT_FOUND', 'UNAUTHORIZED'].includes(code)),
    ).toEqual([]);
    expect(await wrongCounts()).toEqual([]);
    const { rows } = await events.owner.query(
      'SELECT user_id, event_id FROM events.event_registrations GROUP BY 1, 2 HAVING count(*) > 1',
    );
    expect(rows).toEqual([]);
  });

  it('keeps the count correct when members and events are deleted at the same time', async () => {
    const admin = await events.administrator();
    for (let round = 0; round < 5; round += 1) {
      const there: EventRow[] = [];
      for (let made = 0; made < 6; made += 1) there.push(await insertEvent(events.owner));
      const members = await events.members(8);
      for (const { id: eventId } of there)
        for (const userId of members) await insertRegistration(events.owner, { eventId, userId });
      const deletion = events.get(EventEditingService);
      const outcome = await outcomes([
        ...members.map((userId) => events.owner.query('DELETE FROM auth.users WHERE id = $1', [userId])),
        ...there.map(({ id }) => persistently(() => deletion.delete({ eventId: id }, createCall(admin)))),
      ]);
      expect(outcome).toEqual({ ok: members.length + there.length });
    }
    expect(await wrongCounts()).toEqual([]);
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
const EVENTS = 2_000;

const offset = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -8e9, max: 8e9 }));
const anyEvent = fc.record({
  status: fc.constantFrom('draft', 'published', 'cancelled'),
  visibility: fc.constantFrom('public', 'unlisted'),
  start: offset,
  length: fc.integer({ min: 1, max: 1e9 }),
  opens: fc.option(offset),
  closes: fc.option(offset),
});

interface Answer {
  status: 'draft' | 'published' | 'cancelled';
  visibility: 'public' | 'unlisted';
  now: Date;
  startDate: Date;
  endDate: Date;
  registrationOpensAt: Date | null;
  registrationClosesAt: Date | null;
  refusal: string | null;
  toCome: boolean;
  listed: boolean;
}

describe('the registration state', () => {
  const answersTo = async (given: object[]) => {
    const { rows } = await events.owner.query<Answer>(
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
      [JSON.stringify(given)],
    );
    return rows;
  };

  it(`computes the same state in the database and in browsers for ${EVENTS} random events`, async () => {
    const answers = await answersTo(fc.sample(anyEvent, { numRuns: EVENTS, seed: 20_261_126 }));
    const wrong = answers.filter((event) => {
      const places = { capacity: null, registrationCount: 0, waitlistEnabled: false };
      const state = getRegistrationState({ ...event, ...places }, event.now.getTime());
      return event.refusal !== (event.status === 'draft' ? 'EVENT_NOT_FOUND' : REFUSALS[state]);
    });
    expect(wrong).toEqual([]);
    expect(new Set(answers.map(({ refusal }) => refusal))).toEqual(
      new Set([...Object.values(REFUSALS), 'EVENT_NOT_FOUND']),
    );
  });

  it('opens registration only for upcoming events, and lists only public ones', async () => {
    const answers = await answersTo(fc.sample(anyEvent, { numRuns: EVENTS, seed: 20_261_127 }));
    const wrong = answers.filter(
      ({ refusal, toCome, listed, visibility, status, startDate, now }) =>
        (refusal === null && !toCome) ||
        toCome !== (status === 'published' && startDate > now) ||
        listed !== (toCome && visibility === 'public'),
    );
    expect(wrong).toEqual([]);
  });
});
