import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { inTurns, tally, startRedis, type PrivateRedis, until } from '@meetmark/testing';
import { ApiClient } from '@meetmark/testing/http-client';
import { Logger } from '@nestjs/common';
import {
  DomainError,
  CountRegistrations,
  FindEvent,
  GetAvatar,
  GetBanner,
  GetEvent,
  GetEventPreview,
  HasAvatar,
  ListPublicEvents,
  CheckIn,
  GetDoorSnapshot,
  WalkIn,
} from '@meetmark/contracts';
import { createClient } from 'redis';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { Redis } from 'ioredis';
import {
  builtWeb,
  FIRST_PAINT,
  checkPassword,
  gatewayForTests,
  openTestGateway,
  PASSWORD,
  type TestGateway,
} from '../testing/open-test-gateway.js';
import { network, subscriber, wideNetwork, type CountedNetwork } from '../networks.js';
import { RATE_LIMITS, rateLimits } from './rate-limits.js';
import type { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { AccountTurns } from './account-turns.js';

/** Number of concurrent requests, which admission control accepts on any machine. */
const AT_ONCE = 100;

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
  it('equal RATE_LIMITS in the standard profile', () => {
    expect(rateLimits('standard')).toEqual(RATE_LIMITS);
  });

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

describe('the limits of a gateway', () => {
  let evaluated = 0;
  const stack = gatewayForTests({
    config: { rateLimitProfile: 'standard', trustedProxies: 1 },
    signIn: (request, users) => {
      evaluated += 1;
      return checkPassword(request, users);
    },
  });
  beforeEach(() => (evaluated = 0));

  const from = (ip: string, browser: ApiClient = stack.browser()) =>
    Object.assign(browser, { defaults: { 'x-forwarded-for': ip } });
  const signIn = (browser: ApiClient, email: string, password: string) =>
    browser.post('/api/login', { email, password });

  it('allow ten of forty simultaneous wrong passwords from one network', async () => {
    const user = await stack.addUser();
    const replies = await inTurns(Array.from({ length: 40 }), AT_ONCE, (_, n) =>
      signIn(from(`198.51.100.${n}`), user.email, `wrong ${n}`),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 401: 10, 429: 30 });
    expect(evaluated).toBe(10);
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
  });

  it('let the owner sign in from another network during an attack', async () => {
    const user = await stack.addUser();
    for (let n = 0; n < 12; n += 1) await signIn(from('192.0.2.1'), user.email, 'wrong');
    expect((await signIn(from('192.0.2.1'), user.email, PASSWORD)).status).toBe(429);
    expect((await signIn(from('203.0.113.1'), user.email, PASSWORD)).status).toBe(200);
  });

  it('allow at most 160 guesses from all networks of one IPv6 subscriber', async () => {
    const user = await stack.addUser();
    const replies = await inTurns(Array.from({ length: 200 }), AT_ONCE, (_, n) =>
      signIn(from(`2001:db8:9:${n.toString(16)}::1`), user.email, `wrong ${n}`),
    );
    expect(evaluated).toBeLessThanOrEqual(160);
    const seen = tally(replies.map(({ status }) => status));
    expect(seen[401]).toBeGreaterThan(0);
    expect(seen[401]).toBeLessThanOrEqual(evaluated);
    // The rate limit or admission control refused the others.
    expect(Object.keys(seen).filter((status) => !['401', '429', '503'].includes(status))).toEqual([]);
  });

  it('allow one guess per second after a hundred failures without locking out the owner', async () => {
    const user = await stack.addUser();
    const guess = (n: number) => signIn(from(`203.0.${n}.1`), user.email, `wrong ${n}`);
    // A busy machine refuses some requests as overloaded, and these don't count as guesses.
    for (let n = 0; evaluated < 100; n += 10)
      await Promise.all(
        Array.from({ length: Math.min(10, 100 - evaluated) }, (_, of) => guess((n + of) % 100)),
      );
    const began = Date.now();
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => guess(100 + n)));
    const seconds = (Date.now() - began) / 1_000;
    const judged = evaluated - 100;
    expect(judged).toBeGreaterThanOrEqual(1);
    expect(judged).toBeLessThanOrEqual(1 + seconds);
    const seen = tally(replies.map(({ status }) => status));
    expect(seen[401]).toBe(judged);
    expect(Object.keys(seen).filter((status) => !['401', '429', '503'].includes(status))).toEqual([]);
    for (let browser = 0; browser < 3; browser += 1)
      expect((await signIn(from(`192.0.2.${70 + browser}`), user.email, PASSWORD)).status).toBe(200);
  });

  it('let a known browser sign in without delay despite many guesses', async () => {
    const user = await stack.addUser();
    const owner = from('192.0.2.60');
    await signIn(owner, user.email, PASSWORD);
    await owner.post('/api/logout');
    await inTurns(Array.from({ length: 130 }), 20, (_, n) =>
      signIn(from(`198.18.${n % 100}.9`), user.email, 'wrong'),
    );
    await inTurns(Array.from({ length: 30 }), 30, () => signIn(from('192.0.2.60'), user.email, 'wrong'));
    expect((await signIn(owner, user.email, PASSWORD)).status).toBe(200);
  });

  it('count a known browser separately only for the account it has signed in to', async () => {
    const [user, other] = [await stack.addUser(), await stack.addUser()];
    const browser = from('192.0.2.61');
    await signIn(browser, user.email, PASSWORD);
    const guesses = async (email: string) => {
      const statuses: number[] = [];
      for (let n = 0; n < 11; n += 1) statuses.push((await signIn(browser, email, 'wrong')).status);
      return statuses;
    };
    expect(tally(await guesses(user.email))).toEqual({ 401: 10, 429: 1 });
    await inTurns(Array.from({ length: 11 }), 11, () => signIn(from('192.0.2.62'), other.email, 'wrong'));
    expect((await signIn(browser, other.email, 'wrong')).status).toBe(429);
  });

  it('count different spellings of an email address as one', async () => {
    const user = await stack.addUser();
    const spellings = [user.email, user.email.toUpperCase(), ` ${user.email}`];
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push((await signIn(from('192.0.2.63'), spellings[n % 3]!, 'wrong')).status);
    expect(tally(statuses)).toEqual({ 401: 10, 429: 2 });
  });

  it('do not count successful sign-ins', async () => {
    const user = await stack.addUser();
    const browser = from('192.0.2.50');
    for (let n = 0; n < 15; n += 1) expect((await signIn(browser, user.email, PASSWORD)).status).toBe(200);
  });

  it('count all IP addresses of one IPv6 subscriber together', async () => {
    const replies = await Promise.all(
      Array.from({ length: 26 }, (_, n) =>
        signIn(from(`2001:db8:7:7::${n + 1}`), `someone-${n}@example.com`, 'x'),
      ),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 401: 25, 429: 1 });
  });

  it('trust X-Forwarded-For only for the configured number of proxies', async () => {
    const browser = stack.browser();
    const attempt = (n: number) =>
      browser.post(
        '/api/login',
        { email: `guess-${n}@example.com`, password: 'x' },
        {
          'x-forwarded-for': `10.9.${n}.1, 192.0.2.99`,
        },
      );
    const replies = await Promise.all(Array.from({ length: 26 }, (_, n) => attempt(n)));
    expect(tally(replies.map(({ status }) => status))).toEqual({ 401: 25, 429: 1 });
  });

  it('allow exactly 100 of 130 simultaneous requests, and count members separately', async () => {
    const { url } = await stack.another({ rateLimits: 'anonymous=100/300' });
    const replies = await inTurns(Array.from({ length: 130 }), AT_ONCE, () =>
      from('192.0.2.88', new ApiClient(url, {})).get('/api/config'),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 100, 429: 30 });
    const { browser } = await stack.signedIn();
    expect((await from('192.0.2.88', Object.assign(browser, { url })).get('/api/user')).status).toBe(200);
  });

  it('still apply while Redis is unavailable', async () => {
    const cut = await stack.another({ redisUrl: 'redis://127.0.0.1:1/0' });
    const browser = from('192.0.2.11', new ApiClient(cut.url, {}));
    const together = async (emails: string[]) =>
      tally(
        (await Promise.all(emails.map((email) => signIn(browser, email, 'x')))).map(({ status }) => status),
      );
    // None of these count as failures, because it is unknown whether the password was wrong.
    for (const count of [10, 10])
      expect(await together(Array(count).fill('someone@example.com'))).toEqual({ 503: count });
    const others = Array.from({ length: 8 }, (_, n) => `x${n}@example.com`);
    expect(await together(others)).toEqual({ 503: 5, 429: 3 });
  });
});

