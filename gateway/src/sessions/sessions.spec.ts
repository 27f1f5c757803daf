import { SESSION, userCacheKey } from '@meetmark/contracts';
import { generationIn } from '@meetmark/platform/redis/generation';
import { ApiClient } from '@meetmark/testing/http-client';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';
import { SessionCache } from './session-cache.js';
import { GatewaySessionStore } from './session-store.js';
import { SessionRecords } from './sessions.repository.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let stack: TestGateway;
let redis: Redis;
beforeAll(async () => {
  stack = await openTestGateway();
  redis = new Redis(stack.redisOwnerUrl);
});
afterAll(async () => {
  redis.disconnect();
  await stack.close();
});

const statusOf = async (browser: ApiClient) => (await browser.get('/api/user')).status;
/** Names its sessions and users have in Redis begin with it. */
const generation = async () => generationIn(await redis.info('server', 'replication')) ?? '';
const sessionKey = async (browser: ApiClient) => `session:${await generation()}:${sidOf(browser)}`;
const sidOf = (browser: ApiClient) =>
  decodeURIComponent(browser.cookies.get(SESSION.cookie) ?? '').split('.')[0]!;
const signIn = (browser: ApiClient, email: string) =>
  browser.post('/api/login', { email, password: PASSWORD });

/** What Redis holds of sessions; the rest of it is the transport's. */
async function forgetCopies(): Promise<void> {
  const keys = [...(await redis.keys('session:*')), ...(await redis.keys('user:*'))];
  if (keys.length > 0) await redis.del(keys);
}

