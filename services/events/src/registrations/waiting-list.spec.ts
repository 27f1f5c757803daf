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
import {
  createCall,
  eventsForTests,
  openEvents,
  persistently,
  type TestEvents,
} from '../testing/open-events.js';
import { CalendarFeedsService } from '../calendar/calendar-feeds.service.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { EventsService } from '../events/core/events.service.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';
import { WaitingListService } from './waiting-list.service.js';

const events = eventsForTests();

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

const PATIENCE = 120_000;

const lists = (events: TestEvents) => ({
  async people(eventId: string, status: 'registered' | 'waitlisted'): Promise<string[]> {
    const { rows } = await events.owner.query(
      `SELECT user_id FROM events.event_registrations WHERE event_id = $1 AND status = $2 ORDER BY registered_at, id`,
      [eventId, status],
    );
    return rows.map(({ user_id: id }) => id);
  },
  async full(given: Partial<EventRow> & { capacity: number }) {
    const event = await insertEvent(events.owner, { waitlistEnabled: true, ...given });
    const placed = await events.members(given.capacity);
    for (const userId of placed) await insertRegistration(events.owner, { eventId: event.id, userId });
    return { eventId: event.id, placed };
  },
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
    persistently(() => service.register({ eventId, waitlist: true, ...given }, createCall(userId)));
  const joined = async (eventId: string, count: number) => {
    const members = await events.members(count);
    for (const userId of members) await join(userId, eventId);
    return members;
  };
  const leave = (userId: string, eventId: string) =>
    persistently(() => service.unregister({ eventId }, createCall(userId)));
  const fetchCounts = async (eventId: string) =>
    (
      await events.owner.query(
        'SELECT registration_count AS registered, waiting_count AS waiting FROM events.events WHERE id = $1',
        [eventId],
      )
    ).rows[0];

  it('adds members to the end when the event is full, and emails them', async () => {
    const { eventId } = await list.full({ capacity: 1 });
    const [one, two] = (await events.members(2)) as [string, string];
    const first = await join(one, eventId);
    expect(first).toMatchObject({ created: true, registration: { status: 'waitlisted', userId: one } });
    expect(await events.outbox(WaitlistJoinedMail)).toMatchObject([
      { registrationId: first.registration.id, registeredAt: first.registration.registeredAt },
    ]);
    expect(first.waiting).toEqual({ joinedAt: first.registration.registeredAt, position: 1 });
    expect(await join(two, eventId)).toMatchObject({ created: true, waiting: { position: 2 } });
    expect(await fetchCounts(eventId)).toEqual({ registered: 1, waiting: 2 });
    for (const job of [RegistrationConfirmedMail, PromotedMail]) expect(await events.outbox(job)).toEqual([]);
  });

  it('registers a member directly when places are free or unlimited', async () => {
    const [member] = (await events.members(1)) as [string];
    for (const capacity of [1, null]) {
      const { id } = await insertEvent(events.owner, { capacity });
      const answer = await join(member, id);
      expect(answer).toMatchObject({ created: true, registration: { status: 'registered' } });
      expect(answer.waiting).toBeUndefined();
    }
    expect(await events.outbox(RegistrationConfirmedMail)).toHaveLength(2);
  });

  it('returns the current position to a waiting member who joins again', async () => {
    const { eventId } = await list.full({ capacity: 1 });
    const [first, second, third] = (await joined(eventId, 3)) as [string, string, string];
    expect(await join(third, eventId)).toMatchObject({ created: false, waiting: { position: 3 } });
    await leave(first, eventId);
    expect(await join(third, eventId)).toMatchObject({ created: false, waiting: { position: 2 } });
    await expect(service.register({ eventId }, createCall(second))).rejects.toMatchObject({
      code: 'EVENT_FULL',
    });
    expect(await list.people(eventId, 'waitlisted')).toEqual([second, third]);
  });

  it('sends no email to members who leave, and lets them rejoin at the end', async () => {
    const { eventId } = await list.full({ capacity: 1 });
    const [first, second] = (await joined(eventId, 2)) as [string, string];
    await leave(first, eventId);
    await leave(first, eventId);
    expect(await fetchCounts(eventId)).toEqual({ registered: 1, waiting: 1 });
    expect(await join(first, eventId)).toMatchObject({ created: true, waiting: { position: 2 } });
    expect(await list.people(eventId, 'waitlisted')).toEqual([second, first]);
    expect(await events.outbox(UnregisteredMail)).toEqual([]);
  });

  it.each([
    ['without a waiting list', { waitlistEnabled: false }, 'EVENT_FULL'],
    ['cancelled', { status: 'cancelled' }, 'EVENT_CANCELLED'],
    ['closed', { registrationClosesAt: daysFromNow(-1) }, 'REGISTRATION_ENDED'],
    ['not open yet', { registrationOpensAt: daysFromNow(0.5) }, 'REGISTRATION_NOT_OPEN'],
    ['started', { startDate: daysFromNow(-0.01) }, 'REGISTRATION_CLOSED'],
  ] as const)('rejects members if the event is %s', async (_, state, code) => {
    const { status = 'published', ...given } = { status: undefined, ...state };
    const { eventId } = await list.full({ capacity: 1, ...given });
    if (status === 'cancelled') await list.set(eventId, "status = 'cancelled', cancelled_at = now()");
    const [member] = (await events.members(1)) as [string];
    await expect(join(member, eventId)).rejects.toMatchObject({ code });
  });

  it('lets others register while one member waits for a lock', async () => {
    const { id: eventId } = await insertEvent(events.owner);
    const [member, other] = (await events.members(2)) as [string, string];
    const elsewhere = await events.owner.connect();
    await elsewhere.query('BEGIN');
    await elsewhere.query('SELECT FROM auth.users WHERE id = $1 FOR UPDATE', [member]);
    const joining = join(member, eventId);
    await until('the one who joins to wait', 60_000, async () => {
      const { rowCount } = await events.owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount !== 0;
    });
    const answer = await outcomes([service.register({ eventId }, createCall(other))]);
    await elsewhere.query('COMMIT');
    elsewhere.release();
    expect(answer).toEqual({ ok: 1 });
    expect(await joining).toMatchObject({ created: true });
  });

  describe('promotion', () => {
    it('gives a cancelled place to the first in line and emails them', async () => {
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
      expect(await fetchCounts(eventId)).toEqual({ registered: 2, waiting: 1 });
      const [row] = (
        await events.owner.query('SELECT * FROM events.event_registrations WHERE id = $1', [registration.id])
      ).rows;
      expect(row.selected_date.toISOString()).toBe(selectedDate);
      expect(row.registered_at.getTime()).toBeGreaterThan(Date.parse(waiting!.joinedAt));
      expect(await events.outbox(PromotedMail)).toEqual([
        { registrationId: registration.id, registeredAt: row.registered_at.toISOString() },
      ]);
    });

    it('gives two places cancelled at the same time to two different people', async () => {
      const { eventId, placed } = await list.full({ capacity: 2 });
      const waiting = await joined(eventId, 3);
      await Promise.all(placed.map((userId) => leave(userId, eventId)));
      expect((await list.people(eventId, 'registered')).toSorted()).toEqual(waiting.slice(0, 2).toSorted());
      expect((await list.told()).toSorted()).toEqual(waiting.slice(0, 2).toSorted());
    });

    it('gives the place of a deleted account to the first in line', async () => {
      const { eventId, placed } = await list.full({ capacity: 1 });
      const [first] = await joined(eventId, 2);
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [placed[0]]);
      expect(await list.people(eventId, 'registered')).toEqual([first]);
      expect(await fetchCounts(eventId)).toEqual({ registered: 1, waiting: 1 });
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [
        (await list.people(eventId, 'waitlisted'))[0],
      ]);
      expect(await fetchCounts(eventId)).toEqual({ registered: 1, waiting: 0 });
    });

    it.each([
      ['ten more places', 'capacity = capacity + 10', 10],
      ['unlimited places', 'capacity = NULL', 15],
    ])('fills %s from the waiting list, and emails each promoted person', async (_, change, promoted) => {
      const { eventId, placed } = await list.full({ capacity: 2 });
      const waiting = await joined(eventId, 15);
      await list.set(eventId, change);
      const lucky = waiting.slice(0, promoted);
      expect((await list.people(eventId, 'registered')).toSorted()).toEqual([...placed, ...lucky].toSorted());
      expect(await list.people(eventId, 'waitlisted')).toEqual(waiting.slice(promoted));
      expect((await list.told()).toSorted()).toEqual(lucky.toSorted());
    });

    it('gives a promoted member a higher calendar revision than their earlier cancellation', async () => {
      const { eventId, placed } = await list.full({ capacity: 2 });
      const fetchRevision = async (userId: string) => {
        const { rows } = await events.owner.query<{ entry_revision: number }>(
          'SELECT entry_revision FROM events.event_registrations WHERE event_id = $1 AND user_id = $2',
          [eventId, userId],
        );
        return rows[0]!.entry_revision;
      };
      const [byTrigger, byHand] = placed as [string, string];
      const others = await joined(eventId, 2);
      for (const userId of [byTrigger, byHand]) {
        await service.unregister({ eventId }, createCall(userId));
        await service.register({ eventId, waitlist: true }, createCall(userId));
      }
      expect([await fetchRevision(byTrigger), await fetchRevision(byHand)]).toEqual([1, 1]);
      expect((await list.people(eventId, 'registered')).toSorted()).toEqual(others.toSorted());
      await list.set(eventId, 'capacity = 3');
      expect(await fetchRevision(byTrigger)).toBe(2);
      await list.set(eventId, `registration_closes_at = now() - interval '1 minute'`);
      await events
        .get(WaitingListService)
        .promote({ eventId, userId: byHand, raiseCapacity: true }, createCall(await events.administrator()));
      expect(await fetchRevision(byHand)).toBe(2);
    });

    it.each([
      ['registration has closed', 'registration_closes_at', { registrationClosesAt: daysFromNow(0.9) }],
      ['the event has started', 'start_date', {}],
    ])('promotes nobody once %s, until that time is moved to the future', async (_, moment, given) => {
      const { eventId, placed } = await list.full({ capacity: 1, ...given });
      const [first] = await joined(eventId, 2);
      await list.set(eventId, `${moment} = now() - interval '1 minute'`);
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [placed[0]]);
      expect(await fetchCounts(eventId)).toEqual({ registered: 0, waiting: 2 });
      await list.set(eventId, `${moment} = now() + interval '1 hour'`);
      expect(await list.people(eventId, 'registered')).toEqual([first]);
      expect(await list.told()).toEqual([first]);
    });

    it('skips a member who leaves while a place becomes free', async () => {
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

describe('the waiting list for organisers', () => {
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
      await events.get(RegistrationsService).register({ eventId, waitlist: true }, createCall(userId));
    await events.owner.query('DELETE FROM events.outbox');
  });

  const organiser = () => events.get(WaitingListService);
  const closedWithAFreePlace = () =>
    list.set(eventId, "registration_closes_at = now() - interval '1 minute', capacity = 3");
  const shown = () => events.get(EventsService).get({ eventId }, createCall(admin));
  const audited = async () =>
    (await events.outbox(RecordAudit)).map(({ action, actorId, subjectId, changed }) => ({
      action,
      actorId,
      subjectId,
      changed,
    }));

  it('lists waiting people in order, page by page, without registered people', async () => {
    const all = events.get(RegistrationListsService);
    const whole = await all.waiting({ eventId }, createCall(admin));
    expect(whole.items.map(({ userId, position }) => [userId, position])).toEqual(
      waiting.map((userId, n) => [userId, n + 1]),
    );
    expect(whole.items[0]).toMatchObject({
      joinedAt: expect.any(String),
      member: { id: waiting[0], firstName: 'Ada', email: expect.stringContaining('@') },
    });
    const first = await all.waiting({ eventId, limit: 3 }, createCall(admin));
    const second = await all.waiting({ eventId, limit: 3, cursor: first.nextCursor! }, createCall(admin));
    expect([...first.items, ...second.items]).toEqual(whole.items);
    expect([first.total, second.nextCursor]).toEqual([5, null]);
    const places = await all.list({ eventId }, createCall(admin));
    expect(places.items.map(({ userId }) => userId).toSorted()).toEqual(placed.toSorted());
    expect((await all.attendees({ eventId }, createCall(null))).total).toBe(2);
    await expect(all.waiting({ eventId: UNKNOWN }, createCall(admin))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('promotes someone out of turn, with an audit entry and an email', async () => {
    await closedWithAFreePlace();
    const userId = waiting[3]!;
    const registration = await organiser().promote({ eventId, userId }, createCall(admin));
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
  ])('raises the capacity for a promotion if requested, %s', async (_, state) => {
    if (state !== 'true') await list.set(eventId, state);
    const before = await shown();
    const userId = waiting[3]!;
    const registration = await organiser().promote(
      { eventId, userId, raiseCapacity: true },
      createCall(admin),
    );
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

  it('raises the capacity only as needed and never above the maximum', async () => {
    await closedWithAFreePlace();
    const [one, two, three] = waiting as [string, string, string];
    await organiser().promote({ eventId, userId: one, raiseCapacity: true }, createCall(admin));
    expect((await shown()).capacity).toBe(3);
    await Promise.all(
      [two, three].map((userId) =>
        persistently(() => organiser().promote({ eventId, userId, raiseCapacity: true }, createCall(admin))),
      ),
    );
    expect(await shown()).toMatchObject({
      capacity: 5,
      registrationCount: 5,
    });
    expect((await list.told()).toSorted()).toEqual([one, two, three].toSorted());
    await list.set(eventId, `capacity = ${LIMITS.capacityMax}, registration_count = ${LIMITS.capacityMax}`);
    const beyond = organiser().promote(
      { eventId, userId: waiting[4]!, raiseCapacity: true },
      createCall(admin),
    );
    await expect(beyond).rejects.toMatchObject({ code: 'EVENT_FULL' });
  });

  it('removes someone from the waiting list, with an audit entry and an email', async () => {
    const [, userId = ''] = waiting;
    await organiser().remove({ eventId, userId }, createCall(admin));
    expect(await list.people(eventId, 'waitlisted')).toEqual(waiting.filter((id) => id !== userId));
    expect(await events.outbox(WaitlistDismissedMail)).toEqual([{ eventId, userId }]);
    expect(await audited()).toEqual([
      { action: 'waitlist.removed', actorId: admin.sub, subjectId: userId, changed: [eventId] },
    ]);
    const again = organiser().remove({ eventId, userId }, createCall(admin));
    await expect(again).rejects.toMatchObject({ code: 'NOT_WAITING' });
  });

  it.each([
    ['no place is free', 'capacity = 2', 'EVENT_FULL'],
    ['the event has started', "capacity = 9, start_date = now() - interval '1 s'", 'REGISTRATION_CLOSED'],
    ['the event is cancelled', "status = 'cancelled', cancelled_at = now()", 'EVENT_CANCELLED'],
  ])('rejects a promotion when %s', async (_, change, code) => {
    await list.set(eventId, change);
    const promotion = organiser().promote({ eventId, userId: waiting[0]! }, createCall(admin));
    await expect(promotion).rejects.toMatchObject({ code });
    expect(await list.people(eventId, 'waitlisted')).toEqual(waiting);
    expect(await audited()).toEqual([]);
  });

  it('rejects people who are not waiting, unknown events and former administrators', async () => {
    for (const userId of [placed[0]!, UNKNOWN])
      for (const call of ['promote', 'remove'] as const)
        await expect(organiser()[call]({ eventId, userId }, createCall(admin))).rejects.toMatchObject({
          code: 'NOT_WAITING',
        });
    const elsewhere = { eventId: UNKNOWN, userId: waiting[0]! };
    await expect(organiser().remove(elsewhere, createCall(admin))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
    await updateRow(events.owner, 'auth.users', admin.sub, { isAdmin: false });
    const demoted = organiser().remove({ eventId, userId: waiting[0]! }, createCall(admin));
    await expect(demoted).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  describe('when the waiting list is turned off', () => {
    const turnOff = (given: Partial<UpdateEventRequest> = {}) =>
      events
        .get(EventEditingService)
        .update({ eventId, banner: { action: 'keep' }, waitlistEnabled: false, ...given }, createCall(admin));

    it('requires a decision about the people who are waiting', async () => {
      await expect(turnOff()).rejects.toMatchObject({
        code: 'WAITLIST_NOT_EMPTY',
        details: { waiting: 5 },
      });
      expect(await list.people(eventId, 'waitlisted')).toEqual(waiting);
    });

    it.each([
      ['while registration is open', 'true'],
      ['once registration has closed', "registration_closes_at = now() - interval '1 minute'"],
    ])('promotes everyone, raises the capacity and sends emails, %s', async (_, change) => {
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

    it('rejects promotions once the event has started, but allows dismissals', async () => {
      await list.set(eventId, "start_date = now() - interval '1 s'");
      const refused = { code: 'REGISTRATION_CLOSED' };
      await expect(turnOff({ waitlistOff: 'promote' })).rejects.toMatchObject(refused);
      await expect(turnOff({ waitlistOff: 'promote', capacity: 20 })).rejects.toMatchObject(refused);
      expect(await list.people(eventId, 'waitlisted')).toEqual(waiting);
      expect(await turnOff({ waitlistOff: 'dismiss' })).toMatchObject({ capacity: 2, waitingCount: 0 });
      expect(await list.told()).toEqual([]);
    });

    it('promotes everyone if the same edit moves a past start to the future', async () => {
      await list.set(eventId, "start_date = now() - interval '1 s'");
      const startDate = daysFromNow(1).toISOString();
      const endDate = daysFromNow(2).toISOString();
      expect(await turnOff({ waitlistOff: 'promote', startDate, endDate })).toMatchObject({
        registrationCount: 7,
      });
    });

    it('keeps the requested capacity if it has room for everyone', async () => {
      expect(await turnOff({ waitlistOff: 'promote', capacity: 20 })).toMatchObject({
        capacity: 20,
        registrationCount: 7,
      });
      expect(await list.told()).toHaveLength(5);
    });

    it('promotes people if the edit makes room, then dismisses and emails the others', async () => {
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

    it('leaves the waiting list unchanged if the edit is based on an older version', async () => {
      await events.get(EventEditingService).update(
        {
          eventId,
          banner: { action: 'keep' },
          location: 'Town hall',
        },
        createCall(admin),
      );
      await expect(turnOff({ waitlistOff: 'dismiss', version: 1 })).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
      });
      expect(await list.people(eventId, 'waitlisted')).toEqual(waiting);
    });

    it('requires no decision when nobody is waiting', async () => {
      const { eventId: other } = await list.full({ capacity: 1 });
      expect(await turnOff({ eventId: other })).toMatchObject({ waitlistEnabled: false });
    });
  });

  it('shows members their position on the event page and, on request, in My Events', async () => {
    const [reads, third] = [events.get(EventsService), waiting[2]!];
    const viewer = { sub: third, isAdmin: false };
    const at = { joinedAt: expect.any(String), position: 3 };
    expect(await reads.get({ eventId }, createCall(viewer))).toMatchObject({
      registrations: [],
      waiting: at,
    });
    const [listed] = (await reads.list({}, createCall(viewer))).items;
    expect(listed).toMatchObject({ registrations: [], registrationCount: 2, waitingCount: 5 });
    expect(listed!.waiting).toEqual({ joinedAt: expect.any(String), position: undefined });
    expect(
      (await reads.get({ eventId }, createCall({ sub: placed[0]!, isAdmin: false }))).waiting,
    ).toBeNull();
    expect((await reads.myEvents({}, createCall(third))).items).toEqual([]);
    const mine = await reads.myEvents({ include: 'waiting', limit: 10 }, createCall(third));
    expect(mine).toMatchObject({ total: 1, items: [{ id: eventId, waiting: at, registrations: [] }] });
  });

  it("keeps the event out of a member's calendar until they are promoted", async () => {
    const { token } = await events.get(CalendarFeedsService).create({}, createCall(waiting[0]!));
    const calendar = events.get(CalendarService);
    expect((await calendar.ofMember({ token })).ics).not.toContain('BEGIN:VEVENT');
    await list.set(eventId, 'capacity = 3');
    expect((await calendar.ofMember({ token })).ics).toContain('BEGIN:VEVENT');
  });
});

describe('the waiting list under concurrency', () => {
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
    'registers 50 of 200 members and gives the others stable positions from 1 to 150',
    async () => {
      const { id: eventId } = await insertEvent(events.owner, { capacity: 50, waitlistEnabled: true });
      const members = await events.members(200);
      const joinAll = () =>
        Promise.all(
          members.map((userId, n) =>
            persistently(() => replicas[n % 2]!.register({ eventId, waitlist: true }, createCall(userId))),
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
    'leaves no place free while people are waiting, under random load',
    async () => {
      const promotions = await watchPromotions();
      const members = await events.members(60);
      const ids = await Promise.all(
        [3, 8].map(
          async (capacity) => (await insertEvent(events.owner, { capacity, waitlistEnabled: true })).id,
        ),
      );
      const unverified = members.slice(0, 10);
      await events.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = ANY ($1)', [
        unverified,
      ]);
      const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T;
      const sql = (text: string, values: unknown[]) => events.owner.query(text, values);
      const acts: ((userId: string, eventId: string) => Promise<unknown>)[] = [
        (userId, eventId) => any(replicas).register({ eventId, waitlist: true }, createCall(userId)),
        (userId, eventId) => any(replicas).register({ eventId, waitlist: true }, createCall(userId)),
        (userId, eventId) => any(replicas).register({ eventId }, createCall(userId)),
        (userId, eventId) => any(replicas).unregister({ eventId }, createCall(userId)),
        (userId, eventId) => any(replicas).unregister({ eventId }, createCall(userId)),
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
      const allowed = ['ok', 'EVENT_FULL', 'UNAUTHORIZED', 'EVENT_NOT_FOUND'];
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

  // Replaces the promotion with one without locks. The next two tests show that the test above can then fail.
  const promotionWithoutLocks = async () => {
    const { rows } = await events.owner.query(
      "SELECT pg_get_functiondef('events.promote_waiting'::regproc) AS text",
    );
    const unlocked = rows[0].text
      .replace('events.promote_waiting', 'public.promote_unlocked')
      .replace(/FOR (NO KEY )?UPDATE/g, '');
    await events.owner.query(unlocked);
    await events.owner.query(rows[0].text.replace(/BEGIN/, 'BEGIN RETURN 0;'));
  };

  it('shows that without locks, overlapping promotions would notify people twice', async () => {
    const { eventId, placed } = await list.full({ capacity: 2 });
    const members = await events.members(2);
    for (const userId of members)
      await replicas[0]!.register({ eventId, waitlist: true }, createCall(userId));
    await promotionWithoutLocks();
    for (const userId of placed) await replicas[0]!.unregister({ eventId }, createCall(userId));
    const promote: [string, string[]] = ['SELECT public.promote_unlocked($1)', [eventId]];
    await beforeCommit(events.owner, promote, () => events.owner.query(...promote));
    expect(tally(await list.told())).toEqual(Object.fromEntries(members.map((userId) => [userId, 2])));
  });

  it('shows that without locks, overlapping promotions would leave a place free', async () => {
    const { eventId, placed } = await list.full({ capacity: 5 });
    for (const userId of await events.members(5))
      await replicas[0]!.register({ eventId, waitlist: true }, createCall(userId));
    await promotionWithoutLocks();
    const firsts = await Promise.all(
      placed.map(async (userId) => {
        await persistently(() => replicas[0]!.unregister({ eventId }, createCall(userId)));
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
