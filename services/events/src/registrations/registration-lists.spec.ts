import {
  daysFromNow,
  insertEvent,
  insertRegistration,
  type RegistrationRow,
} from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import type { Community } from '@meetmark/contracts';
import { EventsService } from '../events/events.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

describe('who comes', () => {
  const events = eventsForTests();
  let lists: RegistrationListsService;
  let eventId: string;
  beforeAll(() => {
    lists = events.get(RegistrationListsService);
  });
  beforeEach(async () => {
    eventId = (await insertEvent(events.owner)).id;
  });

  const registered = async (
    firstName: string,
    days: number,
    status: RegistrationRow['status'] = 'registered',
    showMe: RegistrationRow['showMe'] = 'name',
  ) => {
    const user = await insertUser(events.owner, { firstName, linkedInUrl: 'https://linkedin.com/in/ada' });
    await insertRegistration(events.owner, {
      eventId,
      userId: user.id,
      registeredAt: daysFromNow(days),
      status,
      showMe,
    });
    return user;
  };

  it('is shown to members as far as each of them wants to, in the order of arrival, and never by address', async () => {
    const [second, first] = [
      await registered('Second', -1, 'registered', 'linkedin'),
      await registered('First', -2),
    ];
    await registered('Hidden', -1.5, 'registered', 'no');
    await registered('Gone', -3, 'cancelled');
    const shown = { lastName: 'Lovelace', profileImageUrl: null };
    expect(await lists.attendees({ eventId })).toEqual({
      items: [
        { id: first.id, firstName: 'First', ...shown, linkedInUrl: null },
        { id: second.id, firstName: 'Second', ...shown, linkedInUrl: 'https://linkedin.com/in/ada' },
      ],
      total: 3,
      nextCursor: null,
    });
    const admin = await events.administrator();
    expect((await lists.list(admin, { eventId })).items.map(({ member }) => member.firstName)).toContain(
      'Hidden',
    );
  });

  describe('and lets visitors see it', () => {
    let community: Community;
    beforeEach(() => {
      ({ community } = events.get(EventsService) as unknown as { community: Community });
      community.publicAttendees = true;
    });
    afterEach(() => {
      community.publicAttendees = false;
    });
    const seen = async (id = eventId) => {
      const { publicAttendees } = await events.get(EventsService).get(id, null);
      return publicAttendees!.map(({ firstName }) => firstName);
    };

    it('is in the event’s own answer by name and picture alone, in the order of arrival, twelve at most', async () => {
      eventId = (await insertEvent(events.owner, { capacity: 6 })).id;
      await registered('Second', -1, 'registered', 'public');
      await registered('First', -2, 'registered', 'public');
      await registered('Named', -3);
      await registered('Linked', -4, 'registered', 'linkedin');
      await registered('Hidden', -5, 'registered', 'no');
      await registered('Gone', -7, 'cancelled', 'public');
      const unproved = await registered('Unproved', -8, 'registered', 'public');
      await events.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = $1', [unproved.id]);
      // the sixth place is taken
      await registered('Waiting', -6, 'waitlisted', 'public');
      const { publicAttendees } = await events.get(EventsService).get(eventId, null);
      expect(publicAttendees).toEqual([
        { firstName: 'First', lastName: 'Lovelace', profileImageUrl: null },
        { firstName: 'Second', lastName: 'Lovelace', profileImageUrl: null },
      ]);
      // members read of them what they read of others
      expect((await lists.attendees({ eventId })).items.map(({ firstName }) => firstName)).toContain('First');
      eventId = (await insertEvent(events.owner)).id;
      for (let n = 0; n < 13; n += 1) await registered('Next', -0.5, 'registered', 'public');
      expect(await seen()).toHaveLength(12);
    });

    it('is nobody where the community does not let people, nor long after the event', async () => {
      await registered('First', -2, 'registered', 'public');
      expect(await seen()).toEqual(['First']);
      community.publicAttendees = false;
      expect(await seen()).toEqual([]);
      community.publicAttendees = true;
      const long = { startDate: daysFromNow(-400), endDate: daysFromNow(-399) };
      eventId = (await insertEvent(events.owner, long)).id;
      await registered('First', -402, 'registered', 'public');
      expect(await seen()).toEqual([]);
    });

    it('says so for each place, takes it back, and is asked for nothing that the community does not offer', async () => {
      const service = events.get(RegistrationsService);
      const { id } = await registered('First', -2);
      expect(await seen()).toEqual([]);
      await service.change(id, { eventId, showMe: 'public' });
      expect(await seen()).toEqual(['First']);
      await service.change(id, { eventId, showMe: 'name' });
      expect(await seen()).toEqual([]);
      community.publicAttendees = false;
      const refused = { code: 'VALIDATION_FAILED', details: { fields: { showMe: [expect.any(String)] } } };
      await expect(service.change(id, { eventId, showMe: 'public' })).rejects.toMatchObject(refused);
      await expect(service.register(id, { eventId, showMe: 'public' })).rejects.toMatchObject(refused);
    });

    it('is not seen any more once the place is given up, or the account deleted', async () => {
      const [one, other] = [
        await registered('One', -2, 'registered', 'public'),
        await registered('Other', -1, 'registered', 'public'),
      ];
      await events.get(RegistrationsService).unregister(one.id, eventId);
      expect(await seen()).toEqual(['Other']);
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [other.id]);
      expect(await seen()).toEqual([]);
    });
  });

  it('shows five faces of each event that the caller can see, in the order of arrival', async () => {
    const six = [];
    for (const days of [-6, -5, -4, -3, -2, -1]) six.push(await registered(`Day${days}`, days));
    await registered('Hidden', -7, 'registered', 'no');
    await registered('Waiting', -8, 'waitlisted');
    const [crowded, draft, empty, long] = [
      eventId,
      (await insertEvent(events.owner, { status: 'draft' })).id,
      (await insertEvent(events.owner)).id,
      (await insertEvent(events.owner)).id,
    ];
    eventId = long;
    const { id, firstName, lastName } = await registered('Last', -1);
    const eventIds = [crowded, draft, empty, long];
    const answer = await lists.faces({ eventIds }, { sub: id, isAdmin: false });
    expect(answer).toHaveLength(2);
    expect(answer.find((one) => one.eventId === crowded)?.faces.map((face) => face.id)).toEqual(
      six.slice(0, 5).map((user) => user.id),
    );
    expect(answer.find((one) => one.eventId === long)).toEqual({
      eventId: long,
      faces: [{ id, firstName, lastName, profileImageUrl: null }],
    });
    await events.owner.query('UPDATE events.events SET start_date = $2, end_date = $3 WHERE id = $1', [
      crowded,
      daysFromNow(-32),
      daysFromNow(-31),
    ]);
    expect((await lists.faces({ eventIds })).map((one) => one.eventId)).toEqual([long]);
    expect(await lists.faces({ eventIds: [] })).toEqual([]);
  });

  it('is told to nobody any more thirty days after the end, but to administrators', async () => {
    const admin = await events.administrator();
    await registered('Ada', -40);
    const endedAgo = (days: number) =>
      events.owner.query('UPDATE events.events SET start_date = $2, end_date = $3 WHERE id = $1', [
        eventId,
        daysFromNow(-days - 1),
        daysFromNow(-days),
      ]);
    await endedAgo(29.99);
    expect((await lists.attendees({ eventId })).items).toHaveLength(1);
    await endedAgo(30.01);
    expect(await lists.attendees({ eventId })).toEqual({ items: [], total: 1, nextCursor: null });
    expect((await lists.list(admin, { eventId })).items).toHaveLength(1);
  });

  it('is nobody at first, and a refusal for an event that is not there', async () => {
    expect((await lists.attendees({ eventId })).items).toEqual([]);
    await expect(lists.attendees({ eventId: UNKNOWN })).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('leaves out who has an address that nobody verified, and counts them', async () => {
    const [hidden, shown] = [await registered('Hidden', -2), await registered('Shown', -1)];
    await events.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = $1', [hidden.id]);
    const { items, total } = await lists.attendees({ eventId, limit: 10 });
    expect([items.map(({ id }) => id), total]).toEqual([[shown.id], 2]);
  });

  it('is shown to members page by page, with how many come in all', async () => {
    for (const days of [-5, -4, -3, -2, -1]) await registered(`Member${days}`, days);
    await registered('Gone', -6, 'cancelled');
    const { items: whole } = await lists.attendees({ eventId });
    const pages = [await lists.attendees({ eventId, limit: 2 })];
    while (pages.at(-1)!.nextCursor !== null)
      pages.push(await lists.attendees({ eventId, limit: 2, cursor: pages.at(-1)!.nextCursor! }));
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
    ]);
    expect(pages.flatMap(({ items }) => items)).toEqual(whole);
  });

  it('is known to each of them for themselves, at every event, without what has ended', async () => {
    const { id: other } = await insertEvent(events.owner);
    const ada = await registered('Ada', -1);
    await registered('Somebody else', -1);
    const { id: third } = await insertEvent(events.owner, { capacity: 1 });
    const [first] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: third, userId: first });
    await insertRegistration(events.owner, { eventId: other, userId: ada.id, status: 'cancelled' });
    await insertRegistration(events.owner, { eventId: third, userId: ada.id, status: 'waitlisted' });
    const own = await lists.own(ada.id);
    expect(Object.keys(own).toSorted()).toEqual([eventId, third].toSorted());
    expect(own[eventId]).toMatchObject({ userId: ada.id, status: 'registered' });
    expect(own[third]).toMatchObject({ userId: ada.id, status: 'waitlisted' });
  });

  it('is told to owners of one member: places, and of what is over who was checked in and who was not', async () => {
    const { id: userId } = await insertUser(events.owner);
    const [other] = (await events.members(1)) as [string];
    const place = async (days: number, checkedIn: string[] = []) => {
      const { id } = await insertEvent(events.owner, {
        startDate: daysFromNow(days),
        endDate: daysFromNow(days + 0.1),
      });
      for (const each of [userId, other])
        await insertRegistration(events.owner, { eventId: id, userId: each });
      await events.owner.query(
        `UPDATE events.event_registrations SET checked_in_at = now(), checked_in_by = 'door'
         WHERE event_id = $1 AND user_id = ANY ($2)`,
        [id, checkedIn],
      );
      return id;
    };
    await place(-9, [userId]);
    await place(-8, [userId, other]);
    await place(-7, [other]);
    await place(-6.5); // nobody was checked in: who came is not known
    await place(5);
    const given = await place(-6);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1",
      [given],
    );
    const owner = await events.administrator();
    expect(await lists.ofMember(owner, userId)).toEqual({ registered: 5, attended: 2, noShows: 1 });
    expect(await lists.ofMember(owner, UNKNOWN)).toEqual({ registered: 0, attended: 0, noShows: 0 });
    const refused = lists.ofMember({ sub: userId, epoch: 1 }, userId);
    await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is shown to administrators in full, page by page', async () => {
    const admin = await events.administrator();
    const users = [
      await registered('A', -3),
      await registered('B', -2, 'cancelled'),
      await registered('C', -1),
    ];
    const whole = await lists.list(admin, { eventId });
    expect(whole).toMatchObject({ total: 3, nextCursor: null });
    expect(whole.items.map(({ member, status }) => [member.email, status])).toEqual([
      [users[0]!.email, 'registered'],
      [users[1]!.email, 'cancelled'],
      [users[2]!.email, 'registered'],
    ]);
    const page = await lists.list(admin, { eventId, limit: 2 });
    const next = await lists.list(admin, { eventId, limit: 2, cursor: page.nextCursor! });
    expect([...page.items, ...next.items]).toEqual(whole.items);
    expect(next.nextCursor).toBeNull();
    await expect(lists.list(admin, { eventId: UNKNOWN })).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('is counted by the day of the community for the last fourteen days, today last', async () => {
    const admin = await events.administrator();
    for (const [days, status] of [
      [0, 'registered'],
      [0, 'registered'],
      [-2, 'registered'],
      [-2, 'cancelled'],
      [-20, 'registered'],
    ] as const)
      await registered('Ada', days, status);
    const activity = await lists.activity(admin, eventId);
    expect(activity.map(({ registrations }) => registrations)).toEqual([...Array(11).fill(0), 1, 0, 2]);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });
    expect(activity.at(-1)?.day).toBe(today.format(new Date()));
    await expect(lists.activity(admin, UNKNOWN)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('is refused in full to somebody who is no administrator any more', async () => {
    const demoted = await events.administrator();
    await events.owner.query('UPDATE auth.users SET is_admin = false WHERE id = $1', [demoted.sub]);
    await expect(lists.list(demoted, { eventId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
