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
import { refuses } from '@meetmark/platform/testing/test-service';
import { beforeCommit, codes, outcomes, tally } from '@meetmark/testing';
import { readPages } from '@meetmark/testing/read-pages';
import { daysFromNow, type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import { updateRow } from '@meetmark/testing/factories/users';
import { createCall, eventsForTests, inject, persistently, UNKNOWN } from '../testing/open-events.js';
import { CalendarFeedsService } from '../calendar/calendar-feeds.service.js';
import { CalendarService } from '../calendar/calendar.service.js';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { EventsService } from '../events/core/events.service.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';
import { WaitingListService } from './waiting-list.service.js';

const events = eventsForTests();
const service = inject(events, RegistrationsService);
beforeEach(() => events.empty());

const findIds = async (statement: string, ...values: unknown[]) =>
  (await events.rows<{ id: string }>(statement, ...values)).map(({ id }) => id);
const findPeople = (eventId: string, status: 'registered' | 'waitlisted') =>
  findIds(
    `SELECT user_id AS id FROM events.event_registrations WHERE event_id = $1 AND status = $2 ORDER BY registered_at, id`,
    ...[eventId, status],
  );
const findPromoted = () =>
  findIds(
    `SELECT user_id AS id FROM events.outbox
     JOIN events.event_registrations ON event_registrations.id = (payload ->> 'registrationId')::uuid
     WHERE job = $1 ORDER BY registered_at, user_id`,
    PromotedMail.name,
  );
const fill = async (given: Partial<EventRow> & { capacity: number }) => {
  const { id: eventId } = await insertEvent(events.owner, { waitlistEnabled: true, ...given });
  const placed = await events.members(given.capacity);
  await events.register(eventId, placed);
  return { eventId, placed };
};
const set = (eventId: string, change: string) =>
  events.owner.query(`UPDATE events.events SET ${change} WHERE id = $1`, [eventId]);
const join = (userId: string, eventId: string, given: { selectedDate?: string } = {}) =>
  persistently(() => service.register({ eventId, waitlist: true, ...given }, createCall(userId)));
const joined = async (eventId: string, count: number) => {
  const members = await events.members(count);
  for (const userId of members) await join(userId, eventId);
  return members;
};
const leave = (userId: string, eventId: string) =>
  persistently(() => service.unregister({ eventId }, createCall(userId)));

describe('the waiting list', () => {
  it('adds members to the end when the event is full, and emails them', async () => {
    const { eventId } = await fill({ capacity: 1 });
    const [one, two] = (await events.members(2)) as [string, string];
    const first = await join(one, eventId);
    expect(first).toMatchObject({ created: true, registration: { status: 'waitlisted', userId: one } });
    expect(await events.outbox(WaitlistJoinedMail)).toMatchObject([
      { registrationId: first.registration.id, registeredAt: first.registration.registeredAt },
    ]);
    expect(first.waiting).toEqual({ joinedAt: first.registration.registeredAt, position: 1 });
    expect(await join(two, eventId)).toMatchObject({ created: true, waiting: { position: 2 } });
    expect(await events.counts(eventId)).toMatchObject({ registered: 1, waiting: 2 });
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
    const { eventId } = await fill({ capacity: 1 });
    const [first, second, third] = (await joined(eventId, 3)) as [string, string, string];
    expect(await join(third, eventId)).toMatchObject({ created: false, waiting: { position: 3 } });
    await leave(first, eventId);
    expect(await join(third, eventId)).toMatchObject({ created: false, waiting: { position: 2 } });
    await refuses('EVENT_FULL', service.register({ eventId }, createCall(second)));
    expect(await findPeople(eventId, 'waitlisted')).toEqual([second, third]);
  });

  it('sends no email to members who leave, and lets them rejoin at the end', async () => {
    const { eventId } = await fill({ capacity: 1 });
    const [first, second] = (await joined(eventId, 2)) as [string, string];
    await leave(first, eventId);
    await leave(first, eventId);
    expect(await events.counts(eventId)).toMatchObject({ registered: 1, waiting: 1 });
    expect(await join(first, eventId)).toMatchObject({ created: true, waiting: { position: 2 } });
    expect(await findPeople(eventId, 'waitlisted')).toEqual([second, first]);
    expect(await events.outbox(UnregisteredMail)).toEqual([]);
  });

  it('rejects members if a full event has no waiting list', async () => {
    const { eventId } = await fill({ capacity: 1, waitlistEnabled: false });
    const [member] = (await events.members(1)) as [string];
    await refuses('EVENT_FULL', join(member, eventId));
  });

  it('lets others register while one member waits for a lock', async () => {
    const { id: eventId } = await insertEvent(events.owner);
    const [member, other] = (await events.members(2)) as [string, string];
    const lock = 'SELECT FROM auth.users WHERE id = $1 FOR UPDATE';
    const joining = await events.whileLocked(lock, member, async () => {
      const answer = join(member, eventId);
      await events.lockWaits();
      expect(await outcomes([service.register({ eventId }, createCall(other))])).toEqual({ ok: 1 });
      return { answer };
    });
    expect(await joining.answer).toMatchObject({ created: true });
  });

  describe('promotion', () => {
    it('gives a cancelled place to the first in line and emails them', async () => {
      const { eventId, placed } = await fill({ capacity: 2 });
      const { startDate } = await events.row('SELECT start_date AS "startDate" FROM events.events');
      const [first, second] = (await events.members(2)) as [string, string];
      const selectedDate = startDate.toISOString();
      const { registration, waiting } = await join(first, eventId, { selectedDate });
      await join(second, eventId);
      await leave(placed[0]!, eventId);
      expect(await findPeople(eventId, 'registered')).toEqual([placed[1], first]);
      expect(await findPeople(eventId, 'waitlisted')).toEqual([second]);
      expect(await events.counts(eventId)).toMatchObject({ registered: 2, waiting: 1 });
      const row = await events.row('SELECT * FROM events.event_registrations WHERE id = $1', registration.id);
      expect(row.selected_date.toISOString()).toBe(selectedDate);
      expect(row.registered_at.getTime()).toBeGreaterThan(Date.parse(waiting!.joinedAt));
      expect(await events.outbox(PromotedMail)).toEqual([
        { registrationId: registration.id, registeredAt: row.registered_at.toISOString() },
      ]);
    });

    it('gives two places cancelled at the same time to two different people', async () => {
      const { eventId, placed } = await fill({ capacity: 2 });
      const waiting = await joined(eventId, 3);
      await Promise.all(placed.map((userId) => leave(userId, eventId)));
      expect((await findPeople(eventId, 'registered')).toSorted()).toEqual(waiting.slice(0, 2).toSorted());
      expect((await findPromoted()).toSorted()).toEqual(waiting.slice(0, 2).toSorted());
    });

    it('gives the place of a deleted account to the first in line', async () => {
      const { eventId, placed } = await fill({ capacity: 1 });
      const [first] = await joined(eventId, 2);
      await events.deleteUser(placed[0]!);
      expect(await findPeople(eventId, 'registered')).toEqual([first]);
      expect(await events.counts(eventId)).toMatchObject({ registered: 1, waiting: 1 });
      await events.deleteUser((await findPeople(eventId, 'waitlisted'))[0]!);
      expect(await events.counts(eventId)).toMatchObject({ registered: 1, waiting: 0 });
    });

    it.each([
      ['ten more places', 'capacity = capacity + 10', 10],
      ['unlimited places', 'capacity = NULL', 15],
    ])('fills %s from the waiting list, and emails each promoted person', async (_, change, promoted) => {
      const { eventId, placed } = await fill({ capacity: 2 });
      const waiting = await joined(eventId, 15);
      await set(eventId, change);
      const lucky = waiting.slice(0, promoted);
      expect((await findPeople(eventId, 'registered')).toSorted()).toEqual([...placed, ...lucky].toSorted());
      expect(await findPeople(eventId, 'waitlisted')).toEqual(waiting.slice(promoted));
      expect((await findPromoted()).toSorted()).toEqual(lucky.toSorted());
    });

    it('gives a promoted member a higher calendar revision than their earlier cancellation', async () => {
      const { eventId, placed } = await fill({ capacity: 2 });
      const fetchRevision = async (userId: string) =>
        (await events.row('SELECT entry_revision FROM events.event_registrations WHERE user_id = $1', userId))
          .entry_revision;
      const [byTrigger, byHand] = placed as [string, string];
      const others = await joined(eventId, 2);
      for (const userId of [byTrigger, byHand]) {
        await leave(userId, eventId);
        await join(userId, eventId);
      }
      expect([await fetchRevision(byTrigger), await fetchRevision(byHand)]).toEqual([1, 1]);
      expect((await findPeople(eventId, 'registered')).toSorted()).toEqual(others.toSorted());
      await set(eventId, 'capacity = 3');
      expect(await fetchRevision(byTrigger)).toBe(2);
      await set(eventId, `registration_closes_at = now() - interval '1 minute'`);
      await events
        .get(WaitingListService)
        .promote({ eventId, userId: byHand, raiseCapacity: true }, createCall(await events.administrator()));
      expect(await fetchRevision(byHand)).toBe(2);
    });

    it.each([
      ['registration has closed', 'registration_closes_at', { registrationClosesAt: daysFromNow(0.9) }],
      ['the event has started', 'start_date', {}],
    ])('promotes nobody once %s, until that time is moved to the future', async (_, moment, given) => {
      const { eventId, placed } = await fill({ capacity: 1, ...given });
      const [first] = await joined(eventId, 2);
      await set(eventId, `${moment} = now() - interval '1 minute'`);
      await events.deleteUser(placed[0]!);
      expect(await events.counts(eventId)).toMatchObject({ registered: 0, waiting: 2 });
      await set(eventId, `${moment} = now() + interval '1 hour'`);
      expect(await findPeople(eventId, 'registered')).toEqual([first]);
      expect(await findPromoted()).toEqual([first]);
    });

    it('skips a member who leaves while a place becomes free', async () => {
      const { eventId, placed } = await fill({ capacity: 1 });
      const [first, second] = (await joined(eventId, 2)) as [string, string];
      const change: [string, string[]] = [
        "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1 AND user_id = $2",
        [eventId, first],
      ];
      await beforeCommit(events.owner, change, () => leave(placed[0]!, eventId));
      expect(await findPeople(eventId, 'registered')).toEqual([second]);
    });
  });
});

describe('the waiting list for organisers', () => {
  const organiser = inject(events, WaitingListService);
  let admin: Identity;
  let eventId: string;
  let placed: string[];
  let waiting: string[];
  beforeEach(async () => {
    admin = await events.administrator();
    ({ eventId, placed } = await fill({ capacity: 2 }));
    waiting = await joined(eventId, 5);
    await events.owner.query('DELETE FROM events.outbox');
  });

  const closedWithAFreePlace = () =>
    set(eventId, "registration_closes_at = now() - interval '1 minute', capacity = 3");
  const promote = (userId: string, raiseCapacity?: boolean) =>
    persistently(() => organiser.promote({ eventId, userId, raiseCapacity }, createCall(admin)));
  const remove = (userId: string, from = eventId) =>
    organiser.remove({ eventId: from, userId }, createCall(admin));
  const audited = async () =>
    (await events.outbox(RecordAudit)).map(({ action, subjectId, changed }) => [action, subjectId, changed]);

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
    const ask = (cursor?: string) => all.waiting({ eventId, limit: 3, cursor }, createCall(admin));
    expect(await ask()).toMatchObject({ total: 5 });
    expect(await readPages(ask)).toEqual(whole.items);
    const places = await all.list({ eventId }, createCall(admin));
    expect(places.items.map(({ userId }) => userId).toSorted()).toEqual(placed.toSorted());
    expect((await all.attendees({ eventId }, createCall(null))).total).toBe(2);
  });

  it('promotes someone out of turn, with an audit entry and an email', async () => {
    await closedWithAFreePlace();
    const userId = waiting[3]!;
    expect(await promote(userId)).toMatchObject({ userId, status: 'registered' });
    expect(await findPeople(eventId, 'waitlisted')).toEqual(waiting.filter((id) => id !== userId));
    expect(await findPromoted()).toEqual([userId]);
    expect(await events.outbox(RecordAudit)).toMatchObject([
      { action: 'waitlist.promoted', actorId: admin.sub, subjectId: userId, changed: [eventId] },
    ]);
  });

  it.each([
    ['while registration is open', 'true'],
    ['once registration has closed', "registration_closes_at = now() - interval '1 minute'"],
  ])('raises the capacity for a promotion if requested, %s', async (_, state) => {
    if (state !== 'true') await set(eventId, state);
    const { version } = await events.counts(eventId);
    const userId = waiting[3]!;
    expect(await promote(userId, true)).toMatchObject({ userId, status: 'registered' });
    expect(await findPeople(eventId, 'waitlisted')).toEqual(waiting.filter((id) => id !== userId));
    expect(await findPromoted()).toEqual([userId]);
    const raised = { capacity: 3, registered: 3, waiting: 4, version: version + 1 };
    expect(await events.counts(eventId)).toEqual(raised);
    const values = { capacity: { before: '2', after: '3' } };
    expect(await events.outbox(RecordAudit)).toMatchObject([
      { action: 'event.updated', actorId: admin.sub, subjectId: eventId, changed: ['capacity'], values },
      { action: 'waitlist.promoted', subjectId: userId },
    ]);
  });

  it('raises the capacity only as needed and never above the maximum', async () => {
    await closedWithAFreePlace();
    const [one, two, three, four] = waiting as [string, string, string, string];
    await promote(one, true);
    expect((await events.counts(eventId)).capacity).toBe(3);
    await Promise.all([promote(two, true), promote(three, true)]);
    expect(await events.counts(eventId)).toMatchObject({ capacity: 5, registered: 5 });
    expect((await findPromoted()).toSorted()).toEqual([one, two, three].toSorted());
    await set(eventId, `capacity = ${LIMITS.capacityMax}, registration_count = ${LIMITS.capacityMax}`);
    await refuses('EVENT_FULL', promote(four, true));
  });

  it('removes someone from the waiting list, with an audit entry and an email', async () => {
    const [, userId = ''] = waiting;
    await remove(userId);
    expect(await findPeople(eventId, 'waitlisted')).toEqual(waiting.filter((id) => id !== userId));
    expect(await events.outbox(WaitlistDismissedMail)).toEqual([{ eventId, userId }]);
    expect(await audited()).toEqual([['waitlist.removed', userId, [eventId]]]);
  });

  it.each([
    ['no place is free', 'capacity = 2', 'EVENT_FULL'],
    ['the event has started', "capacity = 9, start_date = now() - interval '1 s'", 'REGISTRATION_CLOSED'],
    ['the event is cancelled', "status = 'cancelled', cancelled_at = now()", 'EVENT_CANCELLED'],
  ])('rejects a promotion when %s', async (_, change, code) => {
    await set(eventId, change);
    expect(await codes([promote(waiting[0]!)])).toEqual([code]);
    expect(await findPeople(eventId, 'waitlisted')).toEqual(waiting);
    expect(await audited()).toEqual([]);
  });

  it('rejects people who are not waiting, unknown events and former administrators', async () => {
    const others = [placed[0]!, UNKNOWN].flatMap((userId) => [promote(userId), remove(userId)]);
    expect(await outcomes(others)).toEqual({ NOT_WAITING: 4 });
    await refuses('EVENT_NOT_FOUND', remove(waiting[0]!, UNKNOWN));
    await updateRow(events.owner, 'auth.users', admin.sub, { isAdmin: false });
    await refuses('FORBIDDEN', remove(waiting[0]!));
  });

  describe('when the waiting list is turned off', () => {
    const turnOff = (given: Partial<UpdateEventRequest> = {}) =>
      events
        .get(EventEditingService)
        .update({ eventId, banner: { action: 'keep' }, waitlistEnabled: false, ...given }, createCall(admin));

    it('requires a decision about the people who are waiting', async () => {
      const refusal = { code: 'WAITLIST_NOT_EMPTY', details: { waiting: 5 } };
      await expect(turnOff()).rejects.toMatchObject(refusal);
      expect(await findPeople(eventId, 'waitlisted')).toEqual(waiting);
    });

    it.each([
      ['while registration is open', 'true'],
      ['once registration has closed', "registration_closes_at = now() - interval '1 minute'"],
    ])('promotes everyone, raises the capacity and sends emails, %s', async (_, change) => {
      if (change !== 'true') await set(eventId, change);
      const event = await turnOff({ waitlistOff: 'promote' });
      const counts = { capacity: 7, registrationCount: 7, waitingCount: 0 };
      expect(event).toMatchObject({ waitlistEnabled: false, ...counts });
      expect((await findPromoted()).toSorted()).toEqual(waiting.toSorted());
      expect(await audited()).toEqual([['event.updated', eventId, ['capacity', 'waitlistEnabled']]]);
    });

    it('rejects promotions once the event has started, but allows dismissals', async () => {
      await set(eventId, "start_date = now() - interval '1 s'");
      await refuses('REGISTRATION_CLOSED', turnOff({ waitlistOff: 'promote' }));
      await refuses('REGISTRATION_CLOSED', turnOff({ waitlistOff: 'promote', capacity: 20 }));
      expect(await findPeople(eventId, 'waitlisted')).toEqual(waiting);
      expect(await turnOff({ waitlistOff: 'dismiss' })).toMatchObject({ capacity: 2, waitingCount: 0 });
      expect(await findPromoted()).toEqual([]);
    });

    it('promotes everyone if the same edit moves a past start to the future', async () => {
      await set(eventId, "start_date = now() - interval '1 s'");
      const dates = { startDate: daysFromNow(1).toISOString(), endDate: daysFromNow(2).toISOString() };
      expect(await turnOff({ waitlistOff: 'promote', ...dates })).toMatchObject({ registrationCount: 7 });
    });

    it('keeps the requested capacity if it has room for everyone', async () => {
      const counts = { capacity: 20, registrationCount: 7 };
      expect(await turnOff({ waitlistOff: 'promote', capacity: 20 })).toMatchObject(counts);
      expect(await findPromoted()).toHaveLength(5);
    });

    it('promotes people if the edit makes room, then dismisses and emails the others', async () => {
      const counts = { capacity: 3, registrationCount: 3, waitingCount: 0 };
      expect(await turnOff({ waitlistOff: 'dismiss', capacity: 3 })).toMatchObject(counts);
      expect(await findPromoted()).toEqual([waiting[0]]);
      const dismissed = (await events.outbox(WaitlistDismissedMail)).map(({ userId }) => userId);
      expect(dismissed.toSorted()).toEqual(waiting.slice(1).toSorted());
    });

    it('requires no decision when nobody is waiting', async () => {
      const { eventId: other } = await fill({ capacity: 1 });
      expect(await turnOff({ eventId: other })).toMatchObject({ waitlistEnabled: false });
    });
  });

  it('shows members their position on the event page and, on request, in My Events', async () => {
    const [reads, third] = [events.get(EventsService), waiting[2]!];
    const at = { joinedAt: expect.any(String), position: 3 };
    const own = { registrations: [], waiting: at };
    expect(await reads.get({ eventId }, createCall(third))).toMatchObject(own);
    const [listed] = (await reads.list({}, createCall(third))).items;
    expect(listed).toMatchObject({ registrations: [], registrationCount: 2, waitingCount: 5 });
    expect(listed!.waiting).toEqual({ joinedAt: expect.any(String), position: undefined });
    expect((await reads.get({ eventId }, createCall(placed[0]!))).waiting).toBeNull();
    expect((await reads.myEvents({}, createCall(third))).items).toEqual([]);
    const mine = await reads.myEvents({ include: 'waiting', limit: 10 }, createCall(third));
    expect(mine).toMatchObject({ total: 1, items: [{ id: eventId, ...own }] });
  });

  it("keeps the event out of a member's calendar until they are promoted", async () => {
    const { token } = await events.get(CalendarFeedsService).create({}, createCall(waiting[0]!));
    const calendar = events.get(CalendarService);
    expect((await calendar.ofMember({ token })).ics).not.toContain('BEGIN:VEVENT');
    await set(eventId, 'capacity = 3');
    expect((await calendar.ofMember({ token })).ics).toContain('BEGIN:VEVENT');
  });
});