const HOME = '192.0.2.7';

describe('sign-in turns of an account', () => {
  let server: PrivateRedis;
  let redis: GatewayRedis;
  let turns: AccountTurns;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await startRedis();
    redis = new GatewayRedis({ redisUrl: server.urlFor('gateway') } as GatewayConfig);
    turns = new AccountTurns(redis);
    if (redis.client.status !== 'ready') await once(redis.client, 'ready');
  });
  afterAll(async () => {
    redis.onApplicationShutdown();
    await server.stop();
  });

  it('start at least a second apart', async () => {
    const began = Date.now();
    for (let turn = 0; turn < 3; turn += 1) await turns.run('bob', HOME, async () => undefined);
    expect(Date.now() - began).toBeGreaterThanOrEqual(2_000);
  });

  it('allow one waiting attempt per network, so that the owner can wait too', async () => {
    let end = (): void => undefined;
    const running = turns.run('eve', HOME, () => new Promise<void>((resolve) => (end = resolve)));
    const flood = Array.from({ length: 30 }, (_, n) =>
      turns.run('eve', `2001:db8:1:${n}::1`, async () => 'in'),
    );
    const owner = turns.run('eve', '203.0.113.1', async () => 'in');
    for (const each of flood.slice(1)) await expect(each).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(Promise.race([owner, flood[0], pause(300, 'both wait')])).resolves.toBe('both wait');
    end();
    await Promise.allSettled([running, owner, flood[0]]);
  });

  it('complete a running attempt but start no other while Redis is down', async () => {
    const attempts: string[] = [];
    const attempt = async (name: string) => {
      attempts.push(name);
      return name;
    };
    const losing = turns.run('ada', HOME, async () => {
      const closed = once(redis.client, 'close');
      await server.kill('SIGKILL');
      await closed;
      return attempt('first');
    });
    await expect(losing).resolves.toBe('first');
    await expect(turns.run('ada', HOME, () => attempt('second'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(attempts).toEqual(['first']);
  });
});

describe('the limits of simultaneous password checks', () => {
  let letGo: () => void;
  let asked = 0;
  let held: Promise<void>;
  beforeEach(() => {
    held = new Promise((resolve) => (letGo = resolve));
  });
  const stack = gatewayForTests({
    config: { trustedProxies: 1 },
    signIn: async () => {
      asked += 1;
      await held;
      throw new DomainError('CREDENTIALS_INCORRECT');
    },
  });

  it('allow four checks per network without delaying other networks', async () => {
    const from = (ip: string, n: number) =>
      stack
        .browser()
        .post('/api/login', { email: `one-${n}@example.com`, password: 'wrong' }, { 'x-forwarded-for': ip });
    asked = 0;
    const crowd = Array.from({ length: 60 }, (_, n) => from('198.51.100.7', n));
    await until('the share of the network is used up', 60_000, async () => asked === 4);
    const other = from('203.0.113.9', 60);
    await until('another network has its own', 60_000, async () => asked === 5);
    letGo();
    // On slow machines, some attempts wait too long and are refused (tested in body.spec.ts).
    const answers = (await Promise.all(crowd)).map(({ status }) => status);
    const looked = answers.filter((status) => status === 401).length;
    expect([looked, looked >= 4]).toEqual([asked - 1, true]);
    expect(answers.filter((status) => ![401, 503].includes(status))).toEqual([]);
    expect((await other).status).toBe(401);
  });

  it('allow forty checks per gateway and refuse others immediately', async () => {
    const codes: unknown[] = [];
    const attempts = Array.from({ length: 50 }, async (_, n) => {
      const fields = { email: `someone-${n}@example.com`, password: 'wrong' };
      const from = { 'x-forwarded-for': `192.0.2.${n}` };
      const { body } = await stack.browser().post('/api/login', fields, from);
      codes.push((body as { code: string }).code);
      if (codes.length === 10) letGo();
    });
    await Promise.all(attempts);
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('SERVICE_OVERLOADED'));
    expect(codes.slice(10)).toEqual(Array(40).fill('CREDENTIALS_INCORRECT'));
  });
});

