import { inTurns, tally } from '@meetmark/testing';
import { ApiClient } from '@meetmark/testing/http-client';
import { checkPassword, openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';
import { network, subscriber, wideNetwork, type CountedNetwork } from '../networks.js';
import { RATE_LIMITS, rateLimits } from './rate-limits.js';

/** Connections: no more than the admission takes for a mere crowd, however slow the machine is. */
const AT_ONCE = 100;

describe('who is counted as one', () => {
  const shown = (networks: CountedNetwork[]) => networks.map(({ key, share }) => `${key} ×${share}`);

  it.each([
    ['203.0.113.7', ['203.0.113.7 ×1'], ['203.0.113.0/24 ×1']],
    ['::ffff:203.0.113.7', ['203.0.113.7 ×1'], ['203.0.113.0/24 ×1']],
    ['unknown', ['unknown ×1'], ['unknown ×1']],
  ])('%s', (ip, one, around) => {
    expect([shown(subscriber(ip)), shown(network(ip))]).toEqual([one, around]);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48'],
    ['2001:0DB8:0001:12ff::1', '2001:db8:1:12ff::/64', '2001:db8:1:1200::/56', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48'],
  ])('%s, and the networks around it more generously', (ip, narrow, wide, widest) => {
    const counted = [`${narrow} ×1`, `${wide} ×4`, `${widest} ×16`];
    expect([shown(subscriber(ip)), shown(network(ip))]).toEqual([counted, counted]);
  });

  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
  ])('%s is in %s', (ip, wide) => {
    expect(wideNetwork(ip)).toBe(wide);
  });
});

describe('the limits in force', () => {
  it('are the documented ones', () => {
    expect(rateLimits('standard')).toEqual(RATE_LIMITS);
  });

  it('are a thousand times as wide for tests', () => {
    expect(rateLimits('test')['sign-up']).toEqual({ points: 5_000, seconds: 1_800 });
  });

  it('can be changed one by one', () => {
    const changed = rateLimits('standard', 'sign-up=7/60, anonymous=1/1');
    expect(changed).toEqual({
      ...RATE_LIMITS,
      'sign-up': { points: 7, seconds: 60 },
      anonymous: { points: 1, seconds: 1 },
    });
  });

  it.each(['sign-up', 'sign-up=0/60', 'sign-up=x', 'nothing=1/1', 'toString=1/1'])(
    'refuse to start with %s',
    (changes) => {
      expect(() => rateLimits('standard', changes)).toThrow(changes);
    },
  );
});