describe('the waiting list under concurrency', () => {
  let replicas: RegistrationsService[];
  beforeAll(async () => {
    replicas = [service, (await events.replica()).get(RegistrationsService)];
  });

  it('registers 10 of 40 members and gives the others stable positions from 1 to 30', async () => {
    const { id: eventId } = await insertEvent(events.owner, { capacity: 10, waitlistEnabled: true });
    const members = await events.members(40);
    const joinAll = () =>
      Promise.all(
        members.map((userId, n) =>
          persistently(() => replicas[n % 2]!.register({ eventId, waitlist: true }, createCall(userId))),
        ),
      );
    const first = await joinAll();
    const statuses = first.map(({ registration }) => registration.status);
    expect(tally(statuses)).toEqual({ registered: 10, waitlisted: 30 });
    const byPosition = first
      .filter(({ waiting }) => waiting)
      .toSorted((a, b) => a.waiting!.position! - b.waiting!.position!);
    expect(byPosition.map(({ waiting }) => waiting!.position)).toEqual(
      Array.from({ length: 30 }, (_, n) => n + 1),
    );
    expect((await joinAll()).map(({ waiting }) => waiting)).toEqual(first.map(({ waiting }) => waiting));
    expect(await findPeople(eventId, 'waitlisted')).toEqual(
      byPosition.map(({ registration }) => registration.userId),
    );
  });

  it('leaves no place free while people are waiting, under random load', async () => {
    await events.owner.query(`
      CREATE TABLE public.promotions (id uuid);
      CREATE FUNCTION public.note_promotion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN INSERT INTO public.promotions VALUES (NEW.id); RETURN NULL; END $$;
      CREATE TRIGGER note_promotion AFTER UPDATE ON events.event_registrations FOR EACH ROW
        WHEN (OLD.status = 'waitlisted' AND NEW.status = 'registered') EXECUTE FUNCTION public.note_promotion()`);
    const members = await events.members(60);
    const rows = [3, 8].map((capacity) => insertEvent(events.owner, { capacity, waitlistEnabled: true }));
    const ids = (await Promise.all(rows)).map(({ id }) => id);
    const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)] as T;
    const registering = (waitlist: boolean) => (userId: string, eventId: string) =>
      any(replicas).register({ eventId, waitlist }, createCall(userId));
    const leaving = (userId: string, eventId: string) =>
      any(replicas).unregister({ eventId }, createCall(userId));
    const resizing = (_: string, eventId: string) =>
      set(eventId, `capacity = greatest(registration_count + ${any([0, 0, 1, 3])}, 1)`);
    const acts = [registering(true), registering(true), registering(false), leaving, leaving, resizing];
    const storm = Array.from({ length: 1_200 }, (_, n) => {
      const userId = any(members);
      if (n % 100 === 99) return events.deleteUser(userId);
      return persistently<unknown>(() => any(acts)(userId, any(ids)));
    });
    const allowed = ['ok', 'EVENT_FULL', 'UNAUTHORIZED', 'EVENT_NOT_FOUND'];
    expect([...new Set(await codes(storm))].filter((code) => !allowed.includes(code))).toEqual([]);
    for (const eventId of ids) {
      const registered = (await findPeople(eventId, 'registered')).length;
      const waiting = (await findPeople(eventId, 'waitlisted')).length;
      const { capacity, ...counts } = await events.counts(eventId);
      expect(counts).toMatchObject({ registered, waiting });
      expect(registered).toBeLessThanOrEqual(capacity!);
      if (waiting > 0) expect(registered).toBe(capacity);
    }
    const emails = (await events.outbox(PromotedMail)).map((payload) => JSON.stringify(payload));
    expect(emails).toHaveLength((await events.rows('SELECT FROM public.promotions')).length);
    expect(new Set(emails).size).toBe(emails.length);
    expect(emails.length).toBeGreaterThan(0);
    await events.owner.query('DROP FUNCTION public.note_promotion CASCADE; DROP TABLE public.promotions');
  });
});