describe('signing in', () => {
  it('answers the user and begins a session', async () => {
    const { browser, user } = await stack.signedIn();
    const reply = await browser.get('/api/user');
    expect([reply.status, reply.body]).toEqual([200, user]);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('vary')).toContain('Cookie');
  });

  it('refuses a wrong password', async () => {
    const user = await stack.addUser();
    const reply = await stack.browser().post('/api/login', { email: user.email, password: `${PASSWORD}!` });
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({
      code: 'CREDENTIALS_INCORRECT',
      message: 'Incorrect email or password',
    });
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  it('keeps the cookie from scripts and from other sites', async () => {
    const user = await stack.addUser();
    const [cookie] = (await signIn(stack.browser(), user.email)).headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^${SESSION.cookie}=`));
    expect(cookie).toContain('; HttpOnly');
    expect(cookie).toContain('; SameSite=Lax');
    expect(cookie).toContain('; Path=/');
    expect(cookie).not.toContain('Secure');
    const expires = Date.parse(/Expires=([^;]+)/.exec(cookie!)![1]!);
    expect(Math.abs(expires - Date.now() - SESSION.idle)).toBeLessThan(60_000);
  });

  it('holds the cookie to https and to this host where the site is https', async () => {
    const secure = await stack.another({ publicUrl: 'https://events.example' });
    const user = await stack.addUser();
    const browser = new ApiClient(secure.url, {});
    const [cookie] = (await signIn(browser, user.email)).headers.getSetCookie();
    expect(cookie).toMatch(new RegExp(`^__Host-${SESSION.cookie}=`));
    expect(cookie).toContain('; Secure');
    expect(await statusOf(browser)).toBe(200);
  });

  it('always begins a new session and ends the one before', async () => {
    const { browser, user } = await stack.signedIn();
    const before = browser.at();
    await signIn(browser, user.email);
    expect(sidOf(browser)).not.toBe(sidOf(before));
    expect(await statusOf(browser)).toBe(200);
    expect(await statusOf(before)).toBe(401);
  });

  it('never adopts an id that the browser brought', async () => {
    const { browser, user } = await stack.signedIn();
    await browser.post('/api/logout');
    const fixed = stack.browser();
    fixed.cookies.set(SESSION.cookie, 'chosen-by-someone-else.c2lnbmF0dXJl');
    await signIn(fixed, user.email);
    expect(sidOf(fixed)).not.toBe('chosen-by-someone-else');
    expect(await statusOf(fixed)).toBe(200);
  });

  it('signs a new member in', async () => {
    const browser = stack.browser();
    const names = { firstName: 'Mary', lastName: 'Somerville' };
    const reply = await browser.post('/api/register', { email: 'mary@example.com', password: 'x', ...names });
    expect(reply.status).toBe(201);
    expect((await browser.get('/api/user')).body).toEqual(reply.body);
  });
});

describe('signing out', () => {
  it('ends the session on every gateway, and is safe to repeat', async () => {
    const other = await stack.another();
    const { browser } = await stack.signedIn();
    const elsewhere = browser.at(other.url);
    expect(await statusOf(elsewhere)).toBe(200);
    const reply = await browser.post('/api/logout');
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(browser.cookies.has(SESSION.cookie)).toBe(false);
    expect(await statusOf(elsewhere)).toBe(401);
    expect((await elsewhere.post('/api/logout')).status).toBe(204);
    expect((await stack.browser().post('/api/logout')).status).toBe(204);
  });

  it('leaves no record behind', async () => {
    const { browser, user } = await stack.signedIn();
    await browser.post('/api/logout');
    const { rowCount } = await stack.owner.query('SELECT 1 FROM gateway.sessions WHERE user_id = $1', [
      user.id,
    ]);
    expect(rowCount).toBe(0);
  });

  it('by GET sends the browser to the start', async () => {
    const { browser } = await stack.signedIn();
    const reply = await browser.get('/api/logout', { 'sec-fetch-site': 'same-origin' });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/']);
    expect(await statusOf(browser)).toBe(401);
  });

  it.each(['image', 'style', 'script', 'empty', 'iframe'])(
    'by GET does nothing for a %s of a page',
    async (dest) => {
      const { browser } = await stack.signedIn();
      const from = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': dest };
      expect((await browser.get('/api/logout', from)).status).toBe(302);
      expect(await statusOf(browser)).toBe(200);
      expect((await browser.get('/api/logout', { ...from, 'sec-fetch-dest': 'document' })).status).toBe(302);
      expect(await statusOf(browser)).toBe(401);
    },
  );

  it.each(['cross-site', 'same-site'])('by GET does nothing for a %s page', async (site) => {
    const { browser } = await stack.signedIn();
    expect((await browser.get('/api/logout', { 'sec-fetch-site': site })).status).toBe(302);
    expect(await statusOf(browser)).toBe(200);
  });
});

describe('what ends sessions', () => {
  it('a password that was changed ends all others and renews the own', async () => {
    const { browser, user } = await stack.signedIn();
    const other = stack.browser();
    await signIn(other, user.email);
    const stolen = browser.at();
    const reply = await browser.put('/api/user/change-password', {
      currentPassword: PASSWORD,
      newPassword: 'another one',
    });
    expect(reply.status).toBe(200);
    expect([await statusOf(browser), await statusOf(other), await statusOf(stolen)]).toEqual([200, 401, 401]);
  });

  it('a raised epoch ends them at the next request', async () => {
    const { browser, user } = await stack.signedIn();
    expect(await statusOf(browser)).toBe(200);
    stack.users.set(user.id, { user, epoch: 2, version: 2 });
    expect(await statusOf(browser)).toBe(401);
  });

  it('a deleted account ends them at the next request', async () => {
    const { browser, user } = await stack.signedIn();
    stack.users.delete(user.id);
    expect(await statusOf(browser)).toBe(401);
  });

  it('a right that was taken away is gone at the next request', async () => {
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    expect((await browser.get('/api/admin/nothing')).status).toBe(404);
    const before = await browser.post('/api/events', {});
    expect(before.status).toBe(400);
    stack.users.set(user.id, {
      user: { ...user, isAdmin: false },
      epoch: 1,
      version: 2,
    });
    expect((await browser.post('/api/events', {})).status).toBe(403);
  });

  it('time: seven days without a request, thirty days in all', async () => {
    const { browser, user } = await stack.signedIn();
    const age = async (createdAgo: number, expireIn: number) => {
      await stack.owner.query(
        `UPDATE gateway.sessions SET expire = $2, sess = jsonb_set(sess::jsonb, '{createdAt}', $3::jsonb)::json
          WHERE user_id = $1`,
        [user.id, new Date(Date.now() + expireIn), String(Date.now() - createdAgo)],
      );
      await redis.del(await sessionKey(browser));
    };
    const expectLeft = async (left: number) => {
      expect(await statusOf(browser)).toBe(200);
      const { rows } = await stack.owner.query<{ expire: Date }>(
        'SELECT expire FROM gateway.sessions WHERE user_id = $1',
        [user.id],
      );
      expect(Math.abs(rows[0]!.expire.getTime() - Date.now() - left)).toBeLessThan(60_000);
    };
    await age(20 * DAY, 1 * HOUR);
    await expectLeft(7 * DAY);
    await age(28 * DAY, 1 * HOUR);
    await expectLeft(2 * DAY);
    await age(30 * DAY, -1);
    expect(await statusOf(browser)).toBe(401);
  });
});

describe('keeping sessions', () => {
  it('asks the database nothing once the session is in Redis', async () => {
    const { browser, user } = await stack.signedIn();
    await redis.set(
      userCacheKey(user.id, await generation()),
      JSON.stringify({ user, epoch: 1, version: 1 }),
    );
    stack.users.delete(user.id); // asking auth would sign the member out
    const database = stack.gateway.app.get(DataSource);
    const query = database.query;
    const statements: string[] = [];
    database.query = ((...given: Parameters<typeof query>) => {
      // what the sign-in before was for the security events is written after its answer
      if (!/auth\.has_account|gateway\.security_events/.test(given[0])) statements.push(given[0]);
      return query.apply(database, given);
    }) as typeof query;
    try {
      expect(await statusOf(browser)).toBe(200);
    } finally {
      database.query = query;
    }
    expect(statements).toEqual([]);
  });

  it('signs nobody out when Redis loses its copies', async () => {
    const { browser } = await stack.signedIn();
    await forgetCopies();
    expect(await statusOf(browser)).toBe(200);
  });

  it('writes nothing on reading, and prolongs at most once an hour', async () => {
    const { browser, user } = await stack.signedIn();
    const cookieOf = async () => (await browser.get('/api/user')).headers.getSetCookie().length;
    expect(await cookieOf()).toBe(0);
    await stack.owner.query(
      `UPDATE gateway.sessions SET expire = expire - interval '2 hours' WHERE user_id = $1`,
      [user.id],
    );
    await redis.del(await sessionKey(browser));
    expect([await cookieOf(), await cookieOf()]).toEqual([1, 0]);
    expect(await statusOf(browser)).toBe(200);
  });

  it('takes cookies signed with an older secret, and only those', async () => {
    const { browser } = await stack.signedIn();
    const next = 'the-session-secret-that-comes-next-in-line';
    const rotated = await stack.another({ sessionSecrets: [next, ...stack.config.sessionSecrets] });
    const replaced = await stack.another({ sessionSecrets: [next] });
    const renewed = browser.at(rotated.url);
    expect(await statusOf(renewed)).toBe(200);
    expect(await statusOf(renewed.at(replaced.url))).toBe(200); // signed anew, so that the older one can go
    expect(await statusOf(browser.at(replaced.url))).toBe(401);
  });
});

describe('a session that was ended', () => {
  it('is not brought back by a request that had loaded it before', async () => {
    const store = stack.gateway.app.get(GatewaySessionStore);
    const { browser } = await stack.signedIn();
    const slow = await store.load(sidOf(browser));
    await browser.post('/api/logout');
    const late = browser.at();
    expect(await store.prolong(slow!)).toBeNull();
    expect(await statusOf(late)).toBe(401);
  });

  it('is not brought back by a copy that was read before', async () => {
    const cache = stack.gateway.app.get(SessionCache);
    const { browser } = await stack.signedIn();
    const [sid, late] = [sidOf(browser), browser.at()];
    const read = (await stack.gateway.app.get(SessionRecords).find(sid))!;
    await browser.post('/api/logout');
    await cache.fill(sid, read, await generation());
    await cache.replace(sid, read);
    expect(await statusOf(late)).toBe(401);
  });
});

describe('a store that is away', () => {
  it('is a 503 and never looks like nobody being signed in', async () => {
    const { browser } = await stack.signedIn();
    const cut = await stack.another({ redisUrl: 'redis://127.0.0.1:1/0' });
    const reply = await browser.at(cut.url).get('/api/user');
    expect(reply.status).toBe(503);
    expect(reply.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  it('is a 503 as well when it is the database', async () => {
    const { browser } = await stack.signedIn();
    await forgetCopies();
    await stack.owner.query('ALTER TABLE gateway.sessions RENAME TO sessions_elsewhere');
    try {
      expect(await statusOf(browser)).toBe(503);
      expect((await stack.browser().get('/api/user')).status).toBe(401);
    } finally {
      await stack.owner.query('ALTER TABLE gateway.sessions_elsewhere RENAME TO sessions');
    }
    expect(await statusOf(browser)).toBe(200);
  });
});
