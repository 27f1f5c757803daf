import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DomainError,
  CountRegistrations,
  FindEvent,
  GetBanner,
  GetDoorSnapshot,
  GetEvent,
  ListPublicEvents,
  WalkIn,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { inTurns, tally, until } from '@meetmark/testing';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import type { FastifyRequest } from 'fastify';
import { SHARED_BUDGETS } from '../http/shared-budgets.js';
import { network, subscriber, wideNetwork, type CountedNetwork } from '../networks.js';
import { checkPassword, gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';
import { AccountTurns } from './account-turns.js';
import { DoorLinks } from './door-links.js';
import { RateLimiter } from './rate-limiter.js';
import { RATE_LIMITS, rateLimits } from './rate-limits.js';

describe('rate limits by network', () => {
  const shown = (networks: CountedNetwork[]) => networks.map(({ key, share }) => `${key} ×${share}`);

  it.each([
    ['203.0.113.7', ['203.0.113.7 ×1'], ['203.0.113.0/24 ×1']],
    ['::ffff:203.0.113.7', ['203.0.113.7 ×1'], ['203.0.113.0/24 ×1']],
    ['unknown', ['unknown ×1'], ['unknown ×1']],
  ])('count %s by IP address, but by network for attempts on one account', (ip, one, around) => {
    expect([shown(subscriber(ip)), shown(network(ip))]).toEqual([one, around]);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48'],
    ['2001:0DB8:0001:12ff::1', '2001:db8:1:12ff::/64', '2001:db8:1:1200::/56', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48'],
  ])('give larger networks of the IPv6 address %s higher limits', (ip, narrow, wide, widest) => {
    const counted = [`${narrow} ×1`, `${wide} ×4`, `${widest} ×16`];
    expect([shown(subscriber(ip)), shown(network(ip))]).toEqual([counted, counted]);
  });

  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
  ])('count %s in the wide network %s', (ip, wide) => {
    expect(wideNetwork(ip)).toBe(wide);
  });
});

describe('the configured limits', () => {
  it('are a thousand times higher in the test profile', () => {
    expect(rateLimits('test')['sign-up']).toEqual({ points: 5_000, seconds: 1_800 });
  });

  it('can be changed individually', () => {
    const changed = rateLimits('standard', 'sign-up=7/60, anonymous=1/1');
    expect(changed).toEqual({
      ...RATE_LIMITS,
      'sign-up': { points: 7, seconds: 60 },
      anonymous: { ...RATE_LIMITS.anonymous, points: 1, seconds: 1 },
    });
  });

  it.each(['sign-up', 'sign-up=0/60', 'sign-up=x', 'nothing=1/1', 'toString=1/1'])(
    'are not changed by the invalid setting %s',
    (changes) => {
      expect(() => rateLimits('standard', changes)).toThrow(changes);
    },
  );
});

const TOKEN = 'd'.repeat(43);
const event = anEventPage();
/** Requests that reached a service. */
let asked: string[] = [];
let evaluated = 0;
let held: Promise<void> | undefined;
const note =
  <Request extends object, Answer>(name: string, answer: (request: Request) => Answer) =>
  (request: Request) => {
    asked.push(name);
    return answer(request);
  };
const missing = (code: 'PICTURE_NOT_FOUND' | 'EVENT_NOT_FOUND') => () => {
  throw new DomainError(code);
};
const atDoor = ({ token }: { token: string }) => {
  if (token !== TOKEN) throw new DomainError('DOOR_LINK_ENDED');
  return { event, counts: { expected: 0, in: 0 }, guests: [] } as never;
};

const LIMITS = [
  ...['sign-in-failures=2/900', 'sign-in-failures-anywhere=40/3600', 'sign-in-attempts=8/300'],
  ...['anonymous=40/300', 'pages=40/300', 'misses=5/300', 'door-tries=6/300'],
];
const stack = gatewayForTests({
  rateLimits: LIMITS.join(),
  signIn: async (request, users) => {
    evaluated += 1;
    await held;
    return checkPassword(request, users);
  },
  events: scenes(
    played(GetDoorSnapshot, note('door', atDoor)),
    played(WalkIn, note('door', atDoor)),
    played(
      GetEvent,
      note('event', ({ eventId }) => (eventId === event.id ? event : missing('EVENT_NOT_FOUND')())),
    ),
    played(FindEvent, note('event', missing('EVENT_NOT_FOUND'))),
    played(GetBanner, note('banner', missing('PICTURE_NOT_FOUND'))),
    played(CountRegistrations, () => ({ count: 0 })),
    played(ListPublicEvents, () => ({ items: [event], total: 1, nextCursor: null })),
  ),
});
const { all } = SHARED_BUDGETS.passwords;
beforeEach(() => {
  asked = [];
  evaluated = 0;
  held = undefined;
});
afterEach(() => {
  SHARED_BUDGETS.passwords.all = all;
});

