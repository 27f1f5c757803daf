import { ACCESS_TABLE } from '@meetmark/gateway/access/access-table';
import type { ErrorBody, Event } from '@meetmark/contracts';
import { createdEvent, eventFields, newcomer, type ApiClient } from '../../support/api-client.js';
import { aMember, type Person, theAdministrator, visitor } from '../support/people.js';
import { population } from '../support/rows.js';

let administrator: ApiClient;
let member: Person;
let event: Event;
beforeAll(async () => {
  administrator = await theAdministrator();
  member = await aMember();
  event = await createdEvent(administrator);
}, 60_000);

/** As browsers describe a request that a page elsewhere makes. */
const HOSTILE: Record<string, Record<string, string>> = {
  'a script or form of another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'a neighbour under the same domain': { 'sec-fetch-site': 'same-site', origin: 'https://forum.localhost' },
  'an old browser': { 'sec-fetch-site': 'none', origin: 'https://evil.example' },
  'a sandboxed frame': { 'sec-fetch-site': 'none', origin: 'null' },
};
const CHANGES = ACCESS_TABLE.filter(
  ({ method, path }) => method !== 'GET' && path !== '/api/unsubscribe/:token',
);

describe.each(Object.entries(HOSTILE))('a request by %s (T9)', (_, headers) => {
  it('is refused by every call that changes something, and nothing is changed', async () => {
    const before = await population();
    for (const { method, path } of CHANGES) {
      const address = path.replace(':id', path.includes('/users/') ? member.user.id : event.id);
      const body = method === 'DELETE' ? undefined : { ...eventFields(), ...newcomer(), isAdmin: true };
      const answer = await administrator.send<ErrorBody>(method, address, body, headers);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 403, 'CROSS_SITE']);
    }
    expect(await population()).toEqual(before);
    expect((await administrator.get('/api/user')).status).toBe(200);
    expect((await member.client.get('/api/user')).status).toBe(200);
  });

  it('does not sign anybody in', async () => {
    const client = visitor();
    const answer = await client.post('/api/login', member.person, headers);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });
});

describe('a form on another site', () => {
  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    'cannot send %s even where the browser says nothing',
    async (type) => {
      const response = await fetch(`${administrator.url}/api/events`, {
        method: 'POST',
        headers: { 'content-type': type, cookie: administrator.session },
        body: JSON.stringify(eventFields()),
      });
      expect(response.status).toBe(415);
    },
  );
});

describe('signing out by address', () => {
  const signOut = (client: ApiClient, site: string) =>
    client.send('GET', '/api/logout', undefined, { 'sec-fetch-site': site });

  it.each(['cross-site', 'same-site'])('does nothing for a picture on a %s page', async (site) => {
    const { status, headers } = await signOut(member.client, site);
    expect([status, headers.get('location')]).toEqual([302, '/']);
    expect((await member.client.get('/api/user')).status).toBe(200);
  });

  it.each(['same-origin', 'none'])('works for %s', async (site) => {
    const { client } = await aMember();
    const before = client.at(client.url);
    expect((await signOut(client, site)).status).toBe(302);
    expect((await before.get('/api/user')).status).toBe(401);
  });
});

describe('where sign-in leads back to (T19)', () => {
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\r\nset-cookie: a=b',
    'evil.example',
    '',
  ])('is never %j', async (target) => {
    const { status, headers } = await visitor().get(`/api/login?returnTo=${encodeURIComponent(target)}`);
    expect([status, headers.get('location')]).toEqual([302, '/?signin=1']);
  });

  it('is a path of ours, encoded', async () => {
    const { headers } = await visitor().get('/api/login?returnTo=%2Fmy-events%3Fa%3D%22%3E');
    expect(headers.get('location')).toBe('/?signin=1&returnTo=%2Fmy-events%3Fa%3D%2522%253E');
  });
});
