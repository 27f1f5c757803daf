import {
  type Identity,
  LIMITS,
  PromotedMail,
  RecordAudit,
  RegistrationConfirmedMail,
  UnregisteredMail,
  type UpdateEventRequest,
  WaitlistDismissedMail,
  WaitlistJoinedMail,
} from '@meetmark/contracts';
import { beforeCommit, codes, outcomes, tally, until } from '@meetmark/testing';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
} from '@meetmark/testing/factories/events';
import { updateRow } from '@meetmark/testing/factories/users';
import { eventsForTests, openEvents, persistently, type TestEvents } from '../testing/open-events.js';
import { CalendarFeedsService } from '../calendar/calendar-feeds.service.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { EventEditingService } from '../events/event-editing.service.js';
import { EventsService } from '../events/events.service.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';
import { WaitingListService } from './waiting-list.service.js';
import { GuestsService } from '../guests/guests.service.js';

const events = eventsForTests();

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

/** Milliseconds for hundreds of calls on a busy machine. */
const PATIENCE = 120_000;

/** What the tests ask of the waiting list of `events`. */
const lists = (events: TestEvents) => ({
  /** Ids of those with this status, in the order of the list. */
  async people(eventId: string, status: 'registered' | 'waitlisted'): Promise<string[]> {
    const { rows } = await events.owner.query(
      `SELECT user_id FROM events.event_registrations WHERE event_id = $1 AND status = $2 ORDER BY registered_at, id`,
      [eventId, status],
    );
    return rows.map(({ user_id: id }) => id);
  },
  /** Fills an event of so many places with other members. */
  async full(given: Partial<EventRow> & { capacity: number }) {
    const event = await insertEvent(events.owner, given);
    const placed = await events.members(given.capacity);
    for (const userId of placed) await insertRegistration(events.owner, { eventId: event.id, userId });
    return { eventId: event.id, placed };
  },
  /** Ids of those who got a mail about their promotion. */
  async told(): Promise<string[]> {
    const { rows } = await events.owner.query(
      `SELECT user_id FROM events.outbox
       JOIN events.event_registrations ON event_registrations.id = (payload ->> 'registrationId')::uuid
       WHERE job = $1 ORDER BY registered_at, user_id`,
      [PromotedMail.name],
    );
    return rows.map(({ user_id: id }) => id);
  },
  set: (eventId: string, change: string) =>
    events.owner.query(`UPDATE events.events SET ${change} WHERE id = $1`, [eventId]),
});