/** Number of concurrent requests in a flood. */
const AT_ONCE = 5;
const client = (ip: string, more: Record<string, string> = {}) =>
  new ApiClient(stack.url, { 'x-forwarded-for': ip, accept: '*/*', ...more });
const signIn = (who: ApiClient, email: string, password = 'wrong') =>
  who.post<{ code: string }>('/api/login', { email, password });
const together = (count: number, ask: (n: number) => Promise<{ status: number }>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
const statuses = (replies: { status: number }[]) => tally(replies.map(({ status }) => status));
const many = async (count: number, ask: (n: number) => Promise<{ status: number }>) =>
  statuses(await inTurns(Array.from({ length: count }), AT_ONCE, (_, n) => ask(n)));
const keys = () => stack.redis.keys('limit:*');
const newKeys = async (before: string[]) => (await keys()).filter((key) => !before.includes(key));

describe('the limits of a gateway', () => {
  it('allow two of twelve simultaneous wrong passwords from one network', async () => {
    const user = await stack.addUser();
    const replies = await together(12, (n) => signIn(client(`198.51.100.${n}`), user.email));
    expect([statuses(replies), evaluated]).toEqual([{ 401: 2, 429: 10 }, 2]);
    const { body, headers } = await signIn(client('198.51.100.99'), user.email, PASSWORD);
    expect(body.code).toBe('RATE_LIMITED');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900);
    // The owner can still sign in from another network.
    expect((await signIn(client('203.0.113.1'), user.email, PASSWORD)).status).toBe(200);
  });

  it('allow 32 guesses from all networks of one IPv6 subscriber', async () => {
    const user = await stack.addUser();
    const getIp = (n: number) => `2001:db8:9:${(n * 256).toString(16)}::1`;
    const replies = await together(40, (n) => signIn(client(getIp(n)), user.email));
    expect([statuses(replies), evaluated]).toEqual([{ 401: 32, 429: 8 }, 32]);
  });

  it('allow one guess per second after many failures without locking out the owner', async () => {
    const user = await stack.addUser();
    const known = client('192.0.2.60');
    await signIn(known, user.email, PASSWORD);
    await known.post('/api/logout');
    const guess = (n: number) => signIn(client(`203.0.${n}.1`), user.email);
    expect(await many(40, guess)).toEqual({ 401: 40 });
    evaluated = 0;
    const began = Date.now();
    const guesses = together(12, (n) => guess(100 + n));
    const isTurn = (key: string) => key.startsWith('limit:turn:');
    await until('a turn', 60_000, async () => (await keys()).some(isTurn));
    expect((await keys()).filter((key) => key.includes('@'))).toEqual([]);
    const seen = statuses(await guesses);
    const seconds = (Date.now() - began) / 1_000;
    expect(evaluated).toBeGreaterThanOrEqual(1);
    expect(evaluated).toBeLessThanOrEqual(1 + seconds);
    expect(seen).toEqual({ 401: evaluated, 429: 12 - evaluated });
    expect((await signIn(client('192.0.2.70'), user.email, PASSWORD)).status).toBe(200);
    await together(3, () => signIn(client('192.0.2.60'), user.email));
    expect((await signIn(known, user.email, PASSWORD)).status).toBe(200);
  });

  it('count a known browser separately only for the account it has signed in to', async () => {
    const [user, other] = [await stack.addUser(), await stack.addUser()];
    const browser = client('192.0.2.61');
    await signIn(browser, user.email, PASSWORD);
    expect(statuses(await together(3, () => signIn(browser, user.email)))).toEqual({ 401: 2, 429: 1 });
    await together(3, () => signIn(client('192.0.2.62'), other.email));
    expect((await signIn(browser, other.email)).status).toBe(429);
  });

  it('count different spellings of an email address as one', async () => {
    const { email } = await stack.addUser();
    const spellings = [email, email.toUpperCase(), ` ${email}`];
    const replies = await together(3, (n) => signIn(client('192.0.2.63'), spellings[n]!));
    expect(statuses(replies)).toEqual({ 401: 2, 429: 1 });
  });

  it('trust X-Forwarded-For only for the configured number of proxies', async () => {
    // All are IP addresses of one IPv6 subscriber.
    const getIp = (n: number) => `10.9.${n}.1, 2001:db8:7:7::${n + 1}`;
    const replies = await together(9, (n) => signIn(client(getIp(n)), `guess-${n}@example.com`));
    expect(statuses(replies)).toEqual({ 401: 8, 429: 1 });
  });

  it('allow exactly 40 of 60 simultaneous requests, and count members separately', async () => {
    const replies = await together(60, () => client('192.0.2.88').get('/api/config'));
    expect(statuses(replies)).toEqual({ 200: 40, 429: 20 });
    const { browser } = await stack.signedIn({}, { 'x-forwarded-for': '192.0.2.89' });
    expect((await browser.get('/api/user', { 'x-forwarded-for': '192.0.2.88' })).status).toBe(200);
  });

  it('refuse password checks immediately when the gateway has too many', async () => {
    SHARED_BUDGETS.passwords.all = 6;
    let letGo = (): void => undefined;
    held = new Promise((resolve) => (letGo = resolve));
    const codes: string[] = [];
    await together(8, async (n) => {
      const reply = await signIn(client(`192.0.4.${n}`), `someone-${n}@example.com`);
      codes.push(reply.body.code);
      if (codes.length === 2) letGo();
      return reply;
    });
    expect(codes.slice(0, 2)).toEqual(Array(2).fill('SERVICE_OVERLOADED'));
    expect(codes.slice(2)).toEqual(Array(6).fill('CREDENTIALS_INCORRECT'));
  });
});

