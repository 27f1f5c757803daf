import type { Event } from '@meetmark/contracts';
import { ACCESS_TABLE } from '@meetmark/gateway/testing/access-table';
import { MAY } from '@meetmark/testing/access';
import { type ApiClient, createdEvent } from '../../support/api-client.js';
import { aMember, NOBODY, type Person, theAdministrator, visitor } from '../support/people.js';

/** Calls about an event that people without editing rights may make. */
const OF_AN_EVENT = [
  ...ACCESS_TABLE.filter(
    ({ path, access }) => /^(\/api)?\/events\/:id/.test(path) && MAY[access].member === 'yes',
  ),
  { method: 'GET', path: '/media/share/:id-1.jpg', access: 'public' },
] as const;
const OF_NONE = ACCESS_TABLE.filter(
  ({ method, path, access }) =>
    method === 'GET' && !/:|logout|openapi|docs/.test(path) && MAY[access].member === 'yes',
);

describe('the API', () => {
  let administrator: ApiClient;
  let member: Person;
  let draft: Event;
  beforeAll(async () => {
    administrator = await theAdministrator();
    member = await aMember();
    draft = await createdEvent(administrator, { status: 'draft', title: `Secret ${crypto.randomUUID()}` });
  }, 60_000);

  const fetchAnswer = async (client: ApiClient, method: string, path: string, id: string) => {
    const { status, text } = await client.send(method, path.replace(':id', id));
    return { status, text: text.replaceAll(id, 'ID').replaceAll(/"requestId":"[^"]*"/g, '') };
  };

  it('treats a draft as missing at every event URL open to members', async () => {
    expect(OF_AN_EVENT.length).toBeGreaterThan(5);
    for (const { method, path, access } of OF_AN_EVENT)
      for (const client of [visitor(), member.client]) {
        const hidden = await fetchAnswer(client, method, path, draft.id);
        expect([method, path, hidden]).toEqual([
          method,
          path,
          await fetchAnswer(client, method, path, NOBODY),
        ]);
        expect(hidden.text).not.toContain(draft.title);
        if (client !== member.client && access === 'member')
          expect([path, hidden.status]).toEqual([path, 401]);
        // DELETE is idempotent: cancelling a registration that doesn't exist succeeds.
        else expect([path, hidden.status]).toEqual([path, method === 'DELETE' ? 204 : 404]);
      }
  });

  it('omits a draft from every list, feed and page', async () => {
    for (const { path } of OF_NONE)
      for (const client of [visitor(), member.client]) {
        const address = path.replace('*', '');
        const found = new URLSearchParams({ q: draft.title });
        for (const asked of [address, ...(/^\/api\/events/.test(path) ? [`${address}?${found}`] : [])]) {
          const { text } = await client.get(asked);
          expect([asked, text.includes(draft.id), text.includes(draft.title)]).toEqual([asked, false, false]);
        }
      }
  });

  it('shows a draft through its preview link, uncached, until the link is revoked', async () => {
    const path = `/api/events/${draft.id}/preview`;
    const { token } = await administrator.expect<{ token: string }>(201, 'POST', path);
    const preview = await visitor().get<Event>(`/api/event-previews/${token}`);
    expect([preview.body.title, preview.headers.get('cache-control')]).toEqual([draft.title, 'no-store']);
    expect((await visitor().get(`/events/preview/${token}`)).text).not.toContain(draft.title);
    await administrator.expect(204, 'DELETE', path);
    for (const gone of [token, 'guess'])
      expect((await visitor().get(`/api/event-previews/${gone}`)).status).toBe(404);
  });

  it('shows a draft to administrators, and to everyone once it is published', async () => {
    const of = (client: ApiClient, suffix = '') => client.get<Event>(`/api/events/${draft.id}${suffix}`);
    expect((await of(administrator)).body).toMatchObject({ status: 'draft' });
    expect((await of(administrator, '/count')).status).toBe(200);
    const drafts = await administrator.get<Event[]>('/api/events?status=draft');
    expect(drafts.body.map(({ id }) => id)).toContain(draft.id);
    expect((await member.client.get<Event[]>('/api/events?status=draft')).body).toEqual([]);
    await administrator.expect(200, 'POST', `/api/events/${draft.id}/publish`);
    for (const client of [visitor(), member.client]) expect((await of(client)).status).toBe(200);
    const listed = await visitor().get<Event[]>(`/api/events/public?q=${encodeURIComponent(draft.title)}`);
    expect(listed.body.map(({ id }) => id)).toEqual([draft.id]);
  });
});
