import {
  SESSION,
  userCacheKey,
  BeginSecondStep,
  BeginTotp,
  CompleteSecondStep,
  ConfirmTotp,
  DomainError,
  Reauthenticate,
  SetAccountAdmin,
  type ErrorBody,
  type OwnSession,
  type User,
} from '@meetmark/contracts';
import { generationIn, ASK_GENERATION } from '@meetmark/platform/redis/generation';
import { ApiClient } from '@meetmark/testing/http-client';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { startRedis, until, type PrivateRedis } from '@meetmark/testing';
import {
  gatewayForTests,
  grownOld,
  openTestGateway,
  PASSWORD,
  type TestGateway,
} from '../testing/open-test-gateway.js';
import { SessionCache } from './session-cache.js';
import { GatewaySessionStore } from './session-store.js';
import { SessionRecords } from './sessions.repository.js';
import type { GatewayConfig } from '../gateway.config.js';
import type { StoredSession } from './session.js';

describe('sessions', () => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  let redis: Redis;
  const stack = gatewayForTests();
  beforeAll(() => {
    redis = new Redis(stack.redisOwnerUrl);
  });
  afterAll(() => redis.disconnect());

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
      const reply = await browser.post('/api/register', {
        email: 'mary@example.com',
        password: 'x',
        ...names,
      });
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
        expect((await browser.get('/api/logout', { ...from, 'sec-fetch-dest': 'document' })).status).toBe(
          302,
        );
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
      expect([await statusOf(browser), await statusOf(other), await statusOf(stolen)]).toEqual([
        200, 401, 401,
      ]);
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
});

