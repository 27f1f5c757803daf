import { ACCESS_TABLE } from '@meetmark/gateway/testing/access-table';
import { MAY } from '@meetmark/testing/access';
import type { EventPage } from '@meetmark/contracts';
import { type ApiClient, createdEvent } from '../../support/api-client.js';
import { logs } from '../support/logs.js';
import { aMember, type Person, theAdministrator, visitor } from '../support/people.js';

const SECRET = `room-${crypto.randomUUID()}`;
const NOTE = `passcode-${crypto.randomUUID()}`;

const READ = ACCESS_TABLE.filter(
  ({ method, path, access }) =>
    method === 'GET' && MAY[access].member === 'yes' && !/logout|openapi|docs|:token|:file/.test(path),
);

describe('an online event', () => {
  let administrator: ApiClient;
  let joined: Person;
  let waiting: Person;
  let left: Person;
  let outsider: Person;
  let event: EventPage;
  beforeAll(async () => {
    administrator = await theAdministrator();
    [joined, waiting, left, outsider] = [await aMember(), await aMember(), await aMember(), await aMember()];
    event = (await createdEvent(administrator, {
      title: `Linked ${crypto.randomUUID()}`,
      format: 'online',
      capacity: 1,
      waitlistEnabled: true,
      onlineUrl: `https://meet.example/${SECRET}`,
      onlineNote: NOTE,
    })) as EventPage;
    const path = `/api/events/${event.id}/register`;
    await left.client.expect(201, 'POST', path);
    await left.client.expect(204, 'DELETE', path);
    await joined.client.expect(201, 'POST', path);
    await waiting.client.expect(201, 'POST', path, { waitlist: true });
  }, 60_000);

  /** Whether a text contains one of the secrets. Joins folded calendar lines first. */
  const tells = (text: string) =>
    [SECRET, NOTE].some((secret) => text.replaceAll('\r\n ', '').includes(secret));
  const page = async ({ client }: { client: ApiClient }) =>
    (await client.get<EventPage>(`/api/events/${event.id}`)).body.content;

  it('shows its joining link to registered members and administrators', async () => {
    const seen = { onlineUrl: `https://meet.example/${SECRET}`, onlineNote: NOTE, hasOnlineUrl: true };
    for (const client of [joined.client, administrator]) expect(await page({ client })).toMatchObject(seen);
    const { headers } = await joined.client.get(`/api/events/${event.id}`);
    expect(headers.get('cache-control')).toBe('no-store');
    const feed = await joined.client.expect<{ url: string }>(201, 'POST', '/api/user/calendar-feed');
    const { text } = await visitor().get(new URL(feed.url).pathname);
    expect(tells(text)).toBe(true);
  });

  it('hides its joining link from visitors and unregistered members in every response', async () => {
    expect(READ.length).toBeGreaterThan(20);
    const others = {
      visitor: visitor(),
      ...{ waiting: waiting.client, left: left.client, outsider: outsider.client },
    };
    for (const { path } of READ) {
      const address = path.replace(':id', event.id).replace('*', '');
      const found = `${address}?${new URLSearchParams({ q: event.title })}`;
      for (const [who, client] of Object.entries(others))
        for (const asked of /^\/api\/events(\/public)?$/.test(path) ? [address, found] : [address]) {
          await page(joined);
          const { text } = await client.get(asked);
          expect([who, asked, tells(text)]).toEqual([who, asked, false]);
        }
    }
    for (const client of Object.values(others))
      expect(await page({ client })).toMatchObject({ onlineUrl: null, onlineNote: null, hasOnlineUrl: true });
  });

  it('keeps its joining link out of event lists, even for registered members', async () => {
    for (const path of ['/api/events', '/api/events/public', '/api/my-events'])
      expect(tells((await joined.client.get(path)).text)).toBe(false);
  });

  it('keeps its joining link out of its preview and HTML page', async () => {
    const { token } = await administrator.expect<{ token: string }>(
      201,
      'POST',
      `/api/events/${event.id}/preview`,
    );
    for (const address of [`/api/event-previews/${token}`, `/events/preview/${token}`, `/events/${event.id}`])
      for (const client of [visitor(), outsider.client, joined.client])
        expect([address, tells((await client.get(address)).text)]).toEqual([address, false]);
  });

  it('hides its joining link after a cancellation, and shows it after a promotion', async () => {
    await joined.client.expect(204, 'DELETE', `/api/events/${event.id}/register`);
    expect(await page(joined)).toMatchObject({ onlineUrl: null, onlineNote: null });
    expect(await page(waiting)).toMatchObject({ onlineNote: NOTE });
  });

  it('keeps its joining link out of the logs', async () => {
    const written = await logs();
    expect(written).toContain(joined.user.id);
    expect(tells(written)).toBe(false);
  });
});