describe('limits of a gateway', () => {
  let stack: TestGateway;
  let evaluated = 0;
  beforeAll(async () => {
    stack = await openTestGateway({
      config: { rateLimitProfile: 'standard', trustedProxies: 1 },
      signIn: (request, users) => {
        evaluated += 1;
        return checkPassword(request, users);
      },
    });
  });
  afterAll(() => stack.close());
  beforeEach(() => (evaluated = 0));

  const from = (ip: string, browser: ApiClient = stack.browser()) =>
    Object.assign(browser, { defaults: { 'x-forwarded-for': ip } });
  const signIn = (browser: ApiClient, email: string, password: string) =>
    browser.post('/api/login', { email, password });

  it('evaluate ten of three hundred wrong passwords that come at once from a whole network', async () => {
    const user = await stack.addUser();
    const replies = await inTurns(Array.from({ length: 300 }), AT_ONCE, (_, n) =>
      signIn(from(`198.51.100.${n % 250}`), user.email, `wrong ${n}`),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 401: 10, 429: 290 });
    expect(evaluated).toBe(10);
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
  });

  it('let the owner in from elsewhere meanwhile', async () => {
    const user = await stack.addUser();
    for (let n = 0; n < 12; n += 1) await signIn(from('192.0.2.1'), user.email, 'wrong');
    expect((await signIn(from('192.0.2.1'), user.email, PASSWORD)).status).toBe(429);
    expect((await signIn(from('203.0.113.1'), user.email, PASSWORD)).status).toBe(200);
  });

  it('evaluate no more guesses from the many networks of one subscriber than from sixteen', async () => {
    const user = await stack.addUser();
    const replies = await inTurns(Array.from({ length: 400 }), AT_ONCE, (_, n) =>
      signIn(from(`2001:db8:9:${n.toString(16)}::1`), user.email, `wrong ${n}`),
    );
    expect(evaluated).toBeLessThanOrEqual(160);
    const seen = tally(replies.map(({ status }) => status));
    // on a busy machine the answer to one comes too late
    expect(seen[401]).toBeGreaterThan(0);
    expect(seen[401]).toBeLessThanOrEqual(evaluated);
    // the rest is refused: by the limit, or as too much at once
    expect(Object.keys(seen).filter((status) => !['401', '429', '503'].includes(status))).toEqual([]);
  });

  it('evaluate one guess at a time, a second apart, once an account has met a hundred from anywhere, and let its owner in from new browsers', async () => {
    const user = await stack.addUser();
    const guess = (n: number) => signIn(from(`203.0.${n}.1`), user.email, `wrong ${n}`);
    // a busy machine refuses some as overloaded: these are no guesses
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
    // the rest is refused: by the limit, or as too much at once
    expect(Object.keys(seen).filter((status) => !['401', '429', '503'].includes(status))).toEqual([]);
    for (let browser = 0; browser < 3; browser += 1)
      expect((await signIn(from(`192.0.2.${70 + browser}`), user.email, PASSWORD)).status).toBe(200);
  });

  it('let a browser in that has signed in to the account before, however many guess elsewhere or beside it', async () => {
    const user = await stack.addUser();
    const owner = from('192.0.2.60');
    await signIn(owner, user.email, PASSWORD);
    await owner.post('/api/logout');
    await inTurns(Array.from({ length: 130 }), 20, (_, n) =>
      signIn(from(`198.18.${n % 100}.9`), user.email, 'wrong'),
    );
    await inTurns(Array.from({ length: 30 }), 30, () => signIn(from('192.0.2.60'), user.email, 'wrong'));
    const seconds = async (browser: ApiClient, { email }: { email: string }) => {
      const began = Date.now();
      expect((await signIn(browser, email, PASSWORD)).status).toBe(200);
      return (Date.now() - began) / 1_000;
    };
    const undisturbed = await seconds(from('192.0.2.93'), await stack.addUser());
    // waiting for the turn of the account takes a second more
    expect(await seconds(owner, user)).toBeLessThan(undisturbed + 1);
  });

  it('count such a browser by itself, and only for the account that it knows', async () => {
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

  it('count an address however it is spelled', async () => {
    const user = await stack.addUser();
    const spellings = [user.email, user.email.toUpperCase(), ` ${user.email}`];
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push((await signIn(from('192.0.2.63'), spellings[n % 3]!, 'wrong')).status);
    expect(tally(statuses)).toEqual({ 401: 10, 429: 2 });
  });

  it('do not count what went well', async () => {
    const user = await stack.addUser();
    const browser = from('192.0.2.50');
    for (let n = 0; n < 15; n += 1) expect((await signIn(browser, user.email, PASSWORD)).status).toBe(200);
  });

  it('count every address of one IPv6 subscriber as one', async () => {
    const replies = await Promise.all(
      Array.from({ length: 26 }, (_, n) =>
        signIn(from(`2001:db8:7:7::${n + 1}`), `someone-${n}@example.com`, 'x'),
      ),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 401: 25, 429: 1 });
  });

  it('believe X-Forwarded-For only as far as the configured proxies go', async () => {
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

  it('let exactly so many of a burst pass, for visitors and for members by themselves', async () => {
    const replies = await inTurns(Array.from({ length: 1_300 }), AT_ONCE, () =>
      from('192.0.2.88').get('/api/config'),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 1_200, 429: 100 });
    const { browser } = await stack.signedIn();
    expect((await from('192.0.2.88', browser).get('/api/user')).status).toBe(200);
  });

  it('still count while Redis is away', async () => {
    const cut = await stack.another({ redisUrl: 'redis://127.0.0.1:1/0' });
    const browser = from('192.0.2.11', new ApiClient(cut.url, {}));
    // each waits a second for Redis, so they come together
    const together = async (emails: string[]) =>
      tally(
        (await Promise.all(emails.map((email) => signIn(browser, email, 'x')))).map(({ status }) => status),
      );
    // each is given back: whether the password was wrong is unknown
    for (const count of [10, 10])
      expect(await together(Array(count).fill('someone@example.com'))).toEqual({ 503: count });
    const others = Array.from({ length: 8 }, (_, n) => `x${n}@example.com`);
    expect(await together(others)).toEqual({ 503: 5, 429: 3 });
  });
});