describe('the waiting list', () => {
  let service: RegistrationsService;
  let list: ReturnType<typeof lists>;
  beforeAll(() => {
    service = events.get(RegistrationsService);
    list = lists(events);
  });
  beforeEach(async () => {
    await events.empty();
  });

  const join = (userId: string, eventId: string, given: { selectedDate?: string } = {}) =>
    persistently(() => service.register(userId, { eventId, waitlist: true, ...given }));
  /** So many new members on the list, one after the other. */
  const joined = async (eventId: string, count: number) => {
    const members = await events.members(count);
    for (const userId of members) await join(userId, eventId);
    return members;
  };
  const leave = (userId: string, eventId: string) => persistently(() => service.unregister(userId, eventId));
  const countsOf = async (eventId: string) =>
    (
      await events.owner.query(
        'SELECT registration_count AS registered, waiting_count AS waiting FROM events.events WHERE id = $1',
        [eventId],
      )
    ).rows[0];

  it('of a full event is joined at its end, with a mail that says so', async () => {
    const { eventId } = await list.full({ capacity: 1 });
    const [one, two] = (await events.members(2)) as [string, string];
    const first = await join(one, eventId);
    expect(first).toMatchObject({ created: true, registration: { status: 'waitlisted', userId: one } });
    expect(await events.outbox(WaitlistJoinedMail)).toMatchObject([
      { registrationId: first.registration.id, registeredAt: first.registration.registeredAt },
    ]);
    expect(first.waiting).toEqual({ joinedAt: first.registration.registeredAt, position: 1 });
    expect(await join(two, eventId)).toMatchObject({ created: true, waiting: { position: 2 } });
    expect(await countsOf(eventId)).toEqual({ registered: 1, waiting: 2 });
    for (const job of [RegistrationConfirmedMail, PromotedMail]) expect(await events.outbox(job)).toEqual([]);
  });

  it('is not needed where a place is free, or places are without limit', async () => {
    const [member] = (await events.members(1)) as [string];
    for (const capacity of [1, null]) {
      const { id } = await insertEvent(events.owner, { capacity });
      const answer = await join(member, id);
      expect(answer).toMatchObject({ created: true, registration: { status: 'registered' } });
      expect(answer.waiting).toBeUndefined();
    }
    expect(await events.outbox(RegistrationConfirmedMail)).toHaveLength(2);
  });

  it('tells who asks again the present position, and without the flag that the event is full', async () => {
    const { eventId } = await list.full({ capacity: 1 });
    const [first, second, third] = (await joined(eventId, 3)) as [string, string, string];
    expect(await join(third, eventId)).toMatchObject({ created: false, waiting: { position: 3 } });
    await leave(first, eventId);
    expect(await join(third, eventId)).toMatchObject({ created: false, waiting: { position: 2 } });
    await expect(service.register(second, { eventId })).rejects.toMatchObject({ code: 'EVENT_FULL' });
    expect(await list.people(eventId, 'waitlisted')).toEqual([second, third]);
  });

  it('is left without a mail, and joined at its end again', async () => {
    const { eventId } = await list.full({ capacity: 1 });
    const [first, second] = (await joined(eventId, 2)) as [string, string];
    await leave(first, eventId);
    await leave(first, eventId);
    expect(await countsOf(eventId)).toEqual({ registered: 1, waiting: 1 });
    expect(await join(first, eventId)).toMatchObject({ created: true, waiting: { position: 2 } });
    expect(await list.people(eventId, 'waitlisted')).toEqual([second, first]);
    expect(await events.outbox(UnregisteredMail)).toEqual([]);
  });

  it.each([
    ['without a list', { waitlistEnabled: false }, 'EVENT_FULL'],
    ['cancelled', { status: 'cancelled' }, 'EVENT_CANCELLED'],
    ['closed', { registrationClosesAt: daysFromNow(-1) }, 'REGISTRATION_ENDED'],
    ['not open yet', { registrationOpensAt: daysFromNow(0.5) }, 'REGISTRATION_NOT_OPEN'],
    ['started', { startDate: daysFromNow(-0.01) }, 'REGISTRATION_CLOSED'],
  ] as const)('of an event that is %s takes nobody', async (_, state, code) => {
    const { status = 'published', ...given } = { status: undefined, ...state };
    const { eventId } = await list.full({ capacity: 1, ...given });
    if (status === 'cancelled') await list.set(eventId, "status = 'cancelled', cancelled_at = now()");
    const [member] = (await events.members(1)) as [string];
    await expect(join(member, eventId)).rejects.toMatchObject({ code });
  });

  it('takes what somebody whose address is not verified may hold, waiting or not', async () => {
    const [member] = (await events.members(1)) as [string];
    await updateRow(events.owner, 'auth.users', member, { emailVerifiedAt: null });
    const full = await Promise.all(Array.from({ length: 6 }, () => list.full({ capacity: 1 })));
    const ids = full.map(({ eventId }) => eventId);
    expect(await outcomes(ids.map((eventId) => join(member, eventId)))).toEqual({
      ok: 5,
      EMAIL_UNVERIFIED: 1,
    });
    for (const [n, { eventId, placed }] of full.entries()) {
      await leave(placed[0]!, eventId); // a promotion never fails on it
      expect([n, (await countsOf(eventId)).waiting]).toEqual([n, 0]);
    }
  });

  it('holds up nobody else while it waits for the locks of the member who joins', async () => {
    const { id: eventId } = await insertEvent(events.owner);
    const [member, other] = (await events.members(2)) as [string, string];
    await updateRow(events.owner, 'auth.users', member, { emailVerifiedAt: null });
    const elsewhere = await events.owner.connect();
    await elsewhere.query('BEGIN');
    await elsewhere.query(
      "SELECT pg_advisory_xact_lock(hashtextextended('events.unverified ' || $1::uuid, 0))",
      [member],
    );
    const joining = join(member, eventId);
    await until('the one who joins to wait', 10_000, async () => {
      const { rowCount } = await events.owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount !== 0;
    });
    const answer = await outcomes([service.register(other, { eventId })]);
    await elsewhere.query('COMMIT');
    elsewhere.release();
    expect(answer).toEqual({ ok: 1 });
    expect(await joining).toMatchObject({ created: true });
  });

  describe('gives the place', () => {
    it('of who gives it up to the first, at that moment, and tells them', async () => {
      const { eventId, placed } = await list.full({ capacity: 2 });
      const { startDate } = (await events.owner.query('SELECT start_date AS "startDate" FROM events.events'))
        .rows[0];
      const [first, second] = (await events.members(2)) as [string, string];
      const selectedDate = startDate.toISOString();
      const { registration, waiting } = await join(first, eventId, { selectedDate });
      await join(second, eventId);
      await leave(placed[0]!, eventId);
      expect(await list.people(eventId, 'registered')).toEqual([placed[1], first]);
      expect(await list.people(eventId, 'waitlisted')).toEqual([second]);
      expect(await countsOf(eventId)).toEqual({ registered: 2, waiting: 1 });
      const [row] = (
        await events.owner.query('SELECT * FROM events.event_registrations WHERE id = $1', [registration.id])
      ).rows;
      expect(row.selected_date.toISOString()).toBe(selectedDate);
      expect(row.registered_at.getTime()).toBeGreaterThan(Date.parse(waiting!.joinedAt));
      expect(await events.outbox(PromotedMail)).toEqual([
        { registrationId: registration.id, registeredAt: row.registered_at.toISOString() },
      ]);
    });

    it('of two who give up at the same moment to two different people', async () => {
      const { eventId, placed } = await list.full({ capacity: 2 });
      const waiting = await joined(eventId, 3);
      await Promise.all(placed.map((userId) => leave(userId, eventId)));
      expect((await list.people(eventId, 'registered')).toSorted()).toEqual(waiting.slice(0, 2).toSorted());
      expect((await list.told()).toSorted()).toEqual(waiting.slice(0, 2).toSorted());
    });

    it('of a deleted account on', async () => {
      const { eventId, placed } = await list.full({ capacity: 1 });
      const [first] = await joined(eventId, 2);
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [placed[0]]);
      expect(await list.people(eventId, 'registered')).toEqual([first]);
      expect(await countsOf(eventId)).toEqual({ registered: 1, waiting: 1 });
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [
        (await list.people(eventId, 'waitlisted'))[0],
      ]);
      expect(await countsOf(eventId)).toEqual({ registered: 1, waiting: 0 });
    });

    it.each([
      ['ten more places', 'capacity = capacity + 10', 10],
      ['places without limit', 'capacity = NULL', 15],
    ])('of %s to as many, with a mail each', async (_, change, promoted) => {
      const { eventId, placed } = await list.full({ capacity: 2 });
      const waiting = await joined(eventId, 15);
      await list.set(eventId, change);
      const lucky = waiting.slice(0, promoted);
      expect((await list.people(eventId, 'registered')).toSorted()).toEqual([...placed, ...lucky].toSorted());
      expect(await list.people(eventId, 'waitlisted')).toEqual(waiting.slice(promoted));
      expect((await list.told()).toSorted()).toEqual(lucky.toSorted());
    });

    it('with a calendar entry newer than the one that took the last place of the same person away', async () => {
      const { eventId, placed } = await list.full({ capacity: 2 });
      const revisionOf = async (userId: string) => {
        const { rows } = await events.owner.query<{ entry_revision: number }>(
          'SELECT entry_revision FROM events.event_registrations WHERE event_id = $1 AND user_id = $2',
          [eventId, userId],
        );
        return rows[0]!.entry_revision;
      };
      const [byTrigger, byHand] = placed as [string, string];
      const others = await joined(eventId, 2);
      for (const userId of [byTrigger, byHand]) {
        await service.unregister(userId, eventId);
        await service.register(userId, { eventId, waitlist: true });
      }
      expect([await revisionOf(byTrigger), await revisionOf(byHand)]).toEqual([1, 1]);
      expect((await list.people(eventId, 'registered')).toSorted()).toEqual(others.toSorted());
      await list.set(eventId, 'capacity = 3');
      expect(await revisionOf(byTrigger)).toBe(2);
      await list.set(eventId, `registration_closes_at = now() - interval '1 minute'`);
      await events
        .get(WaitingListService)
        .promote(await events.administrator(), { eventId, userId: byHand, raiseCapacity: true });
      expect(await revisionOf(byHand)).toBe(2);
    });

    it.each([
      ['closed', 'registration_closes_at', { registrationClosesAt: daysFromNow(0.9) }],
      ['started', 'start_date', {}],
    ])(
      'to nobody once registration has %s, and to the first when that moves to later',
      async (_, moment, given) => {
        const { eventId, placed } = await list.full({ capacity: 1, ...given });
        const [first] = await joined(eventId, 2);
        await list.set(eventId, `${moment} = now() - interval '1 minute'`);
        await events.owner.query('DELETE FROM auth.users WHERE id = $1', [placed[0]]);
        expect(await countsOf(eventId)).toEqual({ registered: 0, waiting: 2 });
        await list.set(eventId, `${moment} = now() + interval '1 hour'`);
        expect(await list.people(eventId, 'registered')).toEqual([first]);
        expect(await list.told()).toEqual([first]);
      },
    );

    it('to nobody who has left while it became free', async () => {
      const { eventId, placed } = await list.full({ capacity: 1 });
      const [first, second] = (await joined(eventId, 2)) as [string, string];
      const change: [string, string[]] = [
        "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1 AND user_id = $2",
        [eventId, first],
      ];
      await beforeCommit(events.owner, change, () => leave(placed[0]!, eventId));
      expect(await list.people(eventId, 'registered')).toEqual([second]);
    });
  });
});