it('a correct password leaves no failures counted, and Redis keys contain no email addresses', async () => {
  const stack = await openTestGateway({
    config: { rateLimitProfile: 'standard', rateLimits: 'sign-in-failures-anywhere=1/900' },
  });
  const redis = createClient({ url: stack.redisOwnerUrl });
  await redis.connect();
  try {
    const { email: owner } = await stack.addUser();
    for (let browser = 0; browser < 3; browser += 1)
      await stack.browser().post('/api/login', { email: owner, password: PASSWORD });
    const [failures, anywhere] = await Promise.all(
      ['sign-in-failures', 'sign-in-failures-anywhere'].map(async (name) => {
        const counted = await redis.keys(`limit:${name}:*`);
        return Promise.all(counted.map((key) => redis.get(key)));
      }),
    );
    expect([failures, anywhere]).toEqual([['0'], ['0']]);
    const email = `counted-${Date.now()}@people.example`;
    for (let attempt = 0; attempt < 3; attempt += 1)
      await stack.browser().post('/api/login', { email, password: 'wrong' });
    const keys = await redis.keys('limit:*');
    expect(keys.filter((key) => /^limit:(sign-in-failures|turn)/.test(key)).length).toBeGreaterThan(2);
    expect(keys.filter((key) => key.includes('@'))).toEqual([]);
  } finally {
    redis.destroy();
    await stack.close();
  }
});

