import type { EventPage } from '@meetmark/contracts';
import { ACCESS_TABLE } from '@meetmark/gateway/testing/access-table';
import { MAY } from '@meetmark/testing/access';
import type { ApiClient } from '@meetmark/testing/http-client';
import { installationForTests } from './open-installation.js';
import { NOBODY } from './people.js';

const OPEN_TO_MEMBERS = ACCESS_TABLE.filter(({ access }) => MAY[access].member === 'yes');
/** Calls about an event that people without editing rights may make. */
const OF_AN_EVENT = [
  ...OPEN_TO_MEMBERS.filter(({ path }) => /^(\/api)?\/events\/:id/.test(path)),
  { method: 'GET', path: '/media/share/:id-1.jpg', access: 'public' },
] as const;
const READ = OPEN_TO_MEMBERS.filter(
  ({ method, path }) => method === 'GET' && !/logout|openapi|docs|:token|:file/.test(path),
);

/** Returns the URLs of all reads. Lists of events are also read with a search for the title. */
const listAddresses = ({ id, title }: EventPage) =>
  READ.flatMap(({ path }) => {
    const address = path.replace(':id', id).replace('*', '');
    const search = `${address}?${new URLSearchParams({ q: title })}`;
    return /^\/api\/events(\/public)?$/.test(path) ? [address, search] : [address];
  });

describe('the API', () => {
  const installation = installationForTests();
  const create = (fields: Parameters<typeof installation.createEvent>[0]) =>
    installation.createEvent({ title: `Secret ${crypto.randomUUID()}`, ...fields });

  it('treats a draft as missing at every URL open to members, and lists it nowhere', async () => {
    const { client: member } = await installation.addMember();
    const draft = await create({ status: 'draft' });
    const fetchAnswer = async (client: ApiClient, method: string, path: string, id: string) => {
      const { status, text } = await client.send(method, path.replace(':id', id));
      return { status, text: text.replaceAll(id, 'ID').replaceAll(/"requestId":"[^"]*"/g, '') };
    };
    expect(OF_AN_EVENT.length).toBeGreaterThan(5);
    for (const { method, path, access } of OF_AN_EVENT)
      for (const client of [installation.visitor(), member]) {
        const hidden = await fetchAnswer(client, method, path, draft.id);
        const missing = await fetchAnswer(client, method, path, NOBODY);
        expect([method, path, hidden]).toEqual([method, path, missing]);
        expect(hidden.text).not.toContain(draft.title);
        if (client !== member && access === 'member') expect([path, hidden.status]).toEqual([path, 401]);
        // DELETE is idempotent: cancelling a registration that doesn't exist succeeds.
        else expect([path, hidden.status]).toEqual([path, method === 'DELETE' ? 204 : 404]);
      }
    for (const address of listAddresses(draft))
      for (const client of [installation.visitor(), member])
        expect([address, (await client.get(address)).text.includes(draft.title)]).toEqual([address, false]);
  });

  it('shows a joining link only to registered members, on the event’s page', async () => {
    const [secret, onlineNote] = [`room-${crypto.randomUUID()}`, `passcode-${crypto.randomUUID()}`];
    const onlineUrl = `https://meet.example/${secret}`;
    const event = await create({
      ...{ format: 'online', capacity: 1, waitlistEnabled: true, onlineUrl, onlineNote },
    });
    const path = `/api/events/${event.id}/register`;
    const { addMember } = installation;
    const [joined, waiting] = await Promise.all([addMember(), addMember()]);
    const [left, outsider] = await Promise.all([addMember(), addMember()]);
    await left.client.expect(201, 'POST', path);
    await left.client.expect(204, 'DELETE', path);
    await joined.client.expect(201, 'POST', path);
    await waiting.client.expect(201, 'POST', path, { waitlist: true });
    const preview = await installation.administrator.expect<{ token: string }>(
      201,
      'POST',
      `/api/events/${event.id}/preview`,
    );

    /** Whether a text contains one of the secrets. Joins folded calendar lines first. */
    const tells = (text: string) =>
      [secret, onlineNote].some((each) => text.replaceAll('\r\n ', '').includes(each));
    const page = async (client: ApiClient) =>
      (await client.get<EventPage>(`/api/events/${event.id}`)).body.content;
    const addresses = [
      ...listAddresses(event),
      ...[`/api/event-previews/${preview.token}`, `/events/preview/${preview.token}`],
    ];
    const others = { waiting: waiting.client, left: left.client, outsider: outsider.client };
    expect(addresses.length).toBeGreaterThan(20);
    for (const address of addresses) {
      // A response to the registered member must not be cached for others.
      expect(await page(joined.client)).toMatchObject({ onlineUrl, onlineNote });
      for (const [who, client] of Object.entries({ visitor: installation.visitor(), ...others }))
        expect([who, address, tells((await client.get(address)).text)]).toEqual([who, address, false]);
    }
    for (const address of ['/api/events', '/api/events/public', '/api/my-events', `/events/${event.id}`])
      expect([address, tells((await joined.client.get(address)).text)]).toEqual([address, false]);

    await joined.client.expect(204, 'DELETE', path);
    expect(await page(joined.client)).toMatchObject({ onlineUrl: null, hasOnlineUrl: true });
    expect(await page(waiting.client)).toMatchObject({ onlineUrl });
  });
});
