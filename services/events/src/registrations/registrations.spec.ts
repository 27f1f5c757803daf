import {
  type RegisterRequest,
  RegistrationConfirmedMail,
  RollUpActivity,
  UnregisteredMail,
  registrationStateOf,
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
import { eventsForTests, persistently, openEvents, type TestEvents } from '../testing/open-events.js';
import { takeEventLock } from '../events/participants.repository.js';
import { RegistrationsService } from './registrations.service.js';
import { EventEditingService } from '../events/event-editing.service.js';

const events = eventsForTests();

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';
/** Milliseconds: far beyond what a busy machine takes to send a statement. */
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

  const rowsOf = async (eventId: string) =>
    (await events.owner.query('SELECT * FROM events.event_registrations WHERE event_id = $1', [eventId]))
      .rows;
  const countOf = async (eventId: string) =>
    (await events.owner.query('SELECT registration_count FROM events.events WHERE id = $1', [eventId]))
      .rows[0].registration_count;

  it('takes a place, counts it and asks for the confirmation and the roll-up', async () => {
    await events.owner.query('DELETE FROM events.outbox');
    const event = await insertEvent(events.owner);
    const { created, registration } = await service.register(member, { eventId: event.id });
    expect(created).toBe(true);
    expect(registration).toMatchObject({ userId: member, status: 'registered', selectedDate: null });
    expect(await countOf(event.id)).toBe(1);
    expect(await events.outbox(RegistrationConfirmedMail)).toEqual([
      { registrationId: registration.id, registeredAt: registration.registeredAt },
    ]);
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
  });

  describe('of a member whose address nobody has verified', () => {
    const upcoming = async (count: number) =>
      Promise.all(Array.from({ length: count }, async () => (await insertEvent(events.owner)).id));
    beforeEach(async () => {
      await updateRow(events.owner, 'auth.users', member, { emailVerifiedAt: null });
    });

    it('is for five upcoming events at most', async () => {
      const [sixth = '', ...five] = await upcoming(6);
      for (const eventId of five) await service.register(member, { eventId });
      await expect(service.register(member, { eventId: sixth })).rejects.toMatchObject({
        code: 'EMAIL_UNVERIFIED',
        message: 'Verify your email address to register for more than 5 upcoming events',
      });
      expect(await countOf(sixth)).toBe(0);
      await service.unregister(member, five[0]!);
      await service.register(member, { eventId: sixth });
      await expect(service.register(member, { eventId: five[0]! })).rejects.toMatchObject({
        code: 'EMAIL_UNVERIFIED',
      });
    });

    it('is for five at most, however many are asked for at the same moment', async () => {
      const ids = await upcoming(12);
      const results = await outcomes(
        ids.map((eventId) => persistently(() => service.register(member, { eventId }))),
      );
      expect(results).toEqual({ ok: 5, EMAIL_UNVERIFIED: 7 });
    });

    it('is not counted for what has begun, and free once the address is verified', async () => {
      for (const eventId of await upcoming(5)) await service.register(member, { eventId });
      await events.owner.query(
        `UPDATE events.events SET start_date = now() - interval '1 hour'
         WHERE id = (SELECT event_id FROM events.event_registrations WHERE user_id = $1 LIMIT 1)`,
        [member],
      );
      const [next = '', other = ''] = await upcoming(2);
      await service.register(member, { eventId: next });
      await events.owner.query('UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [member]);
      await service.register(member, { eventId: other });
    });
  });

  it('goes on for all other events while one is locked, however many want that one', async () => {
    const [locked, other] = [await insertEvent(events.owner), await insertEvent(events.owner)];
    const lock = await events.owner.connect();
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM events.events WHERE id = $1 FOR UPDATE', [locked.id]);
      const crowd = await events.members(2 * events.config.databasePoolSize);
      const attempts = crowd.map((userId) => service.register(userId, { eventId: locked.id }));
      const refused = outcomes(attempts);
      const first = await Promise.race([
        service.register(member, { eventId: other.id }),
        ...attempts.map((attempt) => attempt.catch(() => 'a refusal')),
      ]);
      expect(first).toMatchObject({ created: true });
      expect(Object.keys(await refused)).toEqual(['SERVICE_OVERLOADED']);
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
  });

  it('answers a repeated registration with the first one and does nothing else', async () => {
    const event = await insertEvent(events.owner);
    const first = await service.register(member, { eventId: event.id });
    await events.owner.query('DELETE FROM events.outbox');
    const second = await service.register(member, { eventId: event.id });
    expect(second).toEqual({ created: false, registration: first.registration });
    expect(await countOf(event.id)).toBe(1);
    expect(await events.outbox(RegistrationConfirmedMail)).toEqual([]);
  });

  describe('and what others learn of the member', () => {
    const profileSays = (showMe: string) => updateRow(events.owner, 'auth.users', member, { showMe });
    const shown = async (request: Omit<RegisterRequest, 'eventId'>, eventId: string) =>
      (await service.register(member, { ...request, eventId })).registration.showMe;

    it('is what the registration says, else what the profile says, by default the name', async () => {
      const ids = await Promise.all([1, 2, 3].map(async () => (await insertEvent(events.owner)).id));
      expect(await shown({}, ids[0]!)).toBe('name');
      await profileSays('no');
      expect([await shown({}, ids[1]!), await shown({ showMe: 'linkedin' }, ids[2]!)]).toEqual([
        'no',
        'linkedin',
      ]);
      expect((await rowsOf(ids[0]!))[0].show_me).toBe('name');
    });

    it('stays when a place is taken again, unless that says otherwise', async () => {
      const { id: eventId } = await insertEvent(events.owner);
      expect(await shown({ showMe: 'no' }, eventId)).toBe('no');
      await service.unregister(member, eventId);
      expect(await shown({}, eventId)).toBe('no');
      expect(await shown({ showMe: 'name' }, eventId)).toBe('name');
      expect((await rowsOf(eventId))[0].show_me).toBe('name');
    });

    it('is chosen anew by who has a place or waits, and by nobody else', async () => {
      const { id: eventId } = await insertEvent(events.owner, { capacity: 1 });
      const change = () => service.change(member, { eventId, showMe: 'linkedin' });
      await expect(change()).rejects.toMatchObject({ code: 'NOT_REGISTERED' });
      await service.register((await events.members(1))[0]!, { eventId });
      await service.register(member, { eventId, waitlist: true });
      expect(await change()).toMatchObject({ status: 'waitlisted', showMe: 'linkedin' });
      await service.unregister(member, eventId);
      await expect(change()).rejects.toMatchObject({ code: 'NOT_REGISTERED' });
      expect(await countOf(eventId)).toBe(1);
    });
  });

  it('answers a repeated registration alike when the event is full or has started meanwhile', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    await service.register(member, { eventId: event.id });
    expect(await service.register(member, { eventId: event.id })).toMatchObject({ created: false });
    await events.owner.query("UPDATE events.events SET start_date = now() - interval '1 s' WHERE id = $1", [
      event.id,
    ]);
    expect(await service.register(member, { eventId: event.id })).toMatchObject({ created: false });
  });

  it('refuses a place too many', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    const [other] = await events.members(1);
    await service.register(other!, { eventId: event.id });
    await expect(service.register(member, { eventId: event.id })).rejects.toMatchObject({
      code: 'EVENT_FULL',
    });
    expect(await rowsOf(event.id)).toHaveLength(1);
  });

  it('has room again when somebody gives up a place', async () => {
    const event = await insertEvent(events.owner, { capacity: 1 });
    const [other] = await events.members(1);
    await service.register(other!, { eventId: event.id });
    await service.unregister(other!, event.id);
    expect(await service.register(member, { eventId: event.id })).toMatchObject({ created: true });
    await expect(service.register(other!, { eventId: event.id })).rejects.toMatchObject({
      code: 'EVENT_FULL',
    });
  });

  it('ends when the event starts, by the time of the database', async () => {
    const event = await insertEvent(events.owner, { startDate: daysFromNow(-0.01) });
    await expect(service.register(member, { eventId: event.id })).rejects.toMatchObject({
      code: 'REGISTRATION_CLOSED',
    });
    expect(await rowsOf(event.id)).toEqual([]);
  });

  it.each([
    ['a draft', { status: 'draft' }, 'EVENT_NOT_FOUND'],
    ['cancelled', { status: 'cancelled' }, 'EVENT_CANCELLED'],
    ['not open yet', { registrationOpensAt: daysFromNow(0.5) }, 'REGISTRATION_NOT_OPEN'],
    ['closed', { registrationClosesAt: daysFromNow(-0.5) }, 'REGISTRATION_ENDED'],
  ] as const)('is refused for an event that is %s', async (_, state, code) => {
    const event = await insertEvent(events.owner, state);
    await expect(service.register(member, { eventId: event.id })).rejects.toMatchObject({ code });
    expect(await rowsOf(event.id)).toEqual([]);
  });

  it('is open between the two moments, and for an unlisted event', async () => {
    const event = await insertEvent(events.owner, {
      visibility: 'unlisted',
      registrationOpensAt: daysFromNow(-0.5),
      registrationClosesAt: daysFromNow(0.5),
    });
    expect(await service.register(member, { eventId: event.id })).toMatchObject({ created: true });
  });

  it('is refused when the event is cancelled at the same moment, by the rule of the database', async () => {
    const event = await insertEvent(events.owner);
    const cancelling: [string, string[]] = [
      "UPDATE events.events SET status = 'cancelled', cancelled_at = now() WHERE id = $1",
      [event.id],
    ];
    // it has read the event as it was before
    const registering = () => outcomes([service.register(member, { eventId: event.id })]);
    expect(await beforeCommit(events.owner, cancelling, registering)).toEqual({ EVENT_CANCELLED: 1 });
    expect(await rowsOf(event.id)).toEqual([]);
  });

  it('and giving up, of one member and at the same moment, do not lock each other out', async () => {
    const event = await insertEvent(events.owner);
    const calls = Array.from({ length: 60 }, (__, n) =>
      persistently<unknown>(() =>
        n % 2 === 0 ? service.register(member, { eventId: event.id }) : service.unregister(member, event.id),
      ),
    );
    expect(await outcomes(calls)).toEqual({ ok: 60 });
  });

  it('knows no event that is not there', async () => {
    await expect(service.register(member, { eventId: UNKNOWN })).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('refuses a member whose account is gone', async () => {
    const event = await insertEvent(events.owner);
    await expect(service.register(UNKNOWN, { eventId: event.id })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await countOf(event.id)).toBe(0);
  });

  it('keeps the chosen moment, from the start of the event to its end', async () => {
    const event = await insertEvent(events.owner);
    const [atStart, atEnd] = (await events.members(2)) as [string, string];
    for (const [userId, moment] of [
      [atStart, event.startDate],
      [atEnd, event.endDate],
    ] as const) {
      const selectedDate = moment.toISOString();
      const { registration } = await service.register(userId, { eventId: event.id, selectedDate });
      expect(registration.selectedDate).toBe(selectedDate);
    }
  });

  it.each([
    ['before the event', -1],
    ['after the event', 2 * 3_600_000 + 1],
  ])('refuses a chosen moment %s', async (_, milliseconds) => {
    const event = await insertEvent(events.owner);
    const selectedDate = new Date(event.startDate.getTime() + milliseconds).toISOString();
    await expect(service.register(member, { eventId: event.id, selectedDate })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { selectedDate: [expect.any(String)] } },
    });
  });

  it('asks for one roll-up for many registrations in a short time', async () => {
    await events.owner.query('DELETE FROM events.outbox');
    const event = await insertEvent(events.owner);
    for (const userId of await events.members(10)) await service.register(userId, { eventId: event.id });
    expect(await events.outbox(RegistrationConfirmedMail)).toHaveLength(10);
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
  });

  it('asks for another roll-up when the last may already be running', async () => {
    await events.owner.query('DELETE FROM events.outbox');
    const event = await insertEvent(events.owner);
    const [one, two] = (await events.members(2)) as [string, string];
    await service.register(one, { eventId: event.id });
    await events.owner.query("UPDATE events.outbox SET available_at = now() + interval '1 s'");
    await service.register(two, { eventId: event.id });
    expect(await events.outbox(RollUpActivity)).toHaveLength(2);
  });

  it('asks for a roll-up when an account has taken its places along', async () => {
    await events.owner.query('DELETE FROM events.outbox');
    await service.accountDeleted();
    expect(await events.outbox(RollUpActivity)).toHaveLength(1);
  });

  describe('giving up a place', () => {
    it('cancels the registration, frees the seat and asks for a roll-up', async () => {
      const event = await insertEvent(events.owner);
      await service.register(member, { eventId: event.id });
      await events.owner.query('DELETE FROM events.outbox');
      await service.unregister(member, event.id);
      expect(await rowsOf(event.id)).toMatchObject([{ status: 'cancelled' }]);
      expect(await countOf(event.id)).toBe(0);
      expect(await events.outbox(RollUpActivity)).toHaveLength(1);
    });

    it('asks for one mail, however often it is repeated, and raises the number of the calendar entry each way', async () => {
      const event = await insertEvent(events.owner);
      const { registration } = await service.register(member, { eventId: event.id });
      await events.owner.query('DELETE FROM events.outbox');
      await service.unregister(member, event.id);
      await service.unregister(member, event.id);
      expect(await events.outbox(UnregisteredMail)).toEqual([
        { registrationId: registration.id, registeredAt: registration.registeredAt },
      ]);
      expect(await rowsOf(event.id)).toMatchObject([{ entry_revision: 1 }]);
      await service.register(member, { eventId: event.id });
      expect(await rowsOf(event.id)).toMatchObject([{ entry_revision: 2 }]);
    });

    it('does nothing without a place, twice, or when the event is gone', async () => {
      const event = await insertEvent(events.owner);
      await service.unregister(member, event.id);
      await service.register(member, { eventId: event.id });
      await service.unregister(member, event.id);
      await service.unregister(member, event.id);
      await service.unregister(member, UNKNOWN);
      expect(await countOf(event.id)).toBe(0);
    });

    it('is refused once the event has started', async () => {
      const event = await insertEvent(events.owner, { startDate: daysFromNow(-0.01) });
      await insertRegistration(events.owner, { eventId: event.id, userId: member });
      await expect(service.unregister(member, event.id)).rejects.toMatchObject({
        code: 'REGISTRATION_CLOSED',
      });
      expect(await countOf(event.id)).toBe(1);
    });

    it('lets the member come back in the same row, with a new time and a new confirmation', async () => {
      const event = await insertEvent(events.owner);
      const registeredAt = daysFromNow(-3);
      const first = await insertRegistration(events.owner, {
        eventId: event.id,
        userId: member,
        registeredAt,
      });
      await service.unregister(member, event.id);
      await events.owner.query('DELETE FROM events.outbox');
      const { created, registration } = await service.register(member, { eventId: event.id });
      expect({ created, id: registration.id }).toEqual({ created: true, id: first.id });
      expect(new Date(registration.registeredAt).getTime()).toBeGreaterThan(registeredAt.getTime());
      expect(await events.outbox(RegistrationConfirmedMail)).toEqual([
        { registrationId: first.id, registeredAt: registration.registeredAt },
      ]);
      expect(await countOf(event.id)).toBe(1);
    });
  });

  it('waits while the event is being deleted, in whatever letter case its id is asked for', async () => {
    const { id } = await insertEvent(events.owner);
    const deletion = await events.owner.connect();
    await deletion.query('BEGIN');
    await deletion.query(`SELECT ${takeEventLock('$1')}`, [id]);
    const registering = service.register(member, { eventId: id.toUpperCase() });
    const first = Promise.race([registering.then(() => 'placed'), waiting().then(() => 'waiting')]);
    expect(await first).toBe('waiting');
    await deletion.query('COMMIT');
    deletion.release();
    expect(await registering).toMatchObject({ created: true });
  });

  it('of who deletes the account at the same moment makes nobody wait for each other', async () => {
    const [again, placed] = [await insertEvent(events.owner), await insertEvent(events.owner)];
    await service.register(member, { eventId: placed.id });
    await service.register(member, { eventId: again.id });
    await service.unregister(member, again.id);
    const another = await events.owner.connect();
    const lock = ({ id }: { id: string }) =>
      another.query('SELECT FROM events.events WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await another.query('BEGIN');
    await lock(again);
    const registering = service.register(member, { eventId: again.id });
    await waiting(1);
    const deleting = events.owner.query('DELETE FROM auth.users WHERE id = $1', [member]);
    await waiting(2);
    // as a promotion does, or the deletion of another account
    const locking = lock(placed).then(() => another.query('COMMIT'));
    const ended = await Promise.allSettled([locking, registering, deleting]);
    another.release();
    expect(ended.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    expect([await countOf(again.id), await countOf(placed.id)]).toEqual([0, 0]);
  });

  const waiting = (count = 1) =>
    until(`${count} who wait for a lock`, PATIENCE, async () => {
      const { rowCount } = await events.owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount! >= count;
    });

  it('makes one row of 50 simultaneous registrations of one member', async () => {
    const event = await insertEvent(events.owner);
    const attempts = Array.from({ length: 50 }, () =>
      persistently(() => service.register(member, { eventId: event.id })),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer.created)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.registration.id)).size).toBe(1);
    expect(await rowsOf(event.id)).toHaveLength(1);
  });
});

