import { type Identity } from '@meetmark/contracts';
import { beforeCommit, codes } from '@meetmark/testing';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
} from '@meetmark/testing/factories/events';
import { EventEditingService } from '../events/event-editing.service.js';
import { EventsService } from '../events/events.service.js';
import { GuestsService } from '../guests/guests.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';

const HOUR = 3_600_000;
const [HOME, OFFICE] = ['h'.repeat(22), 'o'.repeat(22)];

describe('the place of a member whose address is not verified', () => {
  const events = eventsForTests();
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
    await events.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = $1', [id]);
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
