import type { Event } from '@meetmark/contracts';
import { createdEvent, eventFields } from '../support/api-client.js';
import { sharedStack } from '../support/shared-stack.js';
import { aMember, theAdministrator, visitor } from './support/people.js';

const { gatewayUrls } = sharedStack();
const ROUNDS = 5;
const VISITORS = 4;

const fetchCounts = ({ id, title }: Pick<Event, 'id' | 'title'>) =>
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
 * Returns the responses right after it.
 */
async function whileAsked(event: Pick<Event, 'id' | 'title'>, change: () => Promise<unknown>) {
  await fetchCounts(event);
  let answered = false;
  const ask = async () => {
    while (!answered) await fetchCounts(event);
  };
  const asking = Array.from({ length: VISITORS }, ask);
  await change();
  answered = true;
  const told = await fetchCounts(event);
  await Promise.all(asking);
  return told;
}

it('every gateway shows a change of an event immediately, even while visitors read the event', async () => {
  const administrator = await theAdministrator();
  const event = await createdEvent(administrator);
  const [{ client }, ada] = [await aMember(), await aMember('Ada')];
  const path = `/api/events/${event.id}`;
  const place = `${path}/register`;
  await ada.client.expect(201, 'POST', place);
  for (let round = 0; round < ROUNDS; round++) {
    expect(await whileAsked(event, () => client.expect(201, 'POST', place))).toEqual(registered(2));
    expect(await whileAsked(event, () => client.expect(204, 'DELETE', place))).toEqual(registered(1));
  }
  const deletion = () => administrator.expect(204, 'DELETE', `/api/admin/users/${ada.user.id}`);
  expect(await whileAsked(event, deletion)).toEqual(registered(0));
  const { title } = eventFields();
  const renaming = () => administrator.expect(200, 'PUT', path, { title });
  expect(await whileAsked({ id: event.id, title }, renaming)).toEqual(registered(0));
  expect(await whileAsked({ id: event.id, title }, () => administrator.expect(204, 'DELETE', path))).toEqual(
    GONE,
  );
});
