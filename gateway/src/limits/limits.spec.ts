import { DomainError } from '@meetmark/contracts';
import { inTurns, tally } from '@meetmark/testing';
import { Browser } from '../testing/browser.js';
import { openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';
import { network, subscriber } from './network.js';
import { RATE_LIMITS, rateLimits } from './rate-limits.js';

/** Connections: no more than the doorkeeper takes for a mere crowd, however slow the machine is. */
const AT_ONCE = 100;

describe('who is counted as one', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:2::1', '2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown', 'unknown'],
  ])('%s', (ip, one, around) => {
    expect([subscriber(ip), network(ip)]).toEqual([one, around]);
  });
});

describe('the limits in force', () => {
  it('are those of the reliability page', () => {
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
      signIn: ({ email, password }, users) => {
        evaluated += 1;
        const found = [...users.values()].find(({ user }) => user.email === email);
        if (found === undefined || password !== PASSWORD) throw new DomainError('CREDENTIALS_INCORRECT');
        return found;
      },
    });
  });
  afterAll(() => stack.close());
  beforeEach(() => (evaluated = 0));

  const from = (ip: string, browser: Browser = stack.browser()) =>
    Object.assign(browser, { defaults: { 'x-forwarded-for': ip } });
  const signIn = (browser: Browser, email: string, password: string) =>
    browser.post('/api/login', { email, password });

  it('evaluate ten of a thousand wrong passwords that come at once from a whole network', async () => {
    const user = await stack.addUser();
    const replies = await inTurns(Array.from({ length: 1_000 }), AT_ONCE, (_, n) =>
      signIn(from(`198.51.100.${n % 250}`), user.email, `wrong ${n}`),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 401: 10, 429: 990 });
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

  it('do not count what went well', async () => {
    const user = await stack.addUser();
    const browser = from('192.0.2.50');
    for (let n = 0; n < 15; n += 1) expect((await signIn(browser, user.email, PASSWORD)).status).toBe(200);
  });

  it('count every address of one IPv6 subscriber as one', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 26; n += 1)
      statuses.push((await signIn(from(`2001:db8:7:7::${n + 1}`), `someone-${n}@example.com`, 'x')).status);
    expect(statuses.slice(0, 25)).toEqual(Array(25).fill(401));
    expect(statuses[25]).toBe(429);
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
    const statuses: number[] = [];
    for (let n = 0; n < 26; n += 1) statuses.push((await attempt(n)).status);
    expect(statuses[25]).toBe(429);
  });

  it('hold for visitors and for members by themselves', async () => {
    const visitor = from('192.0.2.77');
    for (let n = 0; n < 300; n += 1) await visitor.get('/api/config');
    expect((await visitor.get('/api/config')).status).toBe(429);
    const { browser } = await stack.signedIn();
    expect((await from('192.0.2.77', browser).get('/api/user')).status).toBe(200);
  });

  it('let exactly so many of a burst pass', async () => {
    const replies = await inTurns(Array.from({ length: 400 }), AT_ONCE, () =>
      from('192.0.2.88').get('/api/config'),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 300, 429: 100 });
  });

  it('still count while Redis is away', async () => {
    const cut = await stack.another({ redisUrl: 'redis://127.0.0.1:1/0' });
    const browser = from('192.0.2.11', new Browser(cut.url));
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await signIn(browser, 'someone@example.com', 'x')).status);
    expect(tally(statuses)).toEqual({ 503: 11 }); // each given back: nobody knows whether the password was wrong
    for (let n = 0; n < 15; n += 1) statuses.push((await signIn(browser, `x${n}@example.com`, 'x')).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