describe('the second step', () => {
  const TOKEN = 'the-token-of-a-pending-sign-in';
  const PENDING = 'meetmark_pending';
  let promoted = 0;
  let confirmedAt: number | undefined;
  const stack = gatewayForTests({
    auth: scenes(
      played(BeginSecondStep, ({ userId }) =>
        stack.users.get(userId)!.user.hasSecondFactor
          ? { token: TOKEN, methods: ['totp', 'recovery'] }
          : null,
      ),
      played(CompleteSecondStep, ({ token, code }) => {
        if (token !== TOKEN) throw new DomainError('SECOND_FACTOR_EXPIRED');
        if (code !== '123456') throw new DomainError('SECOND_FACTOR_INCORRECT');
        return [...stack.users.values()].at(-1)!;
      }),
      played(BeginTotp, () => ({ secret: 'JBSWY3DPEHPK3PXP' })),
      played(ConfirmTotp, ({ name }, call) => {
        const known = stack.users.get(call.identity!.sub)!;
        const user = { ...known.user, hasSecondFactor: true };
        const session = { user, epoch: known.epoch + 1, version: known.version + 1 };
        stack.users.set(known.user.id, session);
        const factor = { id: known.user.id, kind: 'totp' as const, name, createdAt: '', lastUsedAt: null };
        return { factor, recoveryCodes: ['AAAA-BBBB-CCCC-DDDD'], session };
      }),
      played(Reauthenticate, ({ password }) => {
        if (password !== PASSWORD) throw new DomainError('CURRENT_PASSWORD_INCORRECT');
      }),
      played(SetAccountAdmin, ({ userId }, call) => {
        promoted += 1;
        confirmedAt = call.identity!.confirmedAt;
        return stack.users.get(userId)!.user;
      }),
    ),
  });

  const codeOf = ({ body }: { body: unknown }) => (body as ErrorBody).code;
  const withFactor = async () => {
    const user = { ...(await stack.addUser()), hasSecondFactor: true };
    stack.users.set(user.id, { user, epoch: 1, version: 1 });
    return user;
  };
  const signIn = (browser: ApiClient, { email }: User) =>
    browser.post('/api/login', { email, password: PASSWORD });

  describe('signing in to an account with a second factor', () => {
    it('begins no session by the password alone, says how to go on, and ends with the second step', async () => {
      const user = await withFactor();
      const browser = stack.browser();
      const first = await signIn(browser, user);
      expect(first.status).toBe(401);
      expect(first.body).toMatchObject({
        code: 'SECOND_FACTOR_REQUIRED',
        details: { methods: ['totp', 'recovery'] },
      });
      const [pending] = first.headers.getSetCookie();
      expect(pending).toMatch(new RegExp(`^${PENDING}=${TOKEN}; .*HttpOnly`));
      expect((await browser.get('/api/user')).status).toBe(401);
      expect(codeOf(await browser.post('/api/login/second-factor', { code: '000000' }))).toBe(
        'SECOND_FACTOR_INCORRECT',
      );
      const second = await browser.post('/api/login/second-factor', { code: '123456' });
      expect([second.status, second.body]).toEqual([200, user]);
      expect((await browser.get('/api/user')).status).toBe(200);
      expect(browser.cookies.has(PENDING)).toBe(false);
    });

    it('needs the cookie of the browser that took the first step', async () => {
      const reply = await stack.browser().post('/api/login/second-factor', { code: '123456' });
      expect([reply.status, codeOf(reply)]).toEqual([401, 'SECOND_FACTOR_EXPIRED']);
    });

    it('answers the user at once where the account has none', async () => {
      const { user } = await stack.signedIn();
      const reply = await signIn(stack.browser(), user);
      expect([reply.status, reply.body]).toEqual([200, user]);
    });
  });

  describe('administrators', () => {
    it('have a member’s rights where a second factor is required and they have none', async () => {
      const strict = await stack.another({ adminSecondFactor: 'required' });
      const admin = await stack.addUser({ isAdmin: true });
      const browser = new ApiClient(strict.url, {});
      expect((await signIn(browser, admin)).status).toBe(200);
      expect((await browser.get('/api/user')).body).toMatchObject({ isAdmin: true });
      const refused = await browser.get('/api/admin/users');
      expect([refused.status, codeOf(refused)]).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
      stack.users.set(admin.id, { user: { ...admin, hasSecondFactor: true }, epoch: 1, version: 2 });
      expect(codeOf(await browser.get('/api/admin/nothing'))).toBe('NOT_FOUND');
      expect(codeOf(await browser.get('/api/admin/users'))).not.toBe('SECOND_FACTOR_SETUP_REQUIRED');
    });

    it('prove who they are before a dangerous action when the sign-in is ten minutes old', async () => {
      const { browser, user } = await stack.signedIn({ isAdmin: true });
      const other = await stack.addUser();
      const promote = () => browser.put(`/api/admin/users/${other.id}/toggle-admin`, { isAdmin: true });
      expect((await promote()).status).toBe(200);
      await grownOld(stack, user);
      const before = promoted;
      const refused = await promote();
      expect([refused.status, codeOf(refused), promoted]).toEqual([403, 'FRESH_SIGN_IN_REQUIRED', before]);
      expect((await browser.get('/api/user')).status).toBe(200);
      expect(codeOf(await browser.post('/api/user/confirm', { password: 'wrong' }))).toBe(
        'CURRENT_PASSWORD_INCORRECT',
      );
      expect((await promote()).status).toBe(403);
      const asked = Date.now();
      expect((await browser.post('/api/user/confirm', { password: PASSWORD })).status).toBe(204);
      expect((await promote()).status).toBe(200);
      // the service checks again, by the time that the identity carries; the clock of Redis lies between theirs
      expect(Math.abs(confirmedAt! - asked)).toBeLessThan(5_000);
    });

    it.each([
      ['DELETE', '/api/admin/users/:id'],
      ['PUT', '/api/admin/users/:id/reset-password'],
      ['DELETE', '/api/admin/users/:id/second-factors'],
    ])('are asked by %s %s too', async (method, path) => {
      const { browser, user } = await stack.signedIn({ isAdmin: true });
      await grownOld(stack, user);
      const reply = await browser.send(method, path.replace(':id', user.id), { newPassword: 'secret' });
      expect(codeOf(reply)).toBe('FRESH_SIGN_IN_REQUIRED');
    });
  });

  describe('a new second factor', () => {
    it('asks for a fresh sign-in', async () => {
      const { browser, user } = await stack.signedIn();
      await grownOld(stack, user);
      expect(codeOf(await browser.post('/api/user/second-factors/totp'))).toBe('FRESH_SIGN_IN_REQUIRED');
    });

    it('names the community and the address in its QR code, and keeps its own session while all others end', async () => {
      const { browser, user } = await stack.signedIn();
      const other = stack.browser();
      await signIn(other, user);
      const { body } = await browser.post<{ uri: string }>('/api/user/second-factors/totp');
      expect(body.uri).toBe(
        `otpauth://totp/Northern%20Digital%20Marketers:${encodeURIComponent(user.email)}?secret=JBSWY3DPEHPK3PXP&issuer=Northern%20Digital%20Marketers`,
      );
      const added = await browser.post('/api/user/second-factors/totp/confirm', {
        name: 'Phone',
        code: '123456',
      });
      expect(added.status).toBe(201);
      expect(Object.keys(added.body as object)).toEqual(['factor', 'recoveryCodes']);
      expect((await browser.get('/api/user')).status).toBe(200);
      expect((await other.get('/api/user')).status).toBe(401);
    });
  });

  describe('the own sessions', () => {
    const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

    it('are listed by browser and network, without what could open them, and end one by one or together', async () => {
      const { browser, user } = await stack.signedIn();
      const firefox = stack.browser({ 'user-agent': FIREFOX });
      const third = stack.browser();
      await signIn(firefox, user);
      await signIn(third, user);
      const list = await browser.get<OwnSession[]>('/api/user/sessions');
      expect(list.body).toHaveLength(3);
      expect(list.body.map(({ current }) => current).sort()).toEqual([false, false, true]);
      const listed = list.body.find(({ device }) => device === 'Firefox on Windows')!;
      expect(listed.network).toMatch(/\/24$|\/48$/);
      for (const [, value] of [...browser.cookies, ...firefox.cookies]) {
        expect(list.text).not.toContain(value.split('.')[0]);
      }
      expect((await browser.delete(`/api/user/sessions/${listed.id}`)).status).toBe(204);
      expect((await firefox.get('/api/user')).status).toBe(401);
      expect(codeOf(await browser.delete(`/api/user/sessions/${listed.id}`))).toBe('SESSION_NOT_FOUND');
      expect((await browser.delete('/api/user/sessions')).status).toBe(204);
      expect((await third.get('/api/user')).status).toBe(401);
      expect((await browser.get('/api/user')).status).toBe(200);
    });

    /** Sessions that began after all others: so many, of browsers that are not used any more. */
    const begun = ({ id }: User, count: number) =>
      stack.owner.query(
        `INSERT INTO gateway.sessions (sid, user_id, expire, sess)
       SELECT gen_random_uuid(), $1, now() + interval '1 hour',
         json_build_object('userId', $1::uuid, 'epoch', 1, 'createdAt', $2::bigint + n) FROM generate_series(1, $3::int) AS n`,
        [id, Date.now(), count],
      );
    const kept = async ({ id }: User) =>
      (await stack.owner.query('SELECT sid FROM gateway.sessions WHERE user_id = $1', [id])).rowCount;

    it('end together however many there are: one that was begun before 205 others too', async () => {
      const thief = await stack.signedIn();
      const owner = stack.browser();
      await signIn(owner, thief.user);
      await begun(thief.user, 205);
      expect((await thief.browser.get('/api/user')).status).toBe(200);
      expect((await owner.delete('/api/user/sessions')).status).toBe(204);
      expect((await thief.browser.get('/api/user')).status).toBe(401);
      expect((await owner.get('/api/user')).status).toBe(200);
      expect((await owner.get<OwnSession[]>('/api/user/sessions')).body).toHaveLength(1);
    });

    it('are 200 at most: with one more the oldest ends at once, on every gateway', async () => {
      const { browser: oldest, user } = await stack.signedIn();
      await begun(user, 199);
      expect((await oldest.get('/api/user')).status).toBe(200);
      const newest = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const browser = stack.browser();
          expect((await signIn(browser, user)).status).toBe(200);
          return browser;
        }),
      );
      expect((await oldest.get('/api/user')).status).toBe(401);
      expect(await kept(user)).toBe(200);
      for (const browser of newest) expect((await browser.get('/api/user')).status).toBe(200);
    });

    it('are nobody else’s: another member’s session cannot be ended', async () => {
      const ada = await stack.signedIn();
      const eve = await stack.signedIn();
      const [session] = (await ada.browser.get<OwnSession[]>('/api/user/sessions')).body;
      expect(codeOf(await eve.browser.delete(`/api/user/sessions/${session!.id}`))).toBe('SESSION_NOT_FOUND');
      expect((await ada.browser.get('/api/user')).status).toBe(200);
    });
  });
});

