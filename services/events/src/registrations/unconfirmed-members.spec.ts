import { codes, tally } from '@meetmark/testing';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
} from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { createCall, eventsForTests, persistently } from '../testing/open-events.js';
import { EventsService } from '../events/core/events.service.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';

const events = eventsForTests();

const [HOME, OFFICE] = ['h'.repeat(22), 'o'.repeat(22)];
const LIMIT = 20;

describe('members with an unconfirmed email address', () => {
  let service: RegistrationsService;
  beforeAll(() => {
    service = events.get(RegistrationsService);
  });
  beforeEach(() => events.empty());

  const unconfirmed = async () => (await insertUser(events.owner, { emailVerifiedAt: null })).id;
  const confirm = (userId: string) =>
    updateRow(events.owner, 'auth.users', userId, { emailVerifiedAt: new Date() });
  const anEvent = async (given: Partial<EventRow> = {}) =>
    (await insertEvent(events.owner, { startDate: daysFromNow(9), endDate: daysFromNow(10), ...given })).id;
  const networksAt = async (eventId: string) =>
    (
      await events.owner.query<{ network: string | null }>(
        'SELECT network FROM events.event_registrations WHERE event_id = $1',
        [eventId],
      )
    ).rows.map(({ network }) => network);
  const fill = async (eventId: string, network: string) => {
    const members = await Promise.all(Array.from({ length: LIMIT }, unconfirmed));
    for (const userId of members)
      await service.register({ eventId, network, waitlist: true }, createCall(userId));
    return members;
  };

  it('lets an unconfirmed member register for many events', async () => {
    const member = await unconfirmed();
    for (let n = 0; n < 7; n += 1) {
      const { created, registration } = await service.register(
        {
          ...{ eventId: await anEvent({ capacity: 2 }), network: HOME },
        },
        createCall(member),
      );
      expect([created, registration.status]).toEqual([true, 'registered']);
    }
    expect(Object.keys(await events.get(RegistrationListsService).own({}, createCall(member)))).toHaveLength(
      7,
    );
  });

  it('limits unconfirmed members per network and event, including the waiting list', async () => {
    const eventId = await anEvent({ capacity: 5, waitlistEnabled: true });
    const [first] = await fill(eventId, HOME);
    for (const waitlist of [false, true])
      await expect(
        service.register({ eventId, network: HOME, waitlist }, createCall(await unconfirmed())),
      ).rejects.toMatchObject({ code: 'ADDRESS_NOT_VERIFIED' });
    expect(await service.register({ eventId, network: HOME }, createCall(first!))).toMatchObject({
      created: false,
    });
    const another = { eventId, network: OFFICE, waitlist: true };
    const moved = await unconfirmed();
    expect(await service.register(another, createCall(moved))).toMatchObject({ created: true });
    expect(await service.register({ ...another, network: HOME }, createCall(moved))).toMatchObject({
      created: false,
    });
    expect(
      await service.register({ eventId: await anEvent(), network: HOME }, createCall(await unconfirmed())),
    ).toMatchObject({ created: true });
  });

  it('lets another member of a network register after one verifies or cancels', async () => {
    const eventId = await anEvent();
    const [confirmed, cancelled] = (await fill(eventId, HOME)) as [string, string];
    const next = async () =>
      codes([service.register({ eventId, network: HOME }, createCall(await unconfirmed()))]);
    expect(await next()).toEqual(['ADDRESS_NOT_VERIFIED']);
    await confirm(confirmed);
    expect([await next(), await next()]).toEqual([['ok'], ['ADDRESS_NOT_VERIFIED']]);
    await service.unregister({ eventId }, createCall(cancelled));
    expect([await next(), await next()]).toEqual([['ok'], ['ADDRESS_NOT_VERIFIED']]);
    expect((await networksAt(eventId)).filter((network) => network === null)).toHaveLength(1);
    const member = (await insertUser(events.owner)).id;
    expect(await service.register({ eventId, network: HOME }, createCall(member))).toMatchObject({
      created: true,
    });
  });

  it.each([
    [null, { capacity: null }],
    ['a waiting list', { capacity: 5, waitlistEnabled: true }],
  ])('never exceeds the limit of a network under concurrency, with %s', async (waiting, given) => {
    const eventId = await anEvent(given);
    const members = await Promise.all(Array.from({ length: LIMIT + 10 }, unconfirmed));
    const results = await codes(
      members.map((userId, n) =>
        persistently(() =>
          service.register(
            { eventId, network: HOME, waitlist: waiting !== null || n % 2 === 0 },
            createCall(userId),
          ),
        ),
      ),
    );
    expect(tally(results)).toEqual({ ok: LIMIT, ADDRESS_NOT_VERIFIED: 10 });
    expect(await networksAt(eventId)).toHaveLength(LIMIT);
  });

  it('promotes a waiting member even if their network is at its limit', async () => {
    const eventId = await anEvent({ capacity: 1, waitlistEnabled: true });
    const [placed] = (await events.members(1)) as [string];
    await service.register({ eventId }, createCall(placed));
    const [first] = await fill(eventId, HOME);
    await service.unregister({ eventId }, createCall(placed));
    const { registrations } = await events
      .get(EventsService)
      .get({ eventId }, createCall({ sub: first!, isAdmin: false }));
    expect(registrations).toMatchObject([{ status: 'registered' }]);
  });

  it('shows attendees to an unconfirmed member without listing that member', async () => {
    const eventId = await anEvent({ capacity: 20 });
    const [shown] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId, userId: shown });
    const member = await unconfirmed();
    await service.register({ eventId }, createCall(member));
    const lists = events.get(RegistrationListsService);
    const viewer = { sub: member, isAdmin: false };
    const { items, total } = await lists.attendees({ eventId }, createCall(viewer));
    expect([items.map(({ id }) => id), total]).toEqual([[shown], 2]);
    expect(await lists.faces({ eventIds: [eventId] }, createCall(viewer))).toHaveLength(1);
  });
});
