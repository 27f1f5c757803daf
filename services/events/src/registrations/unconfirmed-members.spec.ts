import { codes, tally } from '@meetmark/testing';
import { daysFromNow, type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { createCall, eventsForTests, inject, persistently } from '../testing/open-events.js';
import { EventsService } from '../events/core/events.service.js';
import { RegistrationsService } from './registrations.service.js';

const events = eventsForTests();

const [HOME, OFFICE] = ['h'.repeat(22), 'o'.repeat(22)];
const LIMIT = 20;

describe('members with an unconfirmed email address', () => {
  const service = inject(events, RegistrationsService);
  beforeEach(() => events.empty());

  const unconfirmed = async () => (await insertUser(events.owner, { emailVerifiedAt: null })).id;
  const register = (eventId: string, userId: string, network: string | undefined = HOME, waitlist = true) =>
    persistently(() => service.register({ eventId, network, waitlist }, createCall(userId)));
  const attempt = async (eventId: string, network?: string) =>
    codes([register(eventId, await unconfirmed(), network)]);
  const anEvent = async (given: Partial<EventRow> = {}) =>
    (await insertEvent(events.owner, { startDate: daysFromNow(9), endDate: daysFromNow(10), ...given })).id;
  const networksAt = async (eventId: string) =>
    (await events.rows('SELECT network FROM events.event_registrations WHERE event_id = $1', eventId)).map(
      ({ network }) => network,
    );
  const fill = async (eventId: string) => {
    const members = await Promise.all(Array.from({ length: LIMIT }, unconfirmed));
    for (const userId of members) await register(eventId, userId);
    return members as [string, string];
  };

  it('limits unconfirmed members per network and event, including the waiting list', async () => {
    const eventId = await anEvent({ capacity: 5, waitlistEnabled: true });
    const [first] = await fill(eventId);
    for (const waitlist of [false, true])
      expect(await codes([register(eventId, await unconfirmed(), HOME, waitlist)])).toEqual([
        'ADDRESS_NOT_VERIFIED',
      ]);
    expect(await register(eventId, first)).toMatchObject({ created: false });
    const moved = await unconfirmed();
    expect(await register(eventId, moved, OFFICE)).toMatchObject({ created: true });
    expect(await register(eventId, moved)).toMatchObject({ created: false });
    expect(await attempt(await anEvent())).toEqual(['ok']);
  });

  it('lets another member of a network register after one verifies or cancels', async () => {
    const eventId = await anEvent();
    const [confirmed, cancelled] = await fill(eventId);
    const next = () => attempt(eventId);
    expect(await next()).toEqual(['ADDRESS_NOT_VERIFIED']);
    await updateRow(events.owner, 'auth.users', confirmed, { emailVerifiedAt: new Date() });
    expect([await next(), await next()]).toEqual([['ok'], ['ADDRESS_NOT_VERIFIED']]);
    await service.unregister({ eventId }, createCall(cancelled));
    expect([await next(), await next()]).toEqual([['ok'], ['ADDRESS_NOT_VERIFIED']]);
    expect((await networksAt(eventId)).filter((network) => network === null)).toHaveLength(1);
    const [member] = (await events.members(1)) as [string];
    expect(await register(eventId, member)).toMatchObject({ created: true });
  });

  it.each([
    [null, { capacity: null }],
    ['a waiting list', { capacity: 5, waitlistEnabled: true }],
  ])('never exceeds the limit of a network under concurrency, with %s', async (waiting, given) => {
    const eventId = await anEvent(given);
    const members = await Promise.all(Array.from({ length: LIMIT + 10 }, unconfirmed));
    const results = await codes(
      members.map((userId, n) => register(eventId, userId, HOME, waiting !== null || n % 2 === 0)),
    );
    expect(tally(results)).toEqual({ ok: LIMIT, ADDRESS_NOT_VERIFIED: 10 });
    expect(await networksAt(eventId)).toHaveLength(LIMIT);
  });

  it('promotes a waiting member even if their network is at its limit', async () => {
    const eventId = await anEvent({ capacity: 1, waitlistEnabled: true });
    const [placed] = (await events.members(1)) as [string];
    await events.register(eventId, [placed]);
    const [first] = await fill(eventId);
    await service.unregister({ eventId }, createCall(placed));
    const { registrations } = await events.get(EventsService).get({ eventId }, createCall(first));
    expect(registrations).toMatchObject([{ status: 'registered' }]);
  });
});
