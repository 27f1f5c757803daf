import { answered, type ApiClient, createdEvent } from '../support/api-client.js';
import type { ApiDescription } from './support/api-description.js';
import { CALL_STORIES } from './support/calls.js';
import {
  aMember,
  anAdministrator,
  apiDescription,
  held,
  type Person,
  theAdministrator,
} from './support/people.js';
import { createPng, withPicture } from '@meetmark/testing/factories/pictures';

// In all API stories, clients compare responses with the description (`held`). These tests show that the
// comparison works, and that each call succeeds in at least one story.

/** Whether the path is a page for browsers, which the API description leaves out. */
const isPage = (path: string) => !/^\/(api|media)\//.test(path) || /^\/api\/(docs|openapi)/.test(path);

let description: ApiDescription;
let administrator: ApiClient;
let caller: Person;
beforeAll(async () => {
  description = await apiDescription();
  administrator = await theAdministrator();
  caller = await anAdministrator();
});

describe('the OpenAPI description', () => {
  it.each(CALL_STORIES)(
    'matches the response to a valid $call: $status',
    async ({ call, status, ownSession, prepare }) => {
      const who = ownSession ? await aMember() : caller;
      const [method = '', ownPath = ''] = call.split(' ');
      const { path = ownPath, body } = (await prepare?.(administrator, who)) ?? {};
      if (isPage(path)) {
        const page = await answered(who.client.url + path, { headers: { accept: 'text/html' } });
        expect(page.status).toBe(status);
      } else expect((await who.client.send(method, path, body)).status).toBe(status);
    },
  );

  it('matches responses of paged, searched and filtered lists', async () => {
    const event = await createdEvent(administrator, {
      bannerImageUrl: withPicture(createPng(10, 10)),
      price: '12.5',
      capacity: 9,
    });
    await caller.client.post(`/api/events/${event.id}/register`, { selectedDate: event.startDate });
    for (const path of [
      '/api/events/public?limit=2&price=paid&time=upcoming&format=in_person',
      '/api/events?limit=2&q=story&sort=-startDate',
      '/api/my-events?limit=1',
      `/api/events/${event.id}`,
      `/api/events/${event.id}/attendees`,
      `/api/events/${event.id}/attendees?limit=1`,
      '/api/events/public?limit=1&q=story',
      `/api/events/${event.id}/registrations?limit=1`,
      '/api/admin/users?limit=2&role=admin&sort=-name',
      '/api/admin/users?limit=2&role=owner',
      '/api/admin/audit?limit=2&action=event.created',
      event.bannerImageUrl ?? '',
    ])
      expect((await caller.client.get(path)).status).toBe(200);
  });
});

it('the comparison with the OpenAPI description finds undocumented properties, statuses and calls', async () => {
  const asked = { method: 'GET', path: '/api/user' };
  const real = await caller.client.get<Record<string, unknown>>(asked.path);
  expect(description.faults(asked, real)).toEqual([]);
  const { email: _, ...tooFew } = real.body;
  for (const body of [{ ...real.body, passwordHash: 'x' }, tooFew, { ...real.body, isAdmin: 'yes' }, []])
    expect(description.faults(asked, { ...real, body })).not.toEqual([]);
  const headers = new Headers({ 'content-type': 'text/html' });
  for (const response of [
    { ...real, status: 418 },
    { ...real, headers },
  ])
    expect(description.faults(asked, response)).not.toEqual([]);
  expect(description.faults({ method: 'GET', path: '/api/secret' }, real)).not.toEqual([]);
  const watch = held(caller.client.at()).onAnswer!;
  await expect(watch(asked, { ...real, body: {} })).rejects.toThrow('User_current answers 200');
});