describe('the waiting list of an organiser', () => {
  let list: ReturnType<typeof lists>;
  let admin: Identity;
  let eventId: string;
  let placed: string[];
  let waiting: string[];
  beforeAll(() => {
    list = lists(events);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
    ({ eventId, placed } = await list.full({ capacity: 2 }));
    waiting = await events.members(5);
    for (const userId of waiting)
      await events.get(RegistrationsService).register(userId, { eventId, waitlist: true });
    await events.owner.query('DELETE FROM events.outbox');
  });

  const organiser = () => events.get(WaitingListService);
  /** Registration has closed, and one place is free. */
  const closedWithAFreePlace = () =>
    list.set(eventId, "registration_closes_at = now() - interval '1 minute', capacity = 3");
  const shown = () => events.get(EventsService).get(eventId, admin);
  const audited = async () =>
    (await events.outbox(RecordAudit)).map(({ action, actorId, subjectId, changed }) => ({
      action,
      actorId,
      subjectId,
      changed,
    }));

  it('shows who waits, first come first, page by page, and no place; the list of places shows nobody who waits', async () => {
    const all = events.get(RegistrationListsService);
    const whole = await all.waiting(admin, { eventId });
    expect(whole.items.map(({ userId, position }) => [userId, position])).toEqual(
      waiting.map((userId, n) => [userId, n + 1]),
    );
    expect(whole.items[0]).toMatchObject({
      joinedAt: expect.any(String),
      member: { id: waiting[0], firstName: 'Ada', email: expect.stringContaining('@') },
    });
    const first = await all.waiting(admin, { eventId, limit: 3 });
    const second = await all.waiting(admin, { eventId, limit: 3, cursor: first.nextCursor! });
    expect([...first.items, ...second.items]).toEqual(whole.items);
    expect([first.total, second.nextCursor]).toEqual([5, null]);
    const places = await all.list(admin, { eventId });
    expect(places.items.map(({ userId }) => userId).toSorted()).toEqual(placed.toSorted());
    expect((await all.attendees({ eventId })).total).toBe(2);
    await expect(all.waiting(admin, { eventId: UNKNOWN })).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('gives a free place out of turn, says so in the audit log and tells the person', async () => {
    await closedWithAFreePlace();
    const userId = waiting[3]!;
    const registration = await organiser().promote(admin, { eventId, userId });
    expect(registration).toMatchObject({ userId, status: 'registered' });
    expect(await list.people(eventId, 'waitlisted')).toEqual(waiting.filter((id) => id !== userId));
    expect(await list.told()).toEqual([userId]);
    expect(await audited()).toEqual([
      { action: 'waitlist.promoted', actorId: admin.sub, subjectId: userId, changed: [eventId] },
    ]);
  });

  it.each([
    ['while registration is open', 'true'],
    ['once registration has closed', "registration_closes_at = now() - interval '1 minute'"],
  ])('adds a place for one person when none is free, if asked to, %s', async (_, state) => {
    if (state !== 'true') await list.set(eventId, state);
    const before = await shown();
    const userId = waiting[3]!;
    const registration = await organiser().promote(admin, { eventId, userId, raiseCapacity: true });
    expect(registration).toMatchObject({ userId, status: 'registered' });
    expect(await list.people(eventId, 'waitlisted')).toEqual(waiting.filter((id) => id !== userId));
    expect(await list.told()).toEqual([userId]);
    expect(await shown()).toMatchObject({
      capacity: 3,
      registrationCount: 3,
      waitingCount: 4,
      version: before.version + 1,
    });
    const values = { capacity: { before: '2', after: '3' } };
    expect((await events.outbox(RecordAudit))[0]).toMatchObject({ action: 'event.updated', values });
    expect(await audited()).toEqual([
      { action: 'event.updated', actorId: admin.sub, subjectId: eventId, changed: ['capacity'] },
      { action: 'waitlist.promoted', actorId: admin.sub, subjectId: userId, changed: [eventId] },
    ]);
  });

  it('adds no place where one is free, one for each who is asked for at once, and none beyond the largest event', async () => {
    await closedWithAFreePlace();
    const [one, two, three] = waiting as [string, string, string];
    await organiser().promote(admin, { eventId, userId: one, raiseCapacity: true });
    expect((await shown()).capacity).toBe(3);
    await Promise.all(
      [two, three].map((userId) =>
        persistently(() => organiser().promote(admin, { eventId, userId, raiseCapacity: true })),
      ),
    );
    expect(await shown()).toMatchObject({
      capacity: 5,
      registrationCount: 5,
    });
    expect((await list.told()).toSorted()).toEqual([one, two, three].toSorted());
    await list.set(eventId, `capacity = ${LIMITS.capacityMax}, registration_count = ${LIMITS.capacityMax}`);
    const beyond = organiser().promote(admin, { eventId, userId: waiting[4]!, raiseCapacity: true });
    await expect(beyond).rejects.toMatchObject({ code: 'EVENT_FULL' });
  });

  it('takes somebody off, says so in the audit log and tells the person', async () => {
    const [, userId = ''] = waiting;
    await organiser().remove(admin, { eventId, userId });
    expect(await list.people(eventId, 'waitlisted')).toEqual(waiting.filter((id) => id !== userId));
    expect(await events.outbox(WaitlistDismissedMail)).toEqual([{ eventId, userId }]);
    expect(await audited()).toEqual([
      { action: 'waitlist.removed', actorId: admin.sub, subjectId: userId, changed: [eventId] },
    ]);
    const again = organiser().remove(admin, { eventId, userId });
    await expect(again).rejects.toMatchObject({ code: 'NOT_WAITING' });
  });

  it.each([
    ['no place is free', 'capacity = 2', 'EVENT_FULL'],
    ['the event has started', "capacity = 9, start_date = now() - interval '1 s'", 'REGISTRATION_CLOSED'],
    ['the event is cancelled', "status = 'cancelled', cancelled_at = now()", 'EVENT_CANCELLED'],
  ])('gives nobody a place when %s', async (_, change, code) => {
    await list.set(eventId, change);
    const promotion = organiser().promote(admin, { eventId, userId: waiting[0]! });
    await expect(promotion).rejects.toMatchObject({ code });
    expect(await list.people(eventId, 'waitlisted')).toEqual(waiting);
    expect(await audited()).toEqual([]);
  });

  it('knows neither people who do not wait nor events that are not there, and obeys administrators only', async () => {
    for (const userId of [placed[0]!, UNKNOWN])
      for (const call of ['promote', 'remove'] as const)
        await expect(organiser()[call](admin, { eventId, userId })).rejects.toMatchObject({
          code: 'NOT_WAITING',
        });
    const elsewhere = { eventId: UNKNOWN, userId: waiting[0]! };
    await expect(organiser().remove(admin, elsewhere)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    await updateRow(events.owner, 'auth.users', admin.sub, { isAdmin: false });
    const demoted = organiser().remove(admin, { eventId, userId: waiting[0]! });
    await expect(demoted).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  describe('when it is turned off', () => {
    const turnOff = (given: Partial<UpdateEventRequest> = {}) =>
      events
        .get(EventEditingService)
        .update(admin, { eventId, banner: { action: 'keep' }, waitlistEnabled: false, ...given });

    it('asks what becomes of those who wait', async () => {
      await expect(turnOff()).rejects.toMatchObject({
        code: 'WAITLIST_NOT_EMPTY',
        details: { waiting: 5 },
      });
      expect(await list.people(eventId, 'waitlisted')).toEqual(waiting);
    });

    it.each([
      ['', 'true'],
      [', also once registration has closed', "registration_closes_at = now() - interval '1 minute'"],
    ])('gives all of them a place and makes room for them, with a mail each%s', async (_, change) => {
      if (change !== 'true') await list.set(eventId, change);
      const event = await turnOff({ waitlistOff: 'promote' });
      expect(event).toMatchObject({
        waitlistEnabled: false,
        capacity: 7,
        registrationCount: 7,
        waitingCount: 0,
      });
      expect((await list.told()).toSorted()).toEqual(waiting.toSorted());
      expect(await audited()).toMatchObject([
        { action: 'event.updated', changed: ['capacity', 'waitlistEnabled'] },
      ]);
    });

    it('gives nobody a place once the event has started, and can still end their waiting', async () => {
      await list.set(eventId, "start_date = now() - interval '1 s'");
      const refused = { code: 'REGISTRATION_CLOSED' };
      await expect(turnOff({ waitlistOff: 'promote' })).rejects.toMatchObject(refused);
      await expect(turnOff({ waitlistOff: 'promote', capacity: 20 })).rejects.toMatchObject(refused);
      expect(await list.people(eventId, 'waitlisted')).toEqual(waiting);
      expect(await turnOff({ waitlistOff: 'dismiss' })).toMatchObject({ capacity: 2, waitingCount: 0 });
      expect(await list.told()).toEqual([]);
    });

    it('gives them their places when the same edit moves the start to later', async () => {
      await list.set(eventId, "start_date = now() - interval '1 s'");
      const startDate = daysFromNow(1).toISOString();
      const endDate = daysFromNow(2).toISOString();
      expect(await turnOff({ waitlistOff: 'promote', startDate, endDate })).toMatchObject({
        registrationCount: 7,
      });
    });

    it('raises no capacity that has room for them', async () => {
      expect(await turnOff({ waitlistOff: 'promote', capacity: 20 })).toMatchObject({
        capacity: 20,
        registrationCount: 7,
      });
      expect(await list.told()).toHaveLength(5);
    });

    it('ends the waiting of all of them and tells them, or of those for whom the same edit made no room', async () => {
      expect(await turnOff({ waitlistOff: 'dismiss', capacity: 3 })).toMatchObject({
        capacity: 3,
        registrationCount: 3,
        waitingCount: 0,
      });
      expect(await list.told()).toEqual([waiting[0]]);
      expect((await events.outbox(WaitlistDismissedMail)).map(({ userId }) => userId).toSorted()).toEqual(
        waiting.slice(1).toSorted(),
      );
    });

    it('stays on when the edit is out of date', async () => {
      await events.get(EventEditingService).update(admin, {
        eventId,
        banner: { action: 'keep' },
        location: 'Town hall',
      });
      await expect(turnOff({ waitlistOff: 'dismiss', version: 1 })).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
      });
      expect(await list.people(eventId, 'waitlisted')).toEqual(waiting);
    });

    it('needs to ask nothing when nobody waits', async () => {
      const { eventId: other } = await list.full({ capacity: 1 });
      expect(await turnOff({ eventId: other })).toMatchObject({ waitlistEnabled: false });
    });
  });

  it('tells those who wait where, in the answer about the event and among their events if they ask', async () => {
    const [reads, third] = [events.get(EventsService), waiting[2]!];
    const viewer = { sub: third, isAdmin: false };
    const at = { joinedAt: expect.any(String), position: 3 };
    expect(await reads.get(eventId, viewer)).toMatchObject({ registrations: [], waiting: at });
    const [listed] = (await reads.list({}, viewer)).items;
    expect(listed).toMatchObject({ registrations: [], registrationCount: 2, waitingCount: 5 });
    expect(listed!.waiting).toEqual({ joinedAt: expect.any(String), position: undefined });
    expect((await reads.get(eventId, { sub: placed[0]!, isAdmin: false })).waiting).toBeNull();
    expect((await reads.myEvents(third, {})).items).toEqual([]);
    const mine = await reads.myEvents(third, { include: 'waiting', limit: 10 });
    expect(mine).toMatchObject({ total: 1, items: [{ id: eventId, waiting: at, registrations: [] }] });
  });

  it('is in no calendar of those who wait', async () => {
    const { token } = await events.get(CalendarFeedsService).create(waiting[0]!);
    const calendar = events.get(CalendarService);
    expect((await calendar.ofMember(token)).ics).not.toContain('BEGIN:VEVENT');
    await list.set(eventId, 'capacity = 3');
    expect((await calendar.ofMember(token)).ics).toContain('BEGIN:VEVENT');
  });
});

describe('the waiting list, with many at the same moment', () => {
  let events: TestEvents;
  let list: ReturnType<typeof lists>;
  let replicas: RegistrationsService[];
  beforeEach(async () => {
    events = await openEvents();
    list = lists(events);
    replicas = [events, await events.replica()].map((replica) => replica.get(RegistrationsService));
  });
  afterEach(() => events.close());

  it(
    'seats 50 of 200, and the other 150 have the positions from 1 to 150, which stay theirs',
    async () => {
      const { id: eventId } = await insertEvent(events.owner, { capacity: 50 });
      const members = await events.members(200);
      const joinAll = () =>
        Promise.all(
          members.map((userId, n) =>
            persistently(() => replicas[n % 2]!.register(userId, { eventId, waitlist: true })),
          ),
        );
      const first = await joinAll();
      expect(tally(first.map(({ registration }) => registration.status))).toEqual({
        registered: 50,
        waitlisted: 150,
      });
      const positions = first.flatMap(({ waiting }) => waiting?.position ?? []);
      expect(positions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 150 }, (_, n) => n + 1));
      expect((await joinAll()).map(({ waiting }) => waiting)).toEqual(first.map(({ waiting }) => waiting));
      const byPosition = first
        .filter(({ waiting }) => waiting)
        .toSorted((a, b) => a.waiting!.position! - b.waiting!.position!);
      expect(await list.people(eventId, 'waitlisted')).toEqual(
        byPosition.map(({ registration }) => registration.userId),
      );
    },
    PATIENCE,
  );

  /** Writes down whoever got a place after waiting, each time. */
  const watchPromotions = async () => {
    await events.owner.query(`
      CREATE TABLE public.promotions (registration_id uuid, registered_at timestamptz(3));
      CREATE FUNCTION public.note_promotion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN INSERT INTO public.promotions VALUES (NEW.id, NEW.registered_at); RETURN NULL; END $$;
      CREATE TRIGGER note_promotion AFTER UPDATE ON events.event_registrations FOR EACH ROW
        WHEN (OLD.status = 'waitlisted' AND NEW.status = 'registered') EXECUTE FUNCTION public.note_promotion()`);
    return async () => {
      const { rows } = await events.owner.query<{ mailed: number; promoted: number }>(
        `SELECT (SELECT count(*)::integer FROM public.promotions
                 WHERE registration_id = (payload ->> 'registrationId')::uuid
                   AND registered_at = (payload ->> 'registeredAt')::timestamptz) AS promoted, count(*)::integer AS mailed
         FROM events.outbox WHERE job = $1 GROUP BY payload`,
        [PromotedMail.name],
      );
      const { rows: all } = await events.owner.query('SELECT FROM public.promotions');
      return {
        promotions: all.length,
        mails: rows.length,
        alike: rows.every(({ mailed, promoted }) => mailed === promoted),
      };
    };
  };

  it(
    'never leaves a free place beside somebody who waits, whatever people and organisers do',
    async () => {
      const promotions = await watchPromotions();
      const members = await events.members(60);
      const ids = await Promise.all(
        [3, 8].map(async (capacity) => (await insertEvent(events.owner, { capacity })).id),
      );
      const unverified = members.slice(0, 10);
      await events.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = ANY ($1)', [
        unverified,
      ]);
      const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T;
      const sql = (text: string, values: unknown[]) => events.owner.query(text, values);
      const acts: ((userId: string, eventId: string) => Promise<unknown>)[] = [
        (userId, eventId) => any(replicas).register(userId, { eventId, waitlist: true }),
        (userId, eventId) => any(replicas).register(userId, { eventId, waitlist: true }),
        (userId, eventId) => any(replicas).register(userId, { eventId }),
        (userId, eventId) => any(replicas).unregister(userId, eventId),
        (userId, eventId) => any(replicas).unregister(userId, eventId),
        (_, eventId) =>
          sql('UPDATE events.events SET capacity = greatest(registration_count + $2, 1) WHERE id = $1', [
            eventId,
            any([0, 0, 1, 3]),
          ]),
      ];
      const storm = Array.from({ length: 1_200 }, (_, n) => {
        const userId = any(members);
        if (n % 100 === 99) return sql('DELETE FROM auth.users WHERE id = $1', [userId]);
        return persistently(() => any(acts)(userId, any(ids)));
      });
      const allowed = ['ok', 'EVENT_FULL', 'EMAIL_UNVERIFIED', 'UNAUTHORIZED', 'EVENT_NOT_FOUND'];
      expect([...new Set(await codes(storm))].filter((code) => !allowed.includes(code))).toEqual([]);
      for (const eventId of ids) {
        const [registered, waiting] = [
          (await list.people(eventId, 'registered')).length,
          (await list.people(eventId, 'waitlisted')).length,
        ];
        const [event] = (await sql('SELECT * FROM events.events WHERE id = $1', [eventId])).rows;
        expect(event).toMatchObject({ registration_count: registered, waiting_count: waiting });
        expect(registered).toBeLessThanOrEqual(event.capacity);
        if (waiting > 0) expect(registered).toBe(event.capacity);
      }
      const seen = await promotions();
      expect(seen).toMatchObject({ alike: true, mails: seen.promotions });
      expect(seen.promotions).toBeGreaterThan(0);
    },
    PATIENCE,
  );

  // These two show that the one above can fail, and what keeps it from failing.
  const promotionWithoutLocks = async () => {
    const { rows } = await events.owner.query(
      "SELECT pg_get_functiondef('events.promote_waiting'::regproc) AS text",
    );
    const unlocked = rows[0].text
      .replace('events.promote_waiting', 'public.promote_unlocked')
      .replace(/FOR (NO KEY )?UPDATE/g, '');
    await events.owner.query(unlocked);
    await events.owner.query(
      rows[0].text.replace(/BEGIN/, 'BEGIN RETURN 0;'), // whoever frees a place promotes nobody
    );
  };

  it('tells people twice when they are promoted after the place was freed, without the locks', async () => {
    const { eventId, placed } = await list.full({ capacity: 2 });
    const members = await events.members(2);
    for (const userId of members) await replicas[0]!.register(userId, { eventId, waitlist: true });
    await promotionWithoutLocks();
    for (const userId of placed) await replicas[0]!.unregister(userId, eventId);
    const promote: [string, string[]] = ['SELECT public.promote_unlocked($1)', [eventId]];
    await beforeCommit(events.owner, promote, () => events.owner.query(...promote));
    expect(tally(await list.told())).toEqual(Object.fromEntries(members.map((userId) => [userId, 2])));
  });

  it('forgets people when who frees a place looks for the first one and then promotes them, without the locks', async () => {
    const { eventId, placed } = await list.full({ capacity: 5 });
    for (const userId of await events.members(5))
      await replicas[0]!.register(userId, { eventId, waitlist: true });
    await promotionWithoutLocks();
    const firsts = await Promise.all(
      placed.map(async (userId) => {
        await persistently(() => replicas[0]!.unregister(userId, eventId));
        return (await list.people(eventId, 'waitlisted'))[0];
      }),
    );
    for (const userId of firsts)
      await events.owner.query(
        "UPDATE events.event_registrations SET status = 'registered' WHERE event_id = $1 AND user_id = $2",
        [eventId, userId],
      );
    const [registered, waiting] = [
      (await list.people(eventId, 'registered')).length,
      (await list.people(eventId, 'waitlisted')).length,
    ];
    expect({ free: 5 - registered > 0, waiting: waiting > 0 }).toEqual({ free: true, waiting: true });
  });
});

