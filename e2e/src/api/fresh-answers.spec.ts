import type { Event } from '@meetmark/contracts';
import { type ApiClient, createdEvent, eventFields } from '../support/api-client.js';
import { sharedStack } from '../support/shared-stack.js';
import { aMember, type Person, theAdministrator, visitor } from './support/people.js';

const { gatewayUrls } = sharedStack();
const ROUNDS = 5;
const VISITORS = 4;

let administrator: ApiClient;
beforeAll(async () => {
  administrator = await theAdministrator();
}, 60_000);

const fetchCounts = ({ id, title }: Event) =>
  Promise.all(
    gatewayUrls.map(async (url) => {
      const here = visitor().at(url);
      const list = await here.get<Event[]>(`/api/events/public?q=${encodeURIComponent(title)}`);
      const event = await here.get<Event>(`/api/events/${id}`);
      const count = await here.get<{ count: number }>(`/api/events/${id}/count`);
      return {
        inTheList: list.body.map(({ registrationCount }) => registrationCount),
        itself: event.status === 200 ? event.body.registrationCount : event.status,
        counted: count.status === 200 ? count.body.count : count.status,
      };
    }),
  );
const everywhere = (told: object) => gatewayUrls.map(() => told);
const registered = (count: number) => everywhere({ inTheList: [count], itself: count, counted: count });
const GONE = everywhere({ inTheList: [], itself: 404, counted: 404 });

/**
 * Sends requests during the change, so that every gateway caches responses that the change makes outdated.
 */
async function whileAsked(event: Event, change: () => Promise<{ status: number }>) {
  await fetchCounts(event);
  let answered = false;
  const ask = async () => {
    while (!answered) await fetchCounts(event);
  };
  const asking = Array.from({ length: VISITORS }, ask);
  const { status } = await change();
  answered = true;
  const told = await fetchCounts(event);
  await Promise.all(asking);
  return { status, told };
}

describe('every gateway', () => {
  let event: Event;
  let ada: Person;
  beforeEach(async () => {
    event = await createdEvent(administrator);
    ada = await aMember('Ada');
    await ada.client.post(`/api/events/${event.id}/register`);
  });

  it('shows current registration counts after a member registers and unregisters', async () => {
    const { client } = await aMember();
    const place = `/api/events/${event.id}/register`;
    for (let round = 0; round < ROUNDS; round++) {
      expect(await whileAsked(event, () => client.post(place))).toMatchObject({ told: registered(2) });
      expect(await whileAsked(event, () => client.delete(place))).toEqual({
        status: 204,
        told: registered(1),
      });
    }
  });

  it('shows members their current registration in the public event list', async () => {
    const { client } = await aMember();
    const place = `/api/events/${event.id}/register`;
    const list = `/api/events/public?q=${encodeURIComponent(event.title)}`;
    const own = () =>
      Promise.all(
        gatewayUrls.map(async (url) => {
          const [told] = (await client.at(url).get<Event[]>(list)).body;
          return told!.registrations.map(({ status }) => status);
        }),
      );
    expect(await own()).toEqual(gatewayUrls.map(() => []));
    for (let round = 0; round < ROUNDS; round++) {
      await client.post(place);
      expect(await own()).toEqual(gatewayUrls.map(() => ['registered']));
      await client.delete(place);
      expect(await own()).toEqual(gatewayUrls.map(() => []));
    }
    const [shared] = (await visitor().get<Event[]>(list)).body;
    expect(shared!.registrations).toEqual([]);
  });

  it('shows current registration counts after a member’s account is deleted', async () => {
    const crowd = [ada, ...(await Promise.all([aMember(), aMember(), aMember(), aMember()]))];
    for (const { client } of crowd) await client.post(`/api/events/${event.id}/register`);
    for (const [index, { user }] of crowd.entries()) {
      const deletion = () => administrator.delete(`/api/admin/users/${user.id}`);
      const left = crowd.length - 1 - index;
      expect(await whileAsked(event, deletion)).toEqual({ status: 204, told: registered(left) });
    }
  });

  it('lists an event by its new title once it is renamed', async () => {
    const renamed = eventFields();
    const change = () => administrator.put(`/api/events/${event.id}`, renamed);
    await fetchCounts({ ...event, title: renamed.title });
    expect(await whileAsked(event, change)).toMatchObject({ status: 200 });
    expect(await fetchCounts({ ...event, title: renamed.title })).toEqual(registered(1));
  });

  it('stops showing an event once it is deleted', async () => {
    const deletion = () => administrator.delete(`/api/events/${event.id}`);
    expect(await whileAsked(event, deletion)).toEqual({ status: 204, told: GONE });
  });
});

describe('the API', () => {
  it('sends personal responses with Cache-Control: no-store', async () => {
    const { client } = await aMember();
    for (const path of ['/api/user', '/api/my-events', '/api/events', '/api/user/mail-preferences']) {
      const { status, headers } = await client.get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([
        path,
        200,
        expect.stringContaining('no-store'),
      ]);
    }
  });
});