it('a correct password leaves no failures counted, and Redis keys contain no email addresses', async () => {
  const { email } = await stack.addUser();
  const before = await keys();
  for (let browser = 0; browser < 3; browser += 1) await signIn(client('192.0.2.64'), email, PASSWORD);
  const counted = (await newKeys(before)).filter((key) => key.startsWith('limit:sign-in-failures'));
  expect(await stack.redis.mget(counted)).toEqual(['0', '0']);
  await signIn(client('192.0.2.64'), email);
  expect(await stack.redis.mget(counted)).toEqual(['1', '1']);
  expect((await keys()).filter((key) => key.includes('@'))).toEqual([]);
});

describe('sign-in turns of an account', () => {
  const HOME = '192.0.2.7';
  const run = <T>(account: string, ip: string, attempt: () => Promise<T>) =>
    stack.gateway.app.get(AccountTurns).run(account, ip, attempt);

  it('start at least a second apart', async () => {
    const began = Date.now();
    for (let turn = 0; turn < 2; turn += 1) await run('bob', HOME, async () => undefined);
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
  });

  it('allow one waiting attempt per network, so that the owner can wait too', async () => {
    let end = (): void => undefined;
    const running = run('eve', HOME, () => new Promise<void>((resolve) => (end = resolve)));
    const [first, ...others] = [1, 2, 3].map((n) => run('eve', `2001:db8:1:${n}::1`, async () => 'in'));
    const owner = run('eve', '203.0.113.1', async () => 'in');
    for (const each of others) await expect(each).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(Promise.race([owner, first, pause(300, 'both wait')])).resolves.toBe('both wait');
    end();
    await Promise.allSettled([running, owner, first]);
  });
});

describe('a request for a missing resource', () => {
  it.each([
    ['events', '198.51.102.1', '/events/'],
    ['short URLs of events', '198.51.102.2', '/e/'],
  ])('counts as a miss only for its client: %s', async (_, ip, path) => {
    expect(await many(20, () => client(ip).get(path + randomUUID()))).toEqual({ 404: 5, 429: 15 });
    expect(asked.length).toBeLessThanOrEqual(5 + AT_ONCE);
    for (const each of ['203.0.113.9', ip])
      expect((await client(each).get(`/events/${event.id}`)).status).toBe(200);
    expect((await client('203.0.113.9').get(path + randomUUID())).status).toBe(404);
  });

  it('reaches the service once, and later gets a cached 404', async () => {
    for (const path of [
      `/events/${randomUUID()}`,
      `/media/banners/${randomBytes(32).toString('hex')}.webp`,
    ]) {
      asked = [];
      for (let n = 0; n < 3; n += 1) expect((await client('203.0.113.10').get(path)).status).toBe(404);
      expect(asked).toHaveLength(1);
    }
  });
});