const HOUR = 3_600_000;
const [HOME, OFFICE] = ['h'.repeat(22), 'o'.repeat(22)];

describe('the place of a member whose address is not verified', () => {
  let service: RegistrationsService;
  let admin: Identity;
  beforeAll(() => {
    service = events.get(RegistrationsService);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
  });

  const unverified = async (): Promise<string> => {
    const [id] = (await events.members(1)) as [string];
    await updateRow(events.owner, 'auth.users', id, { emailVerifiedAt: null });
    return id;
  };
  const verify = (userId: string) =>
    events.owner.query('UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [userId]);
  const anEvent = async (given: Partial<EventRow> = {}) =>
    (
      await insertEvent(events.owner, {
        capacity: 2,
        startDate: daysFromNow(9),
        endDate: daysFromNow(10),
        ...given,
      })
    ).id;
  const lapse = async (): Promise<number> => {
    const { rows } = await events.owner.query<{ lapsed: number }>('SELECT events.lapse_places() AS lapsed');
    return rows[0]!.lapsed;
  };
  /** Moves a place back in time, with all its moments. */
  const past = (userId: string, hours: number) =>
    events.owner.query(
      `UPDATE events.event_registrations SET registered_at = registered_at - $2 * interval '1 hour',
         lapses_at = lapses_at - $2 * interval '1 hour' WHERE user_id = $1`,
      [userId, hours],
    );
  const seenBy = (userId: string, eventId: string) =>
    events.get(EventsService).get(eventId, { sub: userId, isAdmin: false });
  const lapsesAt = async (userId: string, eventId: string) =>
    (await seenBy(userId, eventId)).registrations[0]?.lapsesAt;
  const hoursLeft = (moment: string | undefined, from = Date.now()) =>
    Math.round((Date.parse(moment!) - from) / HOUR);

  it.each([
    [24 * 9, 24],
    [20, 18],
    [3, 1],
    [2.5, 1],
    [1.5, 1],
    [0.9, null], // it would lapse when it cannot be taken any more
  ])('is kept, %d hours before the start, for %d', async (toStart, hours) => {
    const eventId = await anEvent({ startDate: daysFromNow(toStart / 24) });
    const member = await unverified();
    const { registration } = await service.register(member, { eventId });
    expect(registration.status).toBe('registered');
    expect(await lapsesAt(member, eventId)).toBe(registration.lapsesAt);
    const left = registration.lapsesAt === undefined ? null : hoursLeft(registration.lapsesAt);
    expect(left).toBe(hours);
    const [mine] = (await events.get(EventsService).myEvents(member, {})).items;
    expect(mine!.registrations[0]!.lapsesAt).toBe(registration.lapsesAt);
  });

  it('stays without a capacity, with a verified address, and from before the upgrade', async () => {
    const open = await anEvent({ capacity: null });
    const member = await unverified();
    expect((await service.register(member, { eventId: open })).registration.lapsesAt).toBeUndefined();
    const [verified] = (await events.members(1)) as [string];
    const eventId = await anEvent();
    expect((await service.register(verified, { eventId })).registration.lapsesAt).toBeUndefined();
    await service.register(member, { eventId });
    await events.owner.query(
      'UPDATE events.event_registrations SET unproved = false, lapses_at = NULL, taken_from = NULL',
    );
    await past(member, 48);
    expect(await lapse()).toBe(0);
  });

  it('lapses at its moment and not before, goes to who waits, and is told to the member alone', async () => {
    const eventId = await anEvent({ capacity: 1 });
    const [member, next] = [await unverified(), (await events.members(1))[0]!];
    await service.register(member, { eventId });
    await service.register(next, { eventId, waitlist: true });
    await past(member, 23.9);
    expect(await lapse()).toBe(0);
    await past(member, 0.2);
    expect([await lapse(), await lapse()]).toEqual([1, 0]);
    const page = await seenBy(member, eventId);
    expect([page.registrations, page.pastRegistration]).toMatchObject([[], { status: 'lapsed' }]);
    expect((await seenBy(next, eventId)).registrations).toMatchObject([{ status: 'registered' }]);
    expect((await seenBy(next, eventId)).pastRegistration).toBeNull();
    const { rows } = await events.owner.query("SELECT job FROM events.outbox WHERE job LIKE 'mail.%'");
    // no mail says that a place has lapsed
    expect(rows.map(({ job }) => job).toSorted()).toEqual([
      'mail.promoted',
      'mail.registrationConfirmed',
      'mail.waitlistJoined',
    ]);
    for (const waitlist of [false, true])
      await expect(service.register(member, { eventId, waitlist })).rejects.toMatchObject({
        code: 'ADDRESS_NOT_VERIFIED',
      });
    await events.owner.query('UPDATE events.events SET capacity = 2');
    await verify(member);
    expect(await service.register(member, { eventId })).toMatchObject({ created: true });
    expect((await seenBy(member, eventId)).pastRegistration).toBeNull();
  });

  it('got from the waiting list lapses a day after that', async () => {
    const eventId = await anEvent({ capacity: 1 });
    const [first, member] = [(await events.members(1))[0]!, await unverified()];
    await service.register(first, { eventId });
    await service.register(member, { eventId, waitlist: true });
    await past(member, 30);
    expect([await lapse(), (await seenBy(member, eventId)).waiting]).toMatchObject([0, { position: 1 }]);
    await service.unregister(first, eventId);
    expect(hoursLeft(await lapsesAt(member, eventId))).toBe(24);
    await past(member, 25);
    expect(await lapse()).toBe(1);
  });

  it('is kept by any verification, also of one that waits, and once checked in', async () => {
    const eventId = await anEvent();
    const [proved, arrived] = [await unverified(), await unverified()];
    for (const userId of [proved, arrived]) await service.register(userId, { eventId });
    await verify(proved);
    await events.owner.query(
      "UPDATE events.event_registrations SET checked_in_at = now(), checked_in_by = 'door' WHERE user_id = $1",
      [arrived],
    );
    for (const userId of [proved, arrived]) {
      expect(await lapsesAt(userId, eventId)).toBeUndefined();
      await past(userId, 48);
    }
    expect(await lapse()).toBe(0);
    const waiting = await unverified();
    await service.register(waiting, { eventId, waitlist: true });
    await verify(waiting);
    await service.unregister(proved, eventId);
    expect([(await seenBy(waiting, eventId)).registrations.length, await lapsesAt(waiting, eventId)]).toEqual(
      [1, undefined],
    );
  });

  it('gets no second day by being given up and taken again', async () => {
    const eventId = await anEvent();
    const member = await unverified();
    await service.register(member, { eventId });
    await past(member, 20);
    await service.unregister(member, eventId);
    expect(hoursLeft((await service.register(member, { eventId })).registration.lapsesAt)).toBe(4);
    await past(member, 3.9);
    await service.unregister(member, eventId);
    // never within its first hour
    expect(hoursLeft((await service.register(member, { eventId })).registration.lapsesAt)).toBe(1);
    await service.unregister(member, eventId);
    await past(member, 1.1);
    await expect(service.register(member, { eventId })).rejects.toMatchObject({
      code: 'ADDRESS_NOT_VERIFIED',
    });
  });

  it('gets one hour more for being taken again shortly before its moment, and that once', async () => {
    const eventId = await anEvent();
    const member = await unverified();
    await service.register(member, { eventId });
    const again = async (hours: number) => {
      await past(member, hours);
      await service.unregister(member, eventId);
      return (await service.register(member, { eventId })).registration.lapsesAt!;
    };
    const first = await again(23.9);
    expect(Date.parse(first) - Date.now()).toBeGreaterThan(0.9 * HOUR);
    const second = await again(0.9);
    expect(Date.parse(first) - Date.parse(second)).toBe(0.9 * HOUR);
    await past(member, 0.2);
    expect(await lapse()).toBe(1);
  });

  it('follows the start of its event, and stays when places are no longer counted', async () => {
    const eventId = await anEvent();
    const member = await unverified();
    await service.register(member, { eventId });
    const change = (given: object) =>
      events.get(EventEditingService).update(admin, { eventId, banner: { action: 'keep' }, ...given });
    const startDate = daysFromNow(0.5);
    await change({ startDate: startDate.toISOString(), endDate: daysFromNow(1).toISOString() });
    expect(hoursLeft(await lapsesAt(member, eventId))).toBe(10);
    await change({ capacity: null });
    expect(await lapsesAt(member, eventId)).toBeUndefined();
    await past(member, 48);
    expect(await lapse()).toBe(0);
  });

  it('is given by an organiser also to who lost theirs', async () => {
    const eventId = await anEvent();
    const member = await unverified();
    await service.register(member, { eventId });
    await past(member, 25);
    await lapse();
    const guests = events.get(GuestsService);
    const { items } = await guests.list(admin, { eventId });
    await guests.place(admin, { eventId, guestId: items[0]!.id });
    expect(hoursLeft(await lapsesAt(member, eventId))).toBe(24);
  });

  it('lapses once, however many sweep at once, while others register and verify', async () => {
    const eventId = await anEvent({ capacity: 6 });
    const members = await Promise.all(Array.from({ length: 6 }, unverified));
    for (const userId of members) {
      await service.register(userId, { eventId });
      await past(userId, 25);
    }
    const waiting = await events.members(4);
    for (const userId of waiting) await service.register(userId, { eventId, waitlist: true });
    const sweep = async () => {
      let all = 0;
      for (let lapsed = await lapse(); lapsed > 0; lapsed = await lapse()) all += lapsed;
      return all;
    };
    const done = await Promise.all([
      ...[sweep(), sweep(), sweep()],
      verify(members[0]!).then(() => 0),
      service.unregister(members[1]!, eventId).then(() => 0),
    ]);
    const lapsed = done.reduce((sum, count) => sum + count, 0);
    expect(lapsed).toBeGreaterThanOrEqual(4);
    const { rows } = await events.owner.query(
      `SELECT (SELECT registration_count FROM events.events) AS count,
         count(*) FILTER (WHERE status = 'registered')::integer AS registered,
         count(*) FILTER (WHERE ended_as = 'lapsed')::integer AS lapsed FROM events.event_registrations`,
    );
    expect(rows[0]).toMatchObject({ count: rows[0].registered, lapsed });
    for (const userId of waiting) expect((await seenBy(userId, eventId)).registrations).toHaveLength(1);
  });

  it('is seen by a verification that is under way while it is taken', async () => {
    const eventId = await anEvent();
    const member = await unverified();
    const { registration } = await beforeCommit(
      events.owner,
      ['UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [member]],
      () => service.register(member, { eventId }),
    );
    expect(registration).toMatchObject({ status: 'registered' });
    expect(registration.lapsesAt).toBeUndefined();
  });

  describe('from one network', () => {
    const taken = async (network: string, eventId: string): Promise<string> => {
      const userId = await unverified();
      await service.register(userId, { eventId, network });
      return userId;
    };

    it('is the third one refused, also on the waiting list, until one of the two is proved or given up', async () => {
      const eventId = await anEvent({ capacity: 2 });
      const one = await taken(HOME, eventId);
      await taken(HOME, eventId);
      for (const waitlist of [false, true]) {
        const third = service.register(await unverified(), { eventId, network: HOME, waitlist });
        await expect(third).rejects.toMatchObject({ code: 'ADDRESS_NOT_VERIFIED' });
      }
      // the same asked again is answered as before
      expect(await service.register(one, { eventId, network: HOME })).toMatchObject({ created: false });
      // elsewhere, at another event, and with a verified address, one can
      await service.register(await unverified(), { eventId, network: OFFICE, waitlist: true });
      await service.register(await unverified(), { eventId: await anEvent(), network: HOME });
      const [verified] = (await events.members(1)) as [string];
      await service.register(verified, { eventId, network: HOME, waitlist: true });
      await verify(one);
      expect(
        await service.register(await unverified(), { eventId, network: HOME, waitlist: true }),
      ).toMatchObject({
        created: true,
      });
    });

    it('are two kept of many that are taken at once', async () => {
      const eventId = await anEvent({ capacity: 50 });
      const members = await Promise.all(Array.from({ length: 12 }, unverified));
      const results = await codes(
        members.map((userId, n) =>
          service.register(userId, { eventId, network: HOME, waitlist: n % 2 === 0 }),
        ),
      );
      expect(results.filter((code) => code === 'ADDRESS_NOT_VERIFIED')).toHaveLength(10);
      const { rows } = await events.owner.query(
        'SELECT count(*)::integer AS held FROM events.event_registrations',
      );
      expect(rows[0]).toEqual({ held: 2 });
    });
  });

  it('shows no names of those who come, only how many', async () => {
    const eventId = await anEvent({ capacity: 20 });
    const [shown] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId, userId: shown });
    const member = await unverified();
    await service.register(member, { eventId });
    const lists = events.get(RegistrationListsService);
    const viewer = { sub: member, isAdmin: false };
    expect(await lists.attendees({ eventId }, viewer)).toEqual({ items: [], total: 2, nextCursor: null });
    expect(await lists.faces({ eventIds: [eventId] }, viewer)).toEqual([]);
    await verify(member);
    expect((await lists.attendees({ eventId }, viewer)).items).toHaveLength(2);
    expect(await lists.faces({ eventIds: [eventId] }, viewer)).toHaveLength(1);
  });
});