describe('the limit of misses', () => {
  const points = 20;
  const ASKED = 3 * points;
  const AT_ONCE = 10;

  describe('a request for a missing resource', () => {
    const event = anEventPage();
    let calls = 0;
    let root: string;
    let stack: TestGateway;
    const nowhere = (code: 'PICTURE_NOT_FOUND' | 'EVENT_NOT_FOUND') => () => {
      calls += 1;
      throw new DomainError(code);
    };
    beforeAll(async () => {
      root = builtWeb({ '.vite/first-paint.json': { ...FIRST_PAINT, event: '{{title}}' } });
      stack = await openTestGateway({
        config: {
          ...{ webRoot: root, trustedProxies: 1 },
          ...{ rateLimitProfile: 'standard', rateLimits: `misses=${points}/300` },
        },
        auth: scenes(
          played(GetAvatar, nowhere('PICTURE_NOT_FOUND')),
          played(HasAvatar, () => {
            calls += 1;
            return false;
          }),
        ),
        events: scenes(
          played(GetEvent, ({ eventId }) => (eventId === event.id ? event : nowhere('EVENT_NOT_FOUND')())),
          played(FindEvent, nowhere('EVENT_NOT_FOUND')),
          played(GetEventPreview, nowhere('EVENT_NOT_FOUND')),
          played(GetBanner, nowhere('PICTURE_NOT_FOUND')),
          played(CountRegistrations, () => ({ count: 0 })),
          played(ListPublicEvents, () => ({ items: [event], total: 1, nextCursor: null })),
        ),
      });
    });
    afterAll(async () => {
      await stack.close();
      rmSync(root, { recursive: true });
    });
    beforeEach(() => (calls = 0));

    const from =
      (ip: string) =>
      async (path: string, headers: Record<string, string> = {}) =>
        (await fetch(stack.url + path, { headers: { 'x-forwarded-for': ip, accept: '*/*', ...headers } }))
          .status;
    const hash = () => randomBytes(32).toString('hex');

    it.each<[string, string, () => [string, Record<string, string>?]]>([
      ['events', '198.51.100.1', () => [`/events/${randomUUID()}`]],
      ['short URLs of events', '198.51.100.6', () => [`/e/${randomUUID()}`]],
      ['slugs in the API', '198.51.100.7', () => [`/api/event-slugs/${randomUUID()}`]],
      ['avatars', '198.51.100.2', () => [`/media/avatars/${hash()}.webp`]],
      ['banners', '198.51.100.3', () => [`/media/banners/${hash()}.webp`]],
      ['previews', '198.51.100.5', () => [`/api/event-previews/${randomBytes(32).toString('base64url')}`]],
      [
        'avatars with If-None-Match',
        '198.51.100.4',
        () => {
          const name = hash();
          return [`/media/avatars/${name}.webp`, { 'if-none-match': `"${name}"` }];
        },
      ],
    ])('counts as a miss only for its client: %s', async (_, ip, any) => {
      const statuses = await inTurns(Array.from({ length: ASKED }), AT_ONCE, () => from(ip)(...any()));
      const found = tally(statuses);
      expect(found[404]).toBe(points);
      expect(found[429]).toBe(ASKED - points);
      expect(calls).toBeLessThanOrEqual(points + AT_ONCE);
      expect(await from('203.0.113.9')(`/events/${event.id}`)).toBe(200);
      expect(await from(ip)(`/events/${event.id}`)).toBe(200);
      expect(await from('203.0.113.9')(`/events/${randomUUID()}`)).toBe(404);
    });

    it('reaches the service once, and later gets a cached 404', async () => {
      for (const path of [`/events/${randomUUID()}`, `/media/banners/${hash()}.webp`]) {
        calls = 0;
        for (let n = 0; n < 5; n += 1) expect(await from('203.0.113.10')(path)).toBe(404);
        expect(calls).toBe(1);
      }
    });
  });
});