const NO_PRIMARY = ['127.0.0.1', 1] as const;

describe('what was acknowledged before a failover of Redis', () => {
  let servers: PrivateRedis[];
  let redis: Redis[];
  let proxy: SilentProxy;

  let stack: TestGateway;
  const caches: SessionCache[] = [];
  beforeEach(async () => {
    servers = await Promise.all([startRedis(), startRedis()]);
    redis = servers.map(({ ownerUrl }) => new Redis(ownerUrl));
    proxy = await SilentProxy.before(servers[0]!.ownerUrl);
    stack = await openTestGateway({ config: { redisUrl: proxy.url } });
  });
  afterEach(async () => {
    caches.splice(0).forEach((cache) => cache.onApplicationShutdown());
    await stack.close();
    redis.forEach((client) => client.disconnect());
    await proxy.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const isAdmin = async (browser: ApiClient) => {
    const { status, body } = await browser.get('/api/user');
    return status === 200 ? (body as { isAdmin: boolean }).isAdmin : status;
  };
  /** What the auth service does with a changed user: it is played here and has no cache. */
  const tell = async (client: Redis, userId: string) => {
    const generation = generationIn(await client.info(...ASK_GENERATION)) ?? '';
    await client.set(userCacheKey(userId, generation), JSON.stringify(stack.users.get(userId)));
  };
  const demote = (userId: string) => {
    const { user, epoch, version } = stack.users.get(userId)!;
    stack.users.set(userId, { user: { ...user, isAdmin: false }, epoch, version: version + 1 });
  };
  const answered = (browser: ApiClient) =>
    until('an answer', 10_000, async () => (await browser.get('/api/user')).status !== 503);

  it('holds when a replica was promoted that has not heard of it', async () => {
    const [primary, replica] = redis as [Redis, Redis];
    const { hostname, port } = new URL(servers[0]!.ownerUrl);
    await replica.replicaof(hostname, Number(port));
    await until('the replica', 10_000, async () =>
      (await replica.info('replication')).includes('master_link_status:up'),
    );
    const leaver = await stack.signedIn();
    const demoted = await stack.signedIn({ isAdmin: true });
    for (const { user } of [leaver, demoted]) await tell(primary, user.id);
    expect([await isAdmin(leaver.browser), await isAdmin(demoted.browser)]).toEqual([false, true]);
    expect(await primary.wait(1, 5_000)).toBe(1);

    await replica.replicaof('NO', 'ONE');
    const left = leaver.browser.at();
    expect((await leaver.browser.post('/api/logout')).status).toBe(204);
    demote(demoted.user.id);
    await tell(primary, demoted.user.id);
    expect([await isAdmin(left), await isAdmin(demoted.browser)]).toEqual([401, false]);

    proxy.leadTo(servers[1]!.ownerUrl);
    await answered(demoted.browser);
    expect([await isAdmin(left), await isAdmin(demoted.browser)]).toEqual([401, false]);
  });

  it('holds when the same server was a replica for a while and lost it, although no connection was', async () => {
    const [primary] = redis as [Redis];
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    await tell(primary, user.id);
    expect(await isAdmin(browser)).toBe(true);
    await primary.replicaof(...NO_PRIMARY);
    await until('it to be noticed', 5_000, async () => (await browser.get('/api/user')).status === 503);
    demote(user.id); // which another primary has received
    await primary.replicaof('NO', 'ONE');
    await answered(browser);
    expect(await isAdmin(browser)).toBe(false);
  });

  it('ends a session where the others read, also at a gateway that has not noticed the failover yet', async () => {
    const opened = async () => {
      const cache = new SessionCache({ redisUrl: servers[0]!.urlFor('gateway') } as GatewayConfig);
      caches.push(cache);
      await until('the connection', 5_000, () => cache.load('none').then(() => true));
      return cache;
    };
    const late = await opened();
    const [primary] = redis as [Redis];
    await primary.replicaof(...NO_PRIMARY);
    await primary.replicaof('NO', 'ONE');
    const early = await opened();
    const { generation } = await early.load('sid');
    await early.fill('sid', { userId: 'ada' } as StoredSession, generation);
    expect((await early.load('sid')).session).toMatchObject({ userId: 'ada' });
    await late.end('sid');
    expect((await early.load('sid')).session).toBeNull();
  });
});
