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
import { CommunityFollower } from '@meetmark/platform';
import { generationIn, ASK_GENERATION } from '@meetmark/platform/redis/generation';
import { ApiClient } from '@meetmark/testing/http-client';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { startRedis, until, type PrivateRedis } from '@meetmark/testing';
import {
  gatewayForTests,
  growOld,
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

  const fetchStatus = async (browser: ApiClient) => (await browser.get('/api/user')).status;
  const generation = async () => generationIn(await redis.info('server', 'replication')) ?? '';
  const sessionKey = async (browser: ApiClient) => `session:${await generation()}:${getSid(browser)}`;
  const getSid = (browser: ApiClient) =>
    decodeURIComponent(browser.cookies.get(SESSION.cookie) ?? '').split('.')[0]!;
  const signIn = (browser: ApiClient, email: string) =>
    browser.post('/api/login', { email, password: PASSWORD });

  async function forgetCopies(): Promise<void> {
    const keys = [...(await redis.keys('session:*')), ...(await redis.keys('user:*'))];
    if (keys.length > 0) await redis.del(keys);
  }

  describe('signing in', () => {
    it('returns the user and starts a session', async () => {
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

    it('protects the cookie from scripts and other sites', async () => {
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

    it('restricts the cookie to https and this host on an https site', async () => {
      const secure = await stack.another({ publicUrl: 'https://events.example' });
      const user = await stack.addUser();
      const browser = new ApiClient(secure.url, {});
      const [cookie] = (await signIn(browser, user.email)).headers.getSetCookie();
      expect(cookie).toMatch(new RegExp(`^__Host-${SESSION.cookie}=`));
      expect(cookie).toContain('; Secure');
      expect(await fetchStatus(browser)).toBe(200);
    });

    it('starts a new session and ends the previous one', async () => {
      const { browser, user } = await stack.signedIn();
      const before = browser.at();
      await signIn(browser, user.email);
      expect(getSid(browser)).not.toBe(getSid(before));
      expect(await fetchStatus(browser)).toBe(200);
      expect(await fetchStatus(before)).toBe(401);
    });

    it('never adopts a session id sent by the browser', async () => {
      const { browser, user } = await stack.signedIn();
      await browser.post('/api/logout');
      const fixed = stack.browser();
      fixed.cookies.set(SESSION.cookie, 'chosen-by-someone-else.c2lnbmF0dXJl');
      await signIn(fixed, user.email);
      expect(getSid(fixed)).not.toBe('chosen-by-someone-else');
      expect(await fetchStatus(fixed)).toBe(200);
    });

    it('follows automatically when someone creates an account', async () => {
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
      expect(await fetchStatus(elsewhere)).toBe(200);
      const reply = await browser.post('/api/logout');
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect(browser.cookies.has(SESSION.cookie)).toBe(false);
      expect(await fetchStatus(elsewhere)).toBe(401);
      expect((await elsewhere.post('/api/logout')).status).toBe(204);
      expect((await stack.browser().post('/api/logout')).status).toBe(204);
    });

    it('deletes the stored session', async () => {
      const { browser, user } = await stack.signedIn();
      await browser.post('/api/logout');
      const { rowCount } = await stack.owner.query('SELECT 1 FROM gateway.sessions WHERE user_id = $1', [
        user.id,
      ]);
      expect(rowCount).toBe(0);
    });

    it('by GET ends the session and redirects to the home page', async () => {
      const { browser } = await stack.signedIn();
      const reply = await browser.get('/api/logout', { 'sec-fetch-site': 'same-origin' });
      expect([reply.status, reply.headers.get('location')]).toEqual([302, '/']);
      expect(await fetchStatus(browser)).toBe(401);
    });

    it.each(['image', 'style', 'script', 'empty', 'iframe'])(
      'does nothing when a page loads the sign-out URL as %s',
      async (dest) => {
        const { browser } = await stack.signedIn();
        const from = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': dest };
        expect((await browser.get('/api/logout', from)).status).toBe(302);
        expect(await fetchStatus(browser)).toBe(200);
        expect((await browser.get('/api/logout', { ...from, 'sec-fetch-dest': 'document' })).status).toBe(
          302,
        );
        expect(await fetchStatus(browser)).toBe(401);
      },
    );

    it.each(['cross-site', 'same-site'])('does nothing after a %s request by GET', async (site) => {
      const { browser } = await stack.signedIn();
      expect((await browser.get('/api/logout', { 'sec-fetch-site': site })).status).toBe(302);
      expect(await fetchStatus(browser)).toBe(200);
    });
  });

  describe('existing sessions', () => {
    it('end on a password change, except for the current one, which is renewed', async () => {
      const { browser, user } = await stack.signedIn();
      const other = stack.browser();
      await signIn(other, user.email);
      const stolen = browser.at();
      const reply = await browser.put('/api/user/change-password', {
        currentPassword: PASSWORD,
        newPassword: 'another one',
      });
      expect(reply.status).toBe(200);
      expect([await fetchStatus(browser), await fetchStatus(other), await fetchStatus(stolen)]).toEqual([
        200, 401, 401,
      ]);
    });

    it('end at the next request after the user’s epoch was raised', async () => {
      const { browser, user } = await stack.signedIn();
      expect(await fetchStatus(browser)).toBe(200);
      stack.users.set(user.id, { user, epoch: 2, version: 2 });
      expect(await fetchStatus(browser)).toBe(401);
    });

    it('end at the next request after the account was deleted', async () => {
      const { browser, user } = await stack.signedIn();
      stack.users.delete(user.id);
      expect(await fetchStatus(browser)).toBe(401);
    });

    it('lose a revoked admin right at the next request', async () => {
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

    it('end after seven days without a request and after thirty days in total', async () => {
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
        expect(await fetchStatus(browser)).toBe(200);
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
      expect(await fetchStatus(browser)).toBe(401);
    });
  });

  describe('stored sessions', () => {
    it('need no database query once they are in Redis', async () => {
      const { browser, user } = await stack.signedIn();
      await redis.set(
        userCacheKey(user.id, await generation()),
        JSON.stringify({ user, epoch: 1, version: 1 }),
      );
      stack.users.delete(user.id);
      const database = stack.gateway.app.get(DataSource);
      const query = database.query;
      const statements: string[] = [];
      database.query = ((...given: Parameters<typeof query>) => {
        // Ignores security events of the previous sign-in, which are written after its response.
        if (!/auth\.has_account|gateway\.security_events/.test(given[0])) statements.push(given[0]);
        return query.apply(database, given);
      }) as typeof query;
      try {
        expect(await fetchStatus(browser)).toBe(200);
      } finally {
        database.query = query;
      }
      expect(statements).toEqual([]);
    });

    it('survive the loss of their copies in Redis', async () => {
      const { browser } = await stack.signedIn();
      await forgetCopies();
      expect(await fetchStatus(browser)).toBe(200);
    });

    it('are extended once when two hours have passed, not by each request', async () => {
      const { browser, user } = await stack.signedIn();
      const countCookies = async () => (await browser.get('/api/user')).headers.getSetCookie().length;
      expect(await countCookies()).toBe(0);
      await stack.owner.query(
        `UPDATE gateway.sessions SET expire = expire - interval '2 hours' WHERE user_id = $1`,
        [user.id],
      );
      await redis.del(await sessionKey(browser));
      expect([await countCookies(), await countCookies()]).toEqual([1, 0]);
      expect(await fetchStatus(browser)).toBe(200);
    });

    it('accept only cookies that are signed with a configured secret', async () => {
      const { browser } = await stack.signedIn();
      const next = 'the-session-secret-that-comes-next-in-line';
      const rotated = await stack.another({ sessionSecrets: [next, ...stack.config.sessionSecrets] });
      const replaced = await stack.another({ sessionSecrets: [next] });
      const renewed = browser.at(rotated.url);
      expect(await fetchStatus(renewed)).toBe(200);
      expect(await fetchStatus(renewed.at(replaced.url))).toBe(200);
      expect(await fetchStatus(browser.at(replaced.url))).toBe(401);
    });
  });

  describe('an ended session', () => {
    it('is not restored by a request that loaded it before the sign-out', async () => {
      const store = stack.gateway.app.get(GatewaySessionStore);
      const { browser } = await stack.signedIn();
      const slow = await store.load(getSid(browser));
      await browser.post('/api/logout');
      const late = browser.at();
      expect(await store.prolong(slow!)).toBeNull();
      expect(await fetchStatus(late)).toBe(401);
    });

    it('is not restored by a gateway that read its record before the sign-out', async () => {
      const cache = stack.gateway.app.get(SessionCache);
      const { browser } = await stack.signedIn();
      const [sid, late] = [getSid(browser), browser.at()];
      const read = (await stack.gateway.app.get(SessionRecords).find(sid))!;
      await browser.post('/api/logout');
      await cache.fill(sid, read, await generation());
      await cache.replace(sid, read);
      expect(await fetchStatus(late)).toBe(401);
    });
  });

  describe('an unavailable session store', () => {
    it('causes a 503 instead of a sign-out when Redis is unavailable', async () => {
      const { browser } = await stack.signedIn();
      const cut = await stack.another({ redisUrl: 'redis://127.0.0.1:1/0' });
      const reply = await browser.at(cut.url).get('/api/user');
      expect(reply.status).toBe(503);
      expect(reply.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(reply.headers.getSetCookie()).toEqual([]);
    });

    it('causes a 503 when the database is unavailable', async () => {
      const { browser } = await stack.signedIn();
      await forgetCopies();
      await stack.owner.query('ALTER TABLE gateway.sessions RENAME TO sessions_elsewhere');
      try {
        expect(await fetchStatus(browser)).toBe(503);
        expect((await stack.browser().get('/api/user')).status).toBe(401);
      } finally {
        await stack.owner.query('ALTER TABLE gateway.sessions_elsewhere RENAME TO sessions');
      }
      expect(await fetchStatus(browser)).toBe(200);
    });
  });
});

describe('account security', () => {
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

  const getErrorCode = ({ body }: { body: unknown }) => (body as ErrorBody).code;
  const withFactor = async () => {
    const user = { ...(await stack.addUser()), hasSecondFactor: true };
    stack.users.set(user.id, { user, epoch: 1, version: 1 });
    return user;
  };
  const signIn = (browser: ApiClient, { email }: User) =>
    browser.post('/api/login', { email, password: PASSWORD });

  describe('a sign-in in two steps', () => {
    it('starts a session only after the second step', async () => {
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
      expect(getErrorCode(await browser.post('/api/login/second-factor', { code: '000000' }))).toBe(
        'SECOND_FACTOR_INCORRECT',
      );
      const second = await browser.post('/api/login/second-factor', { code: '123456' });
      expect([second.status, second.body]).toEqual([200, user]);
      expect((await browser.get('/api/user')).status).toBe(200);
      expect(browser.cookies.has(PENDING)).toBe(false);
    });

    it('needs the cookie from the first step', async () => {
      const reply = await stack.browser().post('/api/login/second-factor', { code: '123456' });
      expect([reply.status, getErrorCode(reply)]).toEqual([401, 'SECOND_FACTOR_EXPIRED']);
    });

    it('ends after the first step for an account without a second factor', async () => {
      const { user } = await stack.signedIn();
      const reply = await signIn(stack.browser(), user);
      expect([reply.status, reply.body]).toEqual([200, user]);
    });
  });

  describe('administrators', () => {
    it('need a second factor for admin actions only if the settings require it', async () => {
      const { browser } = await stack.signedIn({ isAdmin: true });
      const other = await stack.addUser();
      const promote = () => browser.put(`/api/admin/users/${other.id}/toggle-admin`, { isAdmin: true });
      const { community } = stack.gateway.app.get(CommunityFollower);
      const before = promoted;
      expect([(await promote()).status, promoted]).toEqual([200, before + 1]);
      try {
        community.adminSecondFactorRequired = true;
        const refused = await promote();
        expect([refused.status, getErrorCode(refused)]).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
        expect(promoted).toBe(before + 1);
        expect((await browser.get('/api/config')).body).not.toHaveProperty('adminSecondFactorRequired');
      } finally {
        community.adminSecondFactorRequired = false;
      }
      expect((await promote()).status).toBe(200);
    });

    it('lose their admin rights while they lack a required second factor', async () => {
      const strict = await stack.another({ adminSecondFactor: 'required' });
      const admin = await stack.addUser({ isAdmin: true });
      const browser = new ApiClient(strict.url, {});
      expect((await signIn(browser, admin)).status).toBe(200);
      expect((await browser.get('/api/user')).body).toMatchObject({ isAdmin: true });
      const refused = await browser.get('/api/admin/users');
      expect([refused.status, getErrorCode(refused)]).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
      stack.users.set(admin.id, { user: { ...admin, hasSecondFactor: true }, epoch: 1, version: 2 });
      expect(getErrorCode(await browser.get('/api/admin/nothing'))).toBe('NOT_FOUND');
      expect(getErrorCode(await browser.get('/api/admin/users'))).not.toBe('SECOND_FACTOR_SETUP_REQUIRED');
    });

    it('need to confirm their identity for dangerous actions when the sign-in is old', async () => {
      const { browser, user } = await stack.signedIn({ isAdmin: true });
      const other = await stack.addUser();
      const promote = () => browser.put(`/api/admin/users/${other.id}/toggle-admin`, { isAdmin: true });
      await growOld(stack, user, 'sensitive');
      expect((await promote()).status).toBe(200);
      expect((await browser.get('/api/user/confirm')).status).toBe(204);
      await growOld(stack, user, 'administration');
      expect(getErrorCode(await browser.get('/api/user/confirm'))).toBe('FRESH_SIGN_IN_REQUIRED');
      const before = promoted;
      const refused = await promote();
      expect([refused.status, getErrorCode(refused), promoted]).toEqual([
        403,
        'FRESH_SIGN_IN_REQUIRED',
        before,
      ]);
      expect((await browser.get('/api/user')).status).toBe(200);
      expect(getErrorCode(await browser.post('/api/user/confirm', { password: 'wrong' }))).toBe(
        'CURRENT_PASSWORD_INCORRECT',
      );
      expect((await promote()).status).toBe(403);
      const asked = Date.now();
      expect((await browser.post('/api/user/confirm', { password: PASSWORD })).status).toBe(204);
      expect((await promote()).status).toBe(200);
      // The time isn't exact, because it was converted to Redis's clock and back.
      expect(Math.abs(confirmedAt! - asked)).toBeLessThan(5_000);
    });

    it.each([
      ['DELETE', '/api/admin/users/:id', 'administration'],
      ['PUT', '/api/admin/users/:id/reset-password', 'administration'],
      ['DELETE', '/api/admin/users/:id/second-factors', 'sensitive'],
    ] as const)('need a fresh sign-in for %s %s too', async (method, path, kind) => {
      const { browser, user } = await stack.signedIn({ isAdmin: true });
      await growOld(stack, user, kind);
      const reply = await browser.send(method, path.replace(':id', user.id), { newPassword: 'secret' });
      expect(getErrorCode(reply)).toBe('FRESH_SIGN_IN_REQUIRED');
    });
  });

  describe('a new second factor', () => {
    it('can only be added after a fresh sign-in', async () => {
      const { browser, user } = await stack.signedIn();
      await growOld(stack, user, 'sensitive');
      expect(getErrorCode(await browser.post('/api/user/second-factors/totp'))).toBe(
        'FRESH_SIGN_IN_REQUIRED',
      );
    });

    it('names the community and account in its QR code and ends other sessions', async () => {
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

  describe('the sessions of a member', () => {
    const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

    it('are listed without secrets and can be ended one by one or together', async () => {
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
      expect(getErrorCode(await browser.delete(`/api/user/sessions/${listed.id}`))).toBe('SESSION_NOT_FOUND');
      expect((await browser.delete('/api/user/sessions')).status).toBe(204);
      expect((await third.get('/api/user')).status).toBe(401);
      expect((await browser.get('/api/user')).status).toBe(200);
    });

    const begun = ({ id }: User, count: number) =>
      stack.owner.query(
        `INSERT INTO gateway.sessions (sid, user_id, expire, sess)
       SELECT gen_random_uuid(), $1, now() + interval '1 hour',
         json_build_object('userId', $1::uuid, 'epoch', 1, 'createdAt', $2::bigint + n) FROM generate_series(1, $3::int) AS n`,
        [id, Date.now(), count],
      );
    const kept = async ({ id }: User) =>
      (await stack.owner.query('SELECT sid FROM gateway.sessions WHERE user_id = $1', [id])).rowCount;

    it('can all be ended together, even if there are more than 200', async () => {
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

    it('are limited to 200 by ending the oldest', async () => {
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

    it('cannot be ended by another member', async () => {
      const ada = await stack.signedIn();
      const eve = await stack.signedIn();
      const [session] = (await ada.browser.get<OwnSession[]>('/api/user/sessions')).body;
      expect(getErrorCode(await eve.browser.delete(`/api/user/sessions/${session!.id}`))).toBe(
        'SESSION_NOT_FOUND',
      );
      expect((await ada.browser.get('/api/user')).status).toBe(200);
    });
  });
});

const NO_PRIMARY = ['127.0.0.1', 1] as const;

describe('an acknowledged change', () => {
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
  const tell = async (client: Redis, userId: string) => {
    const generation = generationIn(await client.info(...ASK_GENERATION)) ?? '';
    await client.set(userCacheKey(userId, generation), JSON.stringify(stack.users.get(userId)));
  };
  const demote = (userId: string) => {
    const { user, epoch, version } = stack.users.get(userId)!;
    stack.users.set(userId, { user: { ...user, isAdmin: false }, epoch, version: version + 1 });
  };
  const answered = (browser: ApiClient) =>
    until('an answer', 60_000, async () => (await browser.get('/api/user')).status !== 503);

  it('stays in effect after a failover to a Redis replica that missed it', async () => {
    const [primary, replica] = redis as [Redis, Redis];
    const { hostname, port } = new URL(servers[0]!.ownerUrl);
    await replica.replicaof(hostname, Number(port));
    await until('the replica', 60_000, async () =>
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

  it('stays in effect after Redis was temporarily a replica and missed it', async () => {
    const [primary] = redis as [Redis];
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    await tell(primary, user.id);
    expect(await isAdmin(browser)).toBe(true);
    await primary.replicaof(...NO_PRIMARY);
    await until('it to be noticed', 60_000, async () => (await browser.get('/api/user')).status === 503);
    demote(user.id);
    await primary.replicaof('NO', 'ONE');
    await answered(browser);
    expect(await isAdmin(browser)).toBe(false);
  });

  it('applies everywhere when a gateway unaware of a failover ends a session', async () => {
    const opened = async () => {
      const cache = new SessionCache({ redisUrl: servers[0]!.urlFor('gateway') } as GatewayConfig);
      caches.push(cache);
      await until('the connection', 60_000, () => cache.load('none').then(() => true));
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
