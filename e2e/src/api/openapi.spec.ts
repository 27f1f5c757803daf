import { ACCESS_TABLE } from '@meetmark/gateway/testing/access-table';
import { answered, type ApiClient, createdEvent } from '../support/api-client.js';
import { sharedStack } from '../support/shared-stack.js';
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
}, 60_000);

describe('the OpenAPI description', () => {
  it('has the same text at every gateway', async () => {
    const read = async (url: string) => (await fetch(`${url}/api/openapi.json`)).text();
    const [first, ...others] = await Promise.all(sharedStack().gatewayUrls.map(read));
    for (const other of others) expect(other).toBe(first);
  });

  it('includes every call of the access table', () => {
    const calls = ACCESS_TABLE.filter(({ path }) => !isPage(path));
    const missing = calls.filter(
      ({ method, path }) => description.find({ method, path: path.replace('/:', '/x') }) === undefined,
    );
    expect(missing).toEqual([]);
  });

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

describe('the comparison of a response with the OpenAPI description', () => {
  const answer = async (path: string) => caller.client.get<Record<string, unknown>>(path);

  it('finds extra, missing and mistyped properties', async () => {
    const real = await answer('/api/user');
    const asked = { method: 'GET', path: '/api/user' };
    const { email: _, ...tooFew } = real.body;
    for (const body of [{ ...real.body, passwordHash: 'x' }, tooFew, { ...real.body, isAdmin: 'yes' }, []])
      expect(description.faults(asked, { ...real, body })).not.toEqual([]);
    expect(description.faults(asked, real)).toEqual([]);
  });

  it('finds an undocumented status, media type and call', async () => {
    const real = await answer('/api/user');
    expect(description.faults({ method: 'GET', path: '/api/user' }, { ...real, status: 418 })).not.toEqual(
      [],
    );
    const html = new Headers({ 'content-type': 'text/html' });
    expect(description.faults({ method: 'GET', path: '/api/user' }, { ...real, headers: html })).not.toEqual(
      [],
    );
    expect(description.faults({ method: 'GET', path: '/api/secret' }, real)).not.toEqual([]);
  });

  it('fails a test whose response does not match the description', async () => {
    const client = held(caller.client.at(caller.client.url));
    const watch = client.onAnswer!;
    const real = await answer('/api/user');
    await expect(watch({ method: 'GET', path: '/api/user' }, { ...real, body: {} })).rejects.toThrow(
      'User_current answers 200',
    );
  });
});