describe('the request limits of a network', () => {
  const AT_ONCE = 20;
  const TOKEN = 'd'.repeat(43);
  const invented = () => randomBytes(32).toString('base64url');

  const OTHERS: Record<string, string | null> = {
    '/api/door': 'door',
    '/api/door/check-ins': 'door',
    '/api/door/walk-ins': 'door',
    '/e/:slug': 'pages',
    '/events/:id': 'pages',
    '/manifest.webmanifest': 'pages',
    '/*': 'pages',
    '/media/avatars/:file': 'media',
    '/media/banners/:file': 'media',
    '/media/community/:file': 'media',
    '/media/maps/:file': 'media',
    '/media/gallery/:file': 'media',
    '/media/patterns/:file': 'media',
    '/media/share/:file': 'media',
    '/favicon.svg': null,
    '/icons/:file': null,
  };

  const event = anEventPage();
  let asked: string[] = [];
  let root: string;
  let stack: TestGateway;
  let redis: Redis;
  const note =
    <Request extends object, Answer>(name: string, answer: (request: Request) => Answer) =>
    (request: Request) => {
      asked.push(name);
      return answer(request);
    };
  const opened = ({ token }: { token: string }) => {
    if (token !== TOKEN) throw new DomainError('DOOR_LINK_ENDED');
  };
  beforeAll(async () => {
    root = builtWeb({ 'app.js': 'export {};' });
    stack = await openTestGateway({
      config: { webRoot: root, rateLimitProfile: 'standard', trustedProxies: 1 },
      events: scenes(
        played(
          GetDoorSnapshot,
          note('door', (request) => {
            opened(request);
            const { id, title, startDate, endDate } = event;
            return {
              event: { id, title, startDate, endDate, cancelled: false },
              expiresAt: endDate,
              counts: { expected: 0, in: 0 },
              guests: [],
            } as never;
          }),
        ),
        played(
          CheckIn,
          note('door', (request) => {
            opened(request);
            return [];
          }),
        ),
        played(
          WalkIn,
          note('door', (request) => {
            opened(request);
            return { key: request.key, result: 'ok' } as never;
          }),
        ),
        played(
          GetEvent,
          note('event', ({ eventId }) => {
            if (eventId !== event.id) throw new DomainError('EVENT_NOT_FOUND');
            return event;
          }),
        ),
        played(
          GetBanner,
          note('banner', () => {
            throw new DomainError('PICTURE_NOT_FOUND');
          }),
        ),
        played(CountRegistrations, () => ({ count: 0 })),
        played(ListPublicEvents, () => ({ items: [event], total: 1, nextCursor: null })),
      ),
    });
    redis = new Redis(stack.redisOwnerUrl);
  });
  afterAll(async () => {
    redis.disconnect();
    await stack.close();
    rmSync(root, { recursive: true });
  });
  beforeEach(() => (asked = []));

  const client = (ip: string, url = stack.url) =>
    new ApiClient(url, { 'x-forwarded-for': ip, accept: '*/*' });
  const phone = (ip: string, token: string, url?: string) =>
    Object.assign(client(ip, url), {
      defaults: { 'x-forwarded-for': ip, authorization: `Bearer ${token}` },
    });
  const many = async (count: number, ask: (n: number) => Promise<{ status: number }>) =>
    tally(
      (await inTurns(Array.from({ length: count }), AT_ONCE, (_, n) => ask(n))).map(({ status }) => status),
    );
  const keys = async () => (await redis.keys('limit:*')).toSorted();

  it('are declared by every route as this file expects', () => {
    const limits = stack.gateway.inventory.routes.map(({ path, limit }) => [path, limit]);
    const expected = limits.map(([path]) => [path, path! in OTHERS ? OTHERS[path!] : 'anonymous']);
    expect(limits).toEqual(expected);
    const paths = new Set(limits.map(([path]) => path));
    expect(Object.keys(OTHERS).filter((path) => !paths.has(path))).toEqual([]);
  });

  it('refuse invented door links without storing Redis keys for them', async () => {
    const points = 20;
    const { url } = await stack.another({ rateLimits: `door-tries=${points}/300` });
    const ip = '198.51.100.10';
    const at = new Date().toISOString();
    const item = () => ({ key: randomUUID(), name: 'Wanda', at, sentAt: at, email: 'wanda@example.org' });
    const calls = [
      () => phone(ip, invented(), url).get('/api/door'),
      () => phone(ip, invented(), url).post('/api/door/walk-ins', item()),
      () => phone(ip, '', url).get('/api/door'),
    ];
    expect(await many(3 * points, (n) => calls[n % 3]!())).toEqual({ 401: points, 429: 2 * points });
    expect(asked.length).toBeLessThanOrEqual(points);
    const before = await keys();
    expect(before.filter((key) => key.startsWith('limit:door:'))).toEqual([]);
    expect(before.filter((key) => key.startsWith('limit:walk-in-mails:')).length).toBeLessThanOrEqual(1);
    asked = [];
    expect(await many(60, (n) => calls[n % 3]!())).toEqual({ 429: 60 });
    expect([asked, await keys()]).toEqual([[], before]);
  });

  it('accept a known door link on every gateway while someone guesses links', async () => {
    const ip = '198.51.100.11';
    const other = await stack.another();
    expect((await phone(ip, TOKEN).get('/api/door')).status).toBe(200);
    expect((await many(150, () => phone(ip, invented()).get('/api/door')))[429]).toBeGreaterThan(0);
    for (const url of [stack.url, other.url])
      expect((await phone(ip, TOKEN, url).get('/api/door')).status).toBe(200);
  });

  it('refuse requests for invented pages and images without filling Redis', async () => {
    const ip = '198.51.100.12';
    const before = (await keys()).length;
    const [points, pagePoints] = [20, 120];
    const { url } = await stack.another({ rateLimits: `misses=${points}/300,pages=${pagePoints}/300` });
    const found = await many(3 * points, () => client(ip, url).get(`/events/${randomUUID()}`));
    expect(found[404]).toBeLessThanOrEqual(points);
    asked = [];
    const pictures = () => client(ip, url).get(`/media/banners/${randomBytes(32).toString('hex')}.webp`);
    expect(await many(40, pictures)).toEqual({ 429: 40 });
    expect(asked).toEqual([]);
    expect((await keys()).length).toBe(before + 1); // The new key counts the network's misses.
    const pages = await many(pagePoints, () => client(ip, url).get(`/nothing/${invented()}`));
    expect(pages).toEqual({ 404: pagePoints - 3 * points, 429: 3 * points });
    expect((await client(ip, url).get(`/events/${event.id}`)).status).toBe(429);
    expect((await client(ip, url).get('/app.js')).status).toBe(200);
    // Unlike other files, `.html` files count as pages.
    expect((await client(ip, url).get('/help/members.html')).status).toBe(429);
    expect((await client('198.51.100.13', url).get('/nothing')).status).toBe(404);
  });

  it('are high enough for two door phones and sixty guests', async () => {
    const ip = '198.51.100.14';
    const at = new Date().toISOString();
    const scan = () => ({ key: randomUUID(), code: 'c'.repeat(22), at, sentAt: at });
    const ofPhone = (n: number) =>
      n % 2 === 0
        ? phone(ip, TOKEN).get('/api/door')
        : phone(ip, TOKEN).post('/api/door/check-ins', { items: [scan()] });
    const ofGuest = ['/', `/events/${event.id}`, ...Array(10).fill(`/api/events/${event.id}`)] as string[];
    const guests = await many(60 * ofGuest.length, (n) => client(ip).get(ofGuest[n % ofGuest.length]!));
    const phones = await many(2 * 150, ofPhone);
    expect([guests, Object.keys(phones).includes('429')]).toEqual([{ 200: 720 }, false]);
  });
});
