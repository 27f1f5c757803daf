import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  CountRegistrations,
  DomainError,
  GetEvent,
  ListEvents,
  ListMyEvents,
  ListOwnRegistrations,
  ListPublicEvents,
  PUBLIC_EVENTS_VERSION,
  type Event,
  type Registration,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEvent, aRegistration } from '@meetmark/testing/factories/samples';
import { jest } from '@jest/globals';
import { v7 as uuid } from 'uuid';
import { isFresh, preferred } from './cached-response.js';
import { ResponseCache } from './response-cache.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';

let events: Event[] = [];
let asked = 0;
const list = played(ListPublicEvents, ({ q = '', limit }) => {
  asked += 1;
  const items = events.filter(({ title }) => title.includes(q)).slice(0, limit);
  return { items, total: events.length, nextCursor: items.length < events.length ? 'next page' : null };
});
const get = played(GetEvent, ({ eventId }, call) => {
  asked += 1;
  const event = events.find(({ id }) => id === eventId);
  if (event === undefined) throw new DomainError('EVENT_NOT_FOUND');
  return call.identity === null ? event : { ...event, title: `${event.title} for you` };
});
const registrations: Record<string, Record<string, Registration>> = {};
let ownRead = 0;
const own = played(ListOwnRegistrations, (_request, { identity }) => {
  ownRead += 1;
  return registrations[identity!.sub] ?? {};
});
const count = played(CountRegistrations, () => ({ count: 3 }));
const listAll = played(ListEvents, () => {
  asked += 1;
  return { items: [anEvent({ title: 'Draft', status: 'draft' })], total: 1, nextCursor: null };
});
const mine = played(ListMyEvents, (_request, { identity }) => {
  asked += 1;
  const items = events.filter(({ id }) => registrations[identity!.sub]?.[id] !== undefined);
  return { items, total: items.length, nextCursor: null };
});

const stack = gatewayForTests({ events: scenes(list, get, own, count, listAll, mine) });
beforeEach(async () => {
  events = [anEvent({ title: 'One' }), anEvent({ title: 'Two' }), anEvent({ title: 'Three' })];
  await stack.redis.incr(PUBLIC_EVENTS_VERSION);
  asked = 0;
});

const titles = async (path = '/api/events/public') =>
  (await stack.browser().get<Event[]>(path)).body.map(({ title }) => title);