describe('the request limits of a network', () => {
  const invented = () => randomBytes(32).toString('base64url');
  const PAGES = ['/e/:slug', '/events/:id', '/manifest.webmanifest', '/*'];
  const MEDIA = ['avatars', 'banners', 'community', 'maps', 'gallery', 'patterns', 'share'];
  const phone = (ip: string, token: string) => client(ip, { authorization: `Bearer ${token}` });

  it('are declared by every route as this file expects', () => {
    const expected: Record<string, string | null> = {
      ...Object.fromEntries(['', '/check-ins', '/walk-ins'].map((call) => [`/api/door${call}`, 'door'])),
      ...Object.fromEntries(PAGES.map((path) => [path, 'pages'])),
      ...Object.fromEntries(MEDIA.map((kind) => [`/media/${kind}/:file`, 'media'])),
      ...{ '/favicon.svg': null, '/icons/:file': null },
    };
    const { routes } = stack.gateway.inventory;
    const others = routes
      .filter(({ limit }) => limit !== 'anonymous')
      .map(({ path, limit }) => [path, limit]);
    expect(Object.fromEntries(others)).toEqual(expected);
  });

  it('refuse invented door links without storing Redis keys for them', async () => {
    const ip = '198.51.100.10';
    const at = new Date().toISOString();
    const item = () => ({ key: randomUUID(), name: 'Wanda', at, sentAt: at, email: 'wanda@example.org' });
    const calls = [
      () => phone(ip, invented()).get('/api/door'),
      () => phone(ip, invented()).post('/api/door/walk-ins', item()),
      () => phone(ip, '').get('/api/door'),
    ];
    const before = await keys();
    expect(await many(18, (n) => calls[n % 3]!())).toEqual({ 401: 6, 429: 12 });
    expect(asked.length).toBeLessThanOrEqual(6);
    const added = await newKeys(before);
    expect(added.filter((key) => key.startsWith('limit:door:'))).toEqual([]);
    expect(added.filter((key) => key.startsWith('limit:walk-in-mails:')).length).toBeLessThanOrEqual(1);
    asked = [];
    expect(await many(6, (n) => calls[n % 3]!())).toEqual({ 429: 6 });
    expect([asked, await newKeys([...before, ...added])]).toEqual([[], []]);
  });

  it('accept a known door link on every gateway while someone guesses links', async () => {
    const ip = '198.51.100.11';
    expect((await phone(ip, TOKEN).get('/api/door')).status).toBe(200);
    expect((await many(15, () => phone(ip, invented()).get('/api/door')))[429]).toBeGreaterThan(0);
    expect((await phone(ip, TOKEN).get('/api/door')).status).toBe(200);
    const elsewhere = new DoorLinks(stack.gateway.app.get(RateLimiter));
    const ask = (token: string) =>
      elsewhere.count({ ip, headers: { authorization: `Bearer ${token}` } } as FastifyRequest);
    await expect(ask(TOKEN)).resolves.toBeUndefined();
    await expect(ask(invented())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('refuse requests for invented pages and images without filling Redis', async () => {
    const ip = '198.51.100.12';
    const before = await keys();
    const found = await many(15, () => client(ip).get(`/events/${randomUUID()}`));
    expect(found[404]).toBeLessThanOrEqual(5);
    asked = [];
    const pictures = () => client(ip).get(`/media/banners/${randomBytes(32).toString('hex')}.webp`);
    expect(await many(10, pictures)).toEqual({ 429: 10 });
    expect([asked, await newKeys(before)]).toEqual([[], [`limit:misses:${ip}`]]);
    const pages = await many(40, () => client(ip).get(`/nothing/${invented()}`));
    expect(pages).toEqual({ 404: 25, 429: 15 });
    expect((await client(ip).get(`/events/${event.id}`)).status).toBe(429);
    expect((await client(ip).get('/app.js')).status).toBe(200);
    // Unlike other files, `.html` files count as pages.
    expect((await client(ip).get('/help/members.html')).status).toBe(429);
    expect((await client('198.51.100.13').get('/nothing')).status).toBe(404);
  });

  it('are high enough for two door phones and sixty guests', () => {
    const { pages, anonymous, door } = RATE_LIMITS;
    for (const name of ['code-requests', 'code-attempts'] as const)
      expect(RATE_LIMITS[name].points).toBeGreaterThanOrEqual(60);
    expect(pages.points).toBeGreaterThan(60 * 2);
    expect(anonymous.points).toBeGreaterThan(60 * 10);
    expect(door.points).toBeGreaterThan(2 * 150);
  });
});