describe('capacity', () => {
  const SEATS = 50;
  const MEMBERS = 200;
  const ROUNDS = 20;
  /** Milliseconds for 4,000 registrations on a busy machine. */
  const PATIENCE = 120_000;
  /** As many as there are connections: all of them look before any of them writes. */
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

  /** What a program without the database's rule would do: look whether there is room, then take it. */
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
    `sells exactly ${SEATS} seats to ${MEMBERS} members through 2 replicas, in each of ${ROUNDS} rounds`,
    async () => {
      const replicas = [events, await events.replica()].map((replica) => replica.get(RegistrationsService));
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id: eventId } = await insertEvent(events.owner, { capacity: SEATS });
        const outcome = await outcomes(
          members.map((userId, i) => persistently(() => replicas[i % 2]!.register(userId, { eventId }))),
        );
        expect(outcome).toEqual({ ok: SEATS, EVENT_FULL: MEMBERS - SEATS });
        expect(await taken(eventId)).toEqual({ rows: SEATS, count: SEATS });
      }
    },
    PATIENCE,
  );

  it('holds against check-then-insert when the rule is in the database', async () => {
    const { id } = await insertEvent(events.owner, { capacity: SEATS });
    await insertSome(id, members.slice(0, SEATS - 1));
    await checkThenInsert(id, members.slice(SEATS - 1));
    expect(await taken(id)).toEqual({ rows: SEATS, count: SEATS });
  });

  const insertSome = async (eventId: string, userIds: string[]) => {
    for (const userId of userIds) await events.owner.query(INSERT, [uuid(), eventId, userId]);
  };

  it('holds when it is lowered while members register', async () => {
    const admin = await events.administrator();
    const event = await insertEvent(events.owner, { capacity: MEMBERS });
    const registrations = members.map((userId) =>
      persistently(() => events.get(RegistrationsService).register(userId, { eventId: event.id })),
    );
    const lowering = persistently(() =>
      events.get(EventEditingService).update(admin, {
        eventId: event.id,
        title: event.title,
        description: null,
        location: null,
        price: null,
        startDate: event.startDate.toISOString(),
        endDate: event.endDate.toISOString(),
        capacity: MEMBERS / 2,
        banner: { action: 'remove' },
      }),
    );
    const [outcome, lowered] = await Promise.all([outcomes(registrations), outcomes([lowering])]);
    const { rows, count } = await taken(event.id);
    expect({ rows, count }).toEqual({ rows: outcome.ok, count: outcome.ok });
    expect(rows).toBe(lowered.ok ? MEMBERS / 2 : MEMBERS);
    expect(Object.keys({ ...outcome, ...lowered }).toSorted()).toEqual(
      lowered.ok ? ['EVENT_FULL', 'ok'] : ['CAPACITY_BELOW_REGISTERED', 'ok'],
    );
  });

  // The last one, as it takes the rule out. It shows that those above can fail, and what keeps them from failing.
  it('is oversold by check-then-insert when the rule is taken out of the database', async () => {
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

describe('the number registered', () => {
  const countOf = async (eventId: string) =>
    (
      await events.owner.query('SELECT registration_count AS count FROM events.events WHERE id = $1', [
        eventId,
      ])
    ).rows[0].count;
  /** Events whose count is not the number of their registrations. */
  const wrongCounts = async () => {
    const { rows } = await events.owner.query(
      `SELECT id FROM events.events WHERE registration_count <> (
         SELECT count(*) FROM events.event_registrations WHERE event_id = events.id AND status = 'registered')`,
    );
    return rows;
  };

  it('follows every kind of change, of one row or many', async () => {
    const event = await insertEvent(events.owner);
    const other = await insertEvent(events.owner);
    for (const userId of await events.members(4))
      await insertRegistration(events.owner, { eventId: event.id, userId });
    const [absent] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: event.id, userId: absent, status: 'cancelled' });
    expect(await countOf(event.id)).toBe(4);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'registered' WHERE user_id = $1",
      [absent],
    );
    expect(await countOf(event.id)).toBe(5);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1",
      [event.id],
    );
    expect(await countOf(event.id)).toBe(0);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'registered', event_id = $2 WHERE event_id = $1",
      [event.id, other.id],
    );
    expect([await countOf(event.id), await countOf(other.id)]).toEqual([0, 5]);
    await events.owner.query('DELETE FROM events.event_registrations WHERE event_id = $1', [other.id]);
    expect(await countOf(other.id)).toBe(0);
  });

  it('follows the deletion of a member, whose registrations go with them', async () => {
    const [leaving, staying] = (await events.members(2)) as [string, string];
    const there = [await insertEvent(events.owner), await insertEvent(events.owner)];
    for (const { id: eventId } of there)
      for (const userId of [leaving, staying]) await insertRegistration(events.owner, { eventId, userId });
    await events.owner.query('DELETE FROM auth.users WHERE id = $1', [leaving]);
    expect(await Promise.all(there.map(({ id }) => countOf(id)))).toEqual([1, 1]);
    const { rows } = await events.owner.query('SELECT FROM events.event_registrations WHERE user_id = $1', [
      leaving,
    ]);
    expect(rows).toEqual([]);
  });

  it('cannot be written by the service itself', async () => {
    const event = await insertEvent(events.owner);
    const service = new pg.Client(events.config.databaseUrl);
    await service.connect();
    const written = updateRow(service, 'events.events', event.id, { registrationCount: 7 });
    await expect(written).rejects.toMatchObject({ code: '42501' });
    await service.end();
  });

  it('is right after a storm of registering, giving up, deleting members and deleting events', async () => {
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
              if (giveUp) await service.unregister(userId, eventId);
              else await service.register(userId, { eventId });
            }),
          ]),
        );
        // every fifth member leaves in the middle, all at about the same time
        if (step === STEPS / 2 && member % 5 === 0)
          await events.owner.query('DELETE FROM auth.users WHERE id = $1', [userId]);
        if (step === STEPS / 2 && member === 1)
          await persistently(() => events.get(EventEditingService).delete(admin, there[3]!.id));
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

  it('lets nobody wait in a circle when members and their events are deleted at the same moment', async () => {
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
        ...there.map(({ id }) => persistently(() => deletion.delete(admin, id))),
      ]);
      expect(outcome).toEqual({ ok: members.length + there.length });
    }
    expect(await wrongCounts()).toEqual([]);
  });
});

/** What the database answers where the state is one in which one cannot register; none where places decide. */
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

/** Milliseconds from now: the moment itself, the ones beside it, and any within three months. */
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

describe('whether one can register', () => {
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

  it(`is the same for the database and for browsers, whatever the moments of ${EVENTS} events`, async () => {
    const answers = await answersTo(fc.sample(anyEvent, { numRuns: EVENTS, seed: 20_261_126 }));
    const wrong = answers.filter((event) => {
      const places = { capacity: null, registrationCount: 0, waitlistEnabled: false };
      const state = registrationStateOf({ ...event, ...places }, event.now.getTime());
      return event.refusal !== (event.status === 'draft' ? 'EVENT_NOT_FOUND' : REFUSALS[state]);
    });
    expect(wrong).toEqual([]);
    // each answer is among them
    expect(new Set(answers.map(({ refusal }) => refusal))).toEqual(
      new Set([...Object.values(REFUSALS), 'EVENT_NOT_FOUND']),
    );
  });

  it('asks for an event that is to come, and a listed one is to come and public', async () => {
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