describe('the public event list', () => {
  it('reads the public list from the service once while nothing changes', async () => {
    await Promise.all(Array.from({ length: 10 }, () => titles()));
    await titles();
    expect(asked).toBe(1);
  });

  it('always includes acknowledged changes in the public list', async () => {
    for (let n = 0; n < 5; n += 1) {
      const before = titles();
      events = [anEvent({ title: `Change ${n}` })];
      await stack.redis.incr(PUBLIC_EVENTS_VERSION);
      expect(await titles()).toEqual([`Change ${n}`]);
      await before;
    }
  });

  it('caches the public list separately for each filter', async () => {
    const [upcoming, past] = ['time=upcoming&price=free', 'time=past'];
    for (const query of [upcoming, upcoming, past, `${past}&format=online`, `${past}&format=hybrid`, past])
      await titles(`/api/events/public?${query}`);
    expect(asked).toBe(4);
  });

  it('evicts the oldest response when the cache exceeds 32 MB', async () => {
    const cache = stack.gateway.app.get(ResponseCache);
    const made: string[] = [];
    const get = (name: string) =>
      cache.get(name, async () => {
        made.push(name);
        return { bytes: 9 * 1024 * 1024 };
      });
    for (const name of ['one', 'two', 'three', 'four', 'four', 'one']) await get(name);
    expect(made).toEqual(['one', 'two', 'three', 'four', 'one']);
  });

  it.each([
    ['?q=One?', '?q=One', ['One']],
    ['#q=Nobody', '', ['One', 'Two', 'Three']],
  ])('a request with "%s" does not affect the response to "%s"', async (odd, plain, expected) => {
    // `fetch` would remove the fragment.
    const { hostname, port } = new URL(stack.url);
    const request = httpGet({ hostname, port, path: `/api/events/public${odd}` });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await text(response);
    expect(await titles(`/api/events/public${plain}`)).toEqual(expected);
  });

  it('returns the total count and a link to the next page', async () => {
    const reply = await stack.browser().get('/api/events/public?limit=2&q=a%26b&format=online');
    expect(reply.headers.get('x-total-count')).toBe('3');
    expect(reply.headers.get('link')).toBe(
      '</api/events/public?limit=2&q=a%26b&format=online&cursor=next+page>; rel="next"',
    );
    const whole = await stack.browser().get('/api/events/public');
    expect(whole.headers.get('link')).toBeNull();
  });

  it('adds a member’s registrations without reading the public list again', async () => {
    const [one, two, three] = events as [Event, Event, Event];
    one.description = 'Zwölf – 12 “Stühle”';
    const visitor = await stack.browser().get<Event[]>('/api/events/public');
    const { browser, user } = await stack.signedIn();
    const mine = (given = {}) => aRegistration({ userId: user.id, ...given });
    const [taken, waits] = [mine(), mine({ status: 'waitlisted' })];
    registrations[user.id] = {
      [one.id]: taken,
      [two.id]: waits,
      // The previous version of the service also returns cancelled registrations.
      [three.id]: mine({ status: 'cancelled' }),
      [uuid()]: mine(),
    };
    const [before, read] = [asked, ownRead];
    for (let n = 0; n < 2; n += 1) {
      const reply = await browser.get<Event[]>('/api/events/public');
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('x-total-count')).toBe('3');
      expect(reply.body).toEqual([
        { ...one, registrations: [taken], waiting: null },
        { ...two, registrations: [], waiting: { joinedAt: waits.registeredAt } },
        { ...three, registrations: [], waiting: null },
      ]);
    }
    expect([asked, ownRead]).toEqual([before, read + 1]);
    expect((await stack.browser().get<Event[]>('/api/events/public')).body).toEqual(visitor.body);
    const { browser: other } = await stack.signedIn();
    const reply = await other.get<Event[]>('/api/events/public');
    expect([reply.headers.get('cache-control'), reply.body]).toEqual(['public, no-cache', visitor.body]);
  });

  const at = (time: number) => new Date(time).toISOString();
  const beginsAt = (time: number) => ({ startDate: at(time) });
  const endsAt = (time: number) => ({ startDate: at(time - 86_400_000), endDate: at(time) });
  it.each([
    ['list', 'begins', beginsAt, () => '/api/events/public'],
    ['filtered list', 'ends', endsAt, () => '/api/events/public?time=notEnded'],
    ['feed', 'ends', endsAt, () => '/feeds/events.rss'],
    ['single event', 'begins', beginsAt, () => `/api/events/${events[0]!.id}`],
    ['single event', 'ends', endsAt, () => `/api/events/${events[0]!.id}`],
  ])('expires the cached %s when an event %s', async (_, __, dates, path) => {
    const now = Date.now();
    events = [anEvent(dates(now + 5_000)), anEvent()];
    const clock = jest.spyOn(Date, 'now');
    const askedAfter = async (seconds: number) => {
      clock.mockImplementation(() => now + seconds * 1_000);
      await stack.browser().get(path());
      return asked;
    };
    try {
      expect([await askedAfter(0), await askedAfter(4.9)]).toEqual([1, 1]);
      expect([await askedAfter(5), await askedAfter(5.9)]).toEqual([2, 3]);
      expect([await askedAfter(6.1), await askedAfter(15)]).toEqual([4, 4]);
    } finally {
      clock.mockRestore();
    }
  });

  it('shows members a new registration as soon as it is acknowledged', async () => {
    const { browser, user } = await stack.signedIn();
    const own = async () => (await browser.get<Event[]>('/api/events/public')).body[1]!.registrations;
    expect(await own()).toEqual([]);
    registrations[user.id] = { [events[1]!.id]: aRegistration({ userId: user.id }) };
    await stack.redis.incr(PUBLIC_EVENTS_VERSION);
    expect(await own()).toHaveLength(1);
  });

  it('changes the ETag when the content of the public list changes', async () => {
    const tag = (await stack.browser().get('/api/events/public')).headers.get('etag')!;
    expect((await stack.browser().get('/api/events/public', { 'if-none-match': tag })).status).toBe(304);
    events = [];
    await stack.redis.incr(PUBLIC_EVENTS_VERSION);
    expect((await stack.browser().get('/api/events/public', { 'if-none-match': tag })).status).toBe(200);
  });

  // `http/fields.spec.ts` tests the values of single fields.
  it.each(['events/public?limit=1&limit=2', 'events/public?__proto__=1', 'events?limit=0', 'my-events?a=b'])(
    'rejects the invalid list request %s',
    async (path) => {
      const reply = await (await stack.signedIn()).browser.get(`/api/${path}`);
      expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    },
  );
});

