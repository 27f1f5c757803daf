import {
  GetDoorSnapshot,
  GetEvent,
  ListGuests,
  ListPublicEvents,
  type DoorSnapshot,
  type Event,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { tally, until } from '@meetmark/testing';
import { anEvent, anEventPage } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import { RATE_LIMITS } from './rate-limits.js';

const POINTS = 50;
/** Points that a reply costs, in addition to the request's point. */
const COST = 10;
const ALLOWED = Math.ceil(POINTS / (COST + 1));

/** Returns a text that makes its reply cost `COST` points. */
const makeText = (limit: 'anonymous' | 'signed-in' | 'door') =>
  'x'.repeat(COST * RATE_LIMITS[limit].characters);

describe('the cost of replies', () => {
  const page = anEventPage();
  let asked = 0;
  let reply: () => Promise<void> = () => Promise.resolve();
  const stack = gatewayForTests({
    rateLimits: ['anonymous', 'signed-in', 'door'].map((name) => `${name}=${POINTS}/300`).join(),
    events: scenes(
      played(ListPublicEvents, async () => {
        asked += 1;
        await reply();
        const event: Event = anEvent({ description: makeText('anonymous') });
        return { items: [event], total: 1, nextCursor: null };
      }),
      played(GetEvent, () => page),
      played(ListGuests, ({ cursor }) => {
        asked += 1;
        const guest = { name: makeText('signed-in'), answers: {} };
        return { items: [guest as never], total: 2, nextCursor: cursor === undefined ? 'next' : null };
      }),
      played(GetDoorSnapshot, () => {
        asked += 1;
        const guest = { name: makeText('door'), checkedInAt: null };
        return { event: page, guests: [guest] } as unknown as DoorSnapshot;
      }),
    ),
  });
  beforeEach(() => {
    asked = 0;
    reply = () => Promise.resolve();
  });

  const from = (ip: string, more: Record<string, string> = {}) =>
    new ApiClient(stack.url, { 'x-forwarded-for': ip, ...more });
  let seconds = 0;
  const newList = () =>
    `/api/events/public?from=${encodeURIComponent(new Date((seconds += 1) * 1_000).toISOString())}`;
  const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
    const all: number[] = [];
    for (let n = 0; n < count; n += 1) all.push((await ask()).status);
    return all;
  };

  it('uses up a network’s points, so that its next request is refused before any work', async () => {
    const visitor = from('198.51.100.1');
    expect(await statuses(ALLOWED, () => visitor.get(newList()))).toEqual(Array(ALLOWED).fill(200));
    const refused = await visitor.get(newList());
    expect([refused.status, asked]).toEqual([429, ALLOWED]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from('198.51.100.2').get(newList())).status).toBe(200);
  });

  it('is charged early enough to refuse later requests of a burst', async () => {
    const visitor = from('198.51.100.6');
    const burst = await Promise.all(Array.from({ length: POINTS / 2 }, () => visitor.get(newList())));
    expect(asked).toBeLessThan(10);
    const all = tally(burst.map(({ status }) => status));
    expect(all).toEqual({ 200: asked, 429: POINTS / 2 - asked });
  });

  it('limits a network to four event lists at a time without delaying other networks', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    reply = () => released;
    const crowd = Array.from({ length: 8 }, () => from('198.51.100.7').get(newList()));
    await until('the turns of the network are taken', 60_000, async () => asked === 4);
    const other = from('198.51.100.8').get(newList());
    await until('another network has its own', 60_000, async () => asked === 5);
    release();
    expect((await other).status).toBe(200);
    await Promise.all(crowd);
  });

  it('is not charged again for a cached response', async () => {
    const path = newList();
    const cached = await statuses(POINTS - COST, () => from('198.51.100.3').get(path));
    expect([cached, asked]).toEqual([Array(POINTS - COST).fill(200), 1]);
  });

  it('is charged to a client that disconnects before the reply', async () => {
    const ip = '198.51.100.4';
    for (let n = 1; n <= ALLOWED; n += 1) {
      const leaving = new AbortController();
      let release = () => {};
      reply = () => new Promise((resolve) => (release = resolve));
      const left = fetch(stack.url + newList(), {
        headers: { 'x-forwarded-for': ip },
        signal: leaving.signal,
      });
      await until('the service is asked', 60_000, async () => asked === n);
      leaving.abort();
      await expect(left).rejects.toThrow();
      release();
    }
    await until('the refusal', 60_000, async () => (await from(ip).get('/api/config')).status === 429);
  });

  it('is charged for each page of guests that a streamed file loads', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const file = () => browser.get(`/api/admin/events/${page.id}/guests.csv`);
    const files = Math.ceil(POINTS / (2 * COST + 1));
    expect(await statuses(files + 1, file)).toEqual([...Array<number>(files).fill(200), 429]);
    expect(asked).toBe(2 * files);
  });

  it('is charged to the door link of a phone', async () => {
    const phone = (token: string) => from('198.51.100.5', { authorization: `Bearer ${token.repeat(43)}` });
    const first = phone('a');
    // A link's first request counts towards the attempts of its network, and only its reply towards the link.
    const known = await statuses(ALLOWED + 1, () => first.get('/api/door'));
    expect(known).toEqual([...Array<number>(ALLOWED).fill(200), 429]);
    expect((await phone('b').get('/api/door')).status).toBe(200);
  });
});
