import type { EventPage } from '@meetmark/contracts';
import { createPng, withPicture } from '@meetmark/testing/factories/pictures';
import { eventFields } from '@meetmark/testing/factories/samples';
import { CALL_STORIES } from './calls.js';
import { installationForTests } from './open-installation.js';
import type { Person } from './people.js';

// In all specs of this folder, clients compare responses with the description. These tests show that the
// comparison works, and that each call succeeds at least once.

/** Whether the path is a page for browsers, which the API description leaves out. */
const isPage = (path: string) => !/^\/(api|media)\//.test(path) || /^\/api\/(docs|openapi)/.test(path);

const letters = (length: number) => 'x'.repeat(length);
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

const installation = installationForTests();
let caller: Person;
beforeAll(async () => {
  caller = await installation.addAdministrator();
});

describe('the OpenAPI description', () => {
  it.each(CALL_STORIES)(
    'matches the response to a valid $call: $status',
    async ({ call, status, ownSession, prepare }) => {
      const who = ownSession ? await installation.addMember() : caller;
      const [method = '', ownPath = ''] = call.split(' ');
      const { path = ownPath, body } = (await prepare?.(installation, who)) ?? {};
      if (isPage(path)) {
        const page = await fetch(who.client.url + path, { headers: { accept: 'text/html' } });
        await page.arrayBuffer();
        expect(page.status).toBe(status);
      } else expect((await who.client.send(method, path, body)).status).toBe(status);
    },
  );

  it('matches responses of paged, searched and filtered lists', async () => {
    const event = await installation.createEvent({
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

  it('matches the response to an event with the longest lists and texts', async () => {
    const { startDate: startsAt, endDate: endsAt, ...others } = eventFields();
    const [note, url] = [letters(500), 'https://x.example/'.padEnd(1_000, 'x')];
    const options = times(10, (n) => `${n}`.padEnd(100, 'x'));
    const longest = {
      ...{ title: letters(255), description: letters(10_000), recap: letters(10_000) },
      venue: { name: letters(150), address: letters(255), note, mapUrl: url },
      agenda: times(50, () => ({ startsAt, endsAt, title: letters(150), note })),
      speakers: times(30, () => ({
        ...{ name: letters(100), role: letters(150), bio: letters(1_000), linkUrl: url },
      })),
      resources: times(20, () => ({ title: letters(150), url })),
      questions: times(10, () => ({ kind: 'choice', label: letters(150), options })),
    };
    const body = { ...others, startDate: startsAt, endDate: endsAt, ...longest };
    const created = await installation.administrator.expect<EventPage>(201, 'POST', '/api/events', body);
    const { body: shown } = await installation.visitor().get<EventPage>(`/api/events/${created.id}`);
    expect({ ...shown, ...shown.content }).toMatchObject(longest);
  });
});

it('the comparison with the OpenAPI description finds undocumented properties, statuses and calls', async () => {
  const asked = { method: 'GET', path: '/api/user' };
  const real = await caller.client.get<Record<string, unknown>>(asked.path);
  expect(installation.api.faults(asked, real)).toEqual([]);
  const { email: _, ...tooFew } = real.body;
  for (const body of [{ ...real.body, passwordHash: 'x' }, tooFew, { ...real.body, isAdmin: 'yes' }, []])
    expect(installation.api.faults(asked, { ...real, body })).not.toEqual([]);
  const headers = new Headers({ 'content-type': 'text/html' });
  for (const response of [
    { ...real, status: 418 },
    { ...real, headers },
  ])
    expect(installation.api.faults(asked, response)).not.toEqual([]);
  expect(installation.api.faults({ method: 'GET', path: '/api/secret' }, real)).not.toEqual([]);
  const watch = caller.client.onAnswer!;
  await expect(watch(asked, { ...real, body: {} })).rejects.toThrow('User_current answers 200');
});