describe("a member's own lists", () => {
  it('adds registrations to the cached public list and sends it with no-store', async () => {
    const { browser, user } = await stack.signedIn();
    registrations[user.id] = { [events[1]!.id]: aRegistration({ userId: user.id }) };
    await stack.signedIn().then((other) => other.browser.get('/api/events'));
    const reply = await browser.get<Event[]>('/api/events?limit=2');
    expect(reply.headers.get('link')).toBe('</api/events?limit=2&cursor=next+page>; rel="next"');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const counts = reply.body.map(({ title, registrations }) => `${title} ${registrations.length}`);
    expect(counts).toEqual(['One 0', 'Two 1']);
    const before = asked;
    await browser.get('/api/events?limit=2');
    expect(asked).toBe(before);
  });

  it('shows drafts to administrators and reads them from the service each time', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const titlesThere = async () =>
      (await browser.get<Event[]>('/api/events')).body.map(({ title }) => title);
    expect([await titlesThere(), await titlesThere(), asked]).toEqual([['Draft'], ['Draft'], 2]);
  });

  it('caches the list of registered events per member until something changes', async () => {
    const [first, second] = [await stack.signedIn(), await stack.signedIn()];
    const fetchTitles = async ({ browser }: typeof first) =>
      (await browser.get<Event[]>('/api/my-events')).body.map(({ title }) => title);
    registrations[first.user.id] = { [events[1]!.id]: aRegistration({ userId: first.user.id }) };
    expect([await fetchTitles(first), await fetchTitles(second)]).toEqual([['Two'], []]);
    registrations[first.user.id] = {};
    expect([await fetchTitles(first), asked]).toEqual([['Two'], 2]);
    await stack.redis.incr(PUBLIC_EVENTS_VERSION);
    expect([await fetchTitles(first), asked]).toEqual([[], 3]);
  });
});

describe('a single event', () => {
  it('sends visitors a shared response for an event and members a personal one', async () => {
    const { id } = events[0]!;
    const visitor = await stack.browser().get<Event>(`/api/events/${id}`);
    expect(visitor.body.title).toBe('One');
    expect(visitor.headers.get('vary')).toContain('Cookie');
    const { browser } = await stack.signedIn();
    const member = await browser.get<Event>(`/api/events/${id}`);
    expect(member.body.title).toBe('One for you');
    expect(member.headers.get('cache-control')).toBe('no-store');
  });

  it('does not cache a 404, so a new event is found immediately', async () => {
    const event = anEvent();
    const read = () => stack.browser().get(`/api/events/${event.id}`);
    expect(await read()).toMatchObject({ status: 404, body: { message: 'Event not found' } });
    events = [event];
    expect((await read()).status).toBe(200);
  });

  it('rejects a malformed event id', async () => {
    const reply = await stack.browser().get('/api/events/7');
    expect(reply).toMatchObject({ status: 400, body: { code: 'MALFORMED_ID' } });
  });

  it('returns the number of registrations of an event', async () => {
    expect((await stack.browser().get(`/api/events/${events[0]!.id}/count`)).body).toEqual({ count: 3 });
  });
});

describe('response headers', () => {
  const TAG = 'W/"a"';
  it.each([
    ['"a"', true],
    ['W/"b", W/"a"', true],
    ['*', true],
    ['"ab"', false],
    [undefined, false],
  ])('compares the ETag with If-None-Match: %s', (header, expected) => {
    for (const others of [{}, { 'cache-control': 'no-cache' }])
      expect(isFresh({ ...others, 'if-none-match': header }, TAG)).toBe(expected);
  });

  it.each([
    ['gzip, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['*', 'br'],
    ['deflate', null],
    [undefined, null],
  ])('chooses the encoding for Accept-Encoding: %s', (header, expected) => {
    expect(preferred({ 'accept-encoding': header })).toBe(expected);
  });
});
