import {
  SESSION,
  userCacheKey,
  BeginRestoring,
  BeginSecondStep,
  BeginTotp,
  CloseAccount,
  CompleteSecondStep,
  ConfirmTotp,
  DomainError,
  Reauthenticate,
  RestoreAccount,
  SetAccountAdmin,
  type ErrorBody,
  type OwnSession,
  type User,
} from '@meetmark/contracts';
import { Signer } from '@fastify/cookie';
import { jest } from '@jest/globals';
import { CommunityFollower } from '@meetmark/platform';
import { generationIn, ASK_GENERATION } from '@meetmark/platform/redis/generation';
import { ApiClient } from '@meetmark/testing/http-client';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { startRedis, until, type PrivateRedis } from '@meetmark/testing';
import { growOld, openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';
import { SessionCache } from './session-cache.js';
import { GatewaySessionStore } from './session-store.js';
import { SessionRecords } from './sessions.repository.js';
import type { Gateway } from '../open-gateway.js';
import type { GatewayConfig } from '../gateway.config.js';
import type { StoredSession } from './session.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TOKEN = 'the-token-of-a-pending-sign-in';
const PENDING = 'meetmark_pending';
const RESTORING = 'the-token-for-restoring-an-account';
const NEXT_SECRET = 'the-session-secret-that-comes-next-in-line';
const NO_PRIMARY = ['127.0.0.1', 1] as const;

describe('sessions', () => {
  let servers: [PrivateRedis, PrivateRedis];
  let primary: Redis;
  let replica: Redis;
  let proxy: SilentProxy;
  let stack: TestGateway;
  /** Gateway with the next session secret, whose operator requires second factors of administrators. */
  let other: Gateway;
  let promoted = 0;
  let confirmedAt: number | undefined;
  let closed: string | undefined;
  const auth = scenes(
    played(BeginSecondStep, ({ userId }) =>
      stack.users.get(userId)!.user.hasSecondFactor ? { token: TOKEN, methods: ['totp', 'recovery'] } : null,
    ),
    played(BeginRestoring, () => ({ token: RESTORING })),
    played(RestoreAccount, ({ token }) => {
      if (token !== RESTORING) throw new DomainError('SECOND_FACTOR_EXPIRED');
      const { deletedAt: _, ...restored } = [...stack.users.values()].at(-1)!;
      stack.users.set(restored.user.id, restored);
      return restored;
    }),
    played(CloseAccount, (_, call) => void (closed = call.identity!.sub)),
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
  );
  beforeAll(async () => {
    servers = await Promise.all([startRedis(), startRedis()]);
    [primary, replica] = [new Redis(servers[0].ownerUrl), new Redis(servers[1].ownerUrl)];
    proxy = await SilentProxy.before(servers[0].ownerUrl);
    stack = await openTestGateway({ config: { redisUrl: proxy.url }, auth });
    const sessionSecrets = [NEXT_SECRET, ...stack.config.sessionSecrets];
    other = await stack.another({ sessionSecrets, adminSecondFactor: 'required' });
  });
  afterAll(async () => {
    await stack.close();
    for (const client of [primary, replica]) client.disconnect();
    await proxy.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const fetchStatus = async (browser: ApiClient) => (await browser.get('/api/user')).status;
  const getErrorCode = ({ body }: { body: unknown }) => (body as ErrorBody).code;
  const generationOf = async (client: Redis) => generationIn(await client.info(...ASK_GENERATION)) ?? '';
  const getSid = (browser: ApiClient) =>
    decodeURIComponent(browser.cookies.get(SESSION.cookie) ?? '').split('.')[0]!;
  const signIn = (browser: ApiClient, { email }: Pick<User, 'email'>) =>
    browser.post('/api/login', { email, password: PASSWORD });
  const forgetCopy = async (browser: ApiClient) =>
    primary.del(`session:${await generationOf(primary)}:${getSid(browser)}`);
  const setUser = (user: User, { epoch = 1 } = {}) =>
    stack.users.set(user.id, { user, epoch, version: stack.users.get(user.id)!.version + 1 });

  describe('signing in', () => {
    it('returns the user and starts a session', async () => {
      const { browser, user } = await stack.signedIn();
      const reply = await browser.get('/api/user');
      expect([reply.status, reply.body]).toEqual([200, user]);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('vary')).toContain('Cookie');
    });

    it('protects the cookie from scripts and other sites', async () => {
      const [cookie] = (await signIn(stack.browser(), await stack.addUser())).headers.getSetCookie();
      expect(cookie).toMatch(new RegExp(`^${SESSION.cookie}=`));
      expect(cookie!.split('; ')).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/']));
      expect(cookie).not.toContain('Secure');
      const expires = Date.parse(/Expires=([^;]+)/.exec(cookie!)![1]!);
      expect(Math.abs(expires - Date.now() - SESSION.idle)).toBeLessThan(60_000);
    });

    it('starts a new session and ends the previous one', async () => {
      const { browser, user } = await stack.signedIn();
      const before = browser.at();
      await signIn(browser, user);
      expect(getSid(browser)).not.toBe(getSid(before));
      expect([await fetchStatus(browser), await fetchStatus(before)]).toEqual([200, 401]);
    });

    it('never adopts a session id sent by the browser', async () => {
      const fixed = stack.browser();
      fixed.cookies.set(SESSION.cookie, 'chosen-by-someone-else.c2lnbmF0dXJl');
      await signIn(fixed, await stack.addUser());
      expect(getSid(fixed)).not.toBe('chosen-by-someone-else');
      expect(await fetchStatus(fixed)).toBe(200);
    });
  });

  describe('signing out', () => {
    it('ends the session on every gateway, and is safe to repeat', async () => {
      const { browser, user } = await stack.signedIn();
      const elsewhere = browser.at(other.url);
      expect(await fetchStatus(elsewhere)).toBe(200);
      const reply = await browser.post('/api/logout');
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect(browser.cookies.has(SESSION.cookie)).toBe(false);
      const stored = await stack.owner.query('SELECT FROM gateway.sessions WHERE user_id = $1', [user.id]);
      expect(stored.rowCount).toBe(0);
      expect(await fetchStatus(elsewhere)).toBe(401);
      expect((await elsewhere.post('/api/logout')).status).toBe(204);
      expect((await stack.browser().post('/api/logout')).status).toBe(204);
    });

    it.each<[site: string, dest: object, left: number]>([
      ['same-origin', {}, 401],
      ['same-origin', { 'sec-fetch-dest': 'document' }, 401],
      ...['image', 'style', 'script', 'empty', 'iframe'].map((dest): [string, object, number] => [
        'same-origin',
        { 'sec-fetch-dest': dest },
        200,
      ]),
      ['cross-site', {}, 200],
      ['same-site', {}, 200],
    ])('by GET from %s with %j leaves the session with status %i', async (site, dest, left) => {
      const { browser } = await stack.signedIn();
      const reply = await browser.get('/api/logout', { 'sec-fetch-site': site, ...dest });
      expect([reply.status, reply.headers.get('location')]).toEqual([302, '/']);
      expect(await fetchStatus(browser)).toBe(left);
    });
  });

  describe('existing sessions', () => {
    it('end on a password change, except for the current one, which is renewed', async () => {
      const { browser, user } = await stack.signedIn();
      const [another, stolen] = [stack.browser(), browser.at()];
      await signIn(another, user);
      const passwords = { currentPassword: PASSWORD, newPassword: 'another one' };
      expect((await browser.put('/api/user/change-password', passwords)).status).toBe(200);
      expect(await Promise.all([browser, another, stolen].map(fetchStatus))).toEqual([200, 401, 401]);
    });

    it('end at the next request after the epoch was raised or the account deleted', async () => {
      const [one, two] = [await stack.signedIn(), await stack.signedIn()];
      expect([await fetchStatus(one.browser), await fetchStatus(two.browser)]).toEqual([200, 200]);
      setUser(one.user, { epoch: 2 });
      stack.users.delete(two.user.id);
      expect([await fetchStatus(one.browser), await fetchStatus(two.browser)]).toEqual([401, 401]);
    });

    it('lose a revoked admin right at the next request', async () => {
      const { browser, user } = await stack.signedIn({ isAdmin: true });
      expect((await browser.post('/api/events', {})).status).toBe(400);
      setUser({ ...user, isAdmin: false });
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
        await forgetCopy(browser);
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
      const cached = JSON.stringify({ user, epoch: 1, version: 1 });
      await primary.set(userCacheKey(user.id, await generationOf(primary)), cached);
      stack.users.delete(user.id);
      const query = jest.spyOn(stack.gateway.app.get(DataSource), 'query');
      expect(await fetchStatus(browser)).toBe(200);
      const statements = query.mock.calls.map(([statement]) => statement);
      query.mockRestore();
      // Ignores checks of the settings, and security events of the sign-in, which are written later.
      const others = /auth\.has_account|gateway\.security_events|admin\.community/;
      expect(statements.filter((statement) => !others.test(statement))).toEqual([]);
    });

    it('are extended once when two hours have passed, not by each request', async () => {
      const { browser, user } = await stack.signedIn();
      const countCookies = async () => (await browser.get('/api/user')).headers.getSetCookie().length;
      expect(await countCookies()).toBe(0);
      const age = `UPDATE gateway.sessions SET expire = expire - interval '2 hours' WHERE user_id = $1`;
      await stack.owner.query(age, [user.id]);
      await forgetCopy(browser);
      expect([await countCookies(), await countCookies()]).toEqual([1, 0]);
      expect(await fetchStatus(browser)).toBe(200);
    });

    it('accept only cookies that are signed with a configured secret', async () => {
      const { browser } = await stack.signedIn();
      const renewed = browser.at(other.url);
      expect(await fetchStatus(renewed)).toBe(200);
      const cookie = decodeURIComponent(renewed.cookies.get(SESSION.cookie)!);
      expect(new Signer([NEXT_SECRET]).unsign(cookie)).toMatchObject({ valid: true, value: getSid(browser) });
      expect([await fetchStatus(renewed), await fetchStatus(renewed.at(stack.url))]).toEqual([200, 401]);
    });

    it('cause a 503 instead of a sign-out when the database is unavailable', async () => {
      const { browser } = await stack.signedIn();
      await forgetCopy(browser);
      await stack.owner.query('ALTER TABLE gateway.sessions RENAME TO sessions_elsewhere');
      try {
        expect(await fetchStatus(browser)).toBe(503);
        expect(await fetchStatus(stack.browser())).toBe(401);
      } finally {
        await stack.owner.query('ALTER TABLE gateway.sessions_elsewhere RENAME TO sessions');
      }
      expect(await fetchStatus(browser)).toBe(200);
    });
  });

  describe('an ended session', () => {
    it('is not restored by a request that loaded it before the sign-out', async () => {
      const store = stack.gateway.app.get(GatewaySessionStore);
      const { browser } = await stack.signedIn();
      const late = browser.at();
      const slow = await store.load(getSid(browser));
      await browser.post('/api/logout');
      expect(await store.prolong(slow!)).toBeNull();
      expect(await fetchStatus(late)).toBe(401);
    });

    it('is not restored by a gateway that read its record before the sign-out', async () => {
      const cache = stack.gateway.app.get(SessionCache);
      const { browser } = await stack.signedIn();
      const [sid, late] = [getSid(browser), browser.at()];
      const read = (await stack.gateway.app.get(SessionRecords).find(sid))!;
      await browser.post('/api/logout');
      await cache.fill(sid, read, await generationOf(primary));
      await cache.replace(sid, read);
      expect(await fetchStatus(late)).toBe(401);
    });
  });

  describe('a sign-in in two steps', () => {
    it('starts a session only after the second step', async () => {
      const user = { ...(await stack.addUser()), hasSecondFactor: true };
      setUser(user);
      const browser = stack.browser();
      const first = await signIn(browser, user);
      expect([first.status, getErrorCode(first)]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
      expect(first.headers.getSetCookie()[0]).toMatch(new RegExp(`^${PENDING}=${TOKEN}; .*HttpOnly`));
      expect(await fetchStatus(browser)).toBe(401);
      const finish = (code: string) => browser.post('/api/login/second-factor', { code });
      expect(getErrorCode(await finish('000000'))).toBe('SECOND_FACTOR_INCORRECT');
      const second = await finish('123456');
      expect([second.status, second.body]).toEqual([200, user]);
      expect(await fetchStatus(browser)).toBe(200);
      expect(browser.cookies.has(PENDING)).toBe(false);
    });

    it.each(['second-factor', 'restore'])('needs the cookie from the first step: %s', async (step) => {
      const reply = await stack.browser().post(`/api/login/${step}`, { code: '123456' });
      expect([reply.status, getErrorCode(reply)]).toEqual([401, 'SECOND_FACTOR_EXPIRED']);
    });
  });

  describe('a closed account', () => {
    const deletedAt = '2032-05-08T17:00:00.000Z';
    const addClosed = async (given: Partial<User> = {}) => {
      const user = { ...(await stack.addUser()), ...given };
      stack.users.set(user.id, { ...stack.users.get(user.id)!, user, deletedAt });
      return user;
    };

    it.each([
      ['its password', {}],
      ['a second factor', { hasSecondFactor: true }],
    ])('can be restored after a sign-in with %s, which starts no session', async (_, given) => {
      const user = await addClosed(given);
      const browser = stack.browser();
      let refused = await signIn(browser, user);
      if ('hasSecondFactor' in given) {
        expect(getErrorCode(refused)).toBe('SECOND_FACTOR_REQUIRED');
        refused = await browser.post('/api/login/second-factor', { code: '123456' });
      }
      const body = { code: 'ACCOUNT_CLOSED', details: { deletedAt } };
      expect(refused).toMatchObject({ status: 403, body });
      expect(await fetchStatus(browser)).toBe(401);
      const restored = await browser.post('/api/login/restore');
      expect([restored.status, restored.body]).toEqual([200, user]);
      expect(await fetchStatus(browser)).toBe(200);
      expect(browser.cookies.has(PENDING)).toBe(false);
    });

    it('is closed by its member, whose session ends', async () => {
      const { browser, user } = await stack.signedIn();
      const reply = await browser.delete('/api/user');
      expect([reply.status, closed]).toEqual([204, user.id]);
      expect(browser.cookies.has(SESSION.cookie)).toBe(false);
    });
  });

  describe('administrators', () => {
    const openPromotion = async () => {
      const { browser, user } = await stack.signedIn({ isAdmin: true });
      const path = `/api/admin/users/${(await stack.addUser()).id}/toggle-admin`;
      return { browser, user, promote: () => browser.put(path, { isAdmin: true }) };
    };

    it('need a second factor for admin actions only if the settings require it', async () => {
      const { browser, promote } = await openPromotion();
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
      const admin = await stack.addUser({ isAdmin: true });
      const browser = new ApiClient(other.url, {});
      expect((await signIn(browser, admin)).status).toBe(200);
      expect((await browser.get('/api/user')).body).toMatchObject({ isAdmin: true });
      const refused = await browser.get('/api/admin/users');
      expect([refused.status, getErrorCode(refused)]).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
      setUser({ ...admin, hasSecondFactor: true });
      expect(getErrorCode(await browser.get('/api/admin/users'))).not.toBe('SECOND_FACTOR_SETUP_REQUIRED');
    });

    it('need to confirm their identity for dangerous actions when the sign-in is old', async () => {
      const { browser, user, promote } = await openPromotion();
      const confirm = (password: string) => browser.post('/api/user/confirm', { password });
      await growOld(stack, user, 'sensitive');
      expect((await promote()).status).toBe(200);
      expect((await browser.get('/api/user/confirm')).status).toBe(204);
      await growOld(stack, user, 'administration');
      expect(getErrorCode(await browser.get('/api/user/confirm'))).toBe('FRESH_SIGN_IN_REQUIRED');
      const before = promoted;
      const refused = await promote();
      expect([refused.status, getErrorCode(refused)]).toEqual([403, 'FRESH_SIGN_IN_REQUIRED']);
      expect(promoted).toBe(before);
      expect(await fetchStatus(browser)).toBe(200);
      expect(getErrorCode(await confirm('wrong'))).toBe('CURRENT_PASSWORD_INCORRECT');
      expect((await promote()).status).toBe(403);
      const asked = Date.now();
      expect((await confirm(PASSWORD)).status).toBe(204);
      expect((await promote()).status).toBe(200);
      // The time isn't exact, because it was converted to Redis's clock and back.
      expect(Math.abs(confirmedAt! - asked)).toBeLessThan(5_000);
    });

    it.each([
      ['DELETE', '/api/admin/users/:id', 'administration'],
      ['PUT', '/api/admin/users/:id/reset-password', 'administration'],
      ['DELETE', '/api/admin/users/:id/second-factors', 'sensitive'],
      ['PUT', '/api/admin/settings', 'sensitive'],
      ['POST', '/api/admin/settings/import', 'sensitive'],
      ['POST', '/api/user/second-factors/totp', 'sensitive'],
    ] as const)('need a fresh sign-in for %s %s too', async (method, path, kind) => {
      const { browser, user } = await stack.signedIn({ isAdmin: true });
      await growOld(stack, user, kind);
      const reply = await browser.send(method, path.replace(':id', user.id), {});
      expect(getErrorCode(reply)).toBe('FRESH_SIGN_IN_REQUIRED');
    });
  });

  it('a new second factor names the community and account and ends other sessions', async () => {
    const { browser, user } = await stack.signedIn();
    const another = stack.browser();
    await signIn(another, user);
    const { body } = await browser.post<{ uri: string }>('/api/user/second-factors/totp');
    expect(body.uri).toBe(
      `otpauth://totp/Northern%20Digital%20Marketers:${encodeURIComponent(user.email)}?secret=JBSWY3DPEHPK3PXP&issuer=Northern%20Digital%20Marketers`,
    );
    const factor = { name: 'Phone', code: '123456' };
    const added = await browser.post('/api/user/second-factors/totp/confirm', factor);
    expect(added.status).toBe(201);
    expect(Object.keys(added.body as object)).toEqual(['factor', 'recoveryCodes']);
    expect([await fetchStatus(browser), await fetchStatus(another)]).toEqual([200, 401]);
  });

  describe('the sessions of a member', () => {
    const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
    const list = (browser: ApiClient) => browser.get<OwnSession[]>('/api/user/sessions');

    it('are listed without secrets and can be ended one by one or together', async () => {
      const { browser, user } = await stack.signedIn();
      const firefox = stack.browser({ 'user-agent': FIREFOX });
      const third = stack.browser();
      for (const each of [firefox, third]) await signIn(each, user);
      const { body, text } = await list(browser);
      expect(body.map(({ current }) => current).sort()).toEqual([false, false, true]);
      const listed = body.find(({ device }) => device === 'Firefox on Windows')!;
      expect(listed.network).toMatch(/\/24$|\/48$/);
      for (const [, value] of [...browser.cookies, ...firefox.cookies])
        expect(text).not.toContain(value.split('.')[0]);
      const end = (id = '') => browser.delete(`/api/user/sessions${id}`);
      expect((await end(`/${listed.id}`)).status).toBe(204);
      expect(await fetchStatus(firefox)).toBe(401);
      expect(getErrorCode(await end(`/${listed.id}`))).toBe('SESSION_NOT_FOUND');
      expect((await end()).status).toBe(204);
      expect([await fetchStatus(third), await fetchStatus(browser)]).toEqual([401, 200]);
    });

    const begin = ({ id }: User, count: number) =>
      stack.owner.query(
        `INSERT INTO gateway.sessions (sid, user_id, expire, sess)
       SELECT gen_random_uuid(), $1, now() + interval '1 hour',
         json_build_object('userId', $1::uuid, 'epoch', 1, 'createdAt', $2::bigint + n) FROM generate_series(1, $3::int) AS n`,
        [id, Date.now(), count],
      );

    it('can all be ended together, even if there are more than 200', async () => {
      const thief = await stack.signedIn();
      const owner = stack.browser();
      await signIn(owner, thief.user);
      await begin(thief.user, 205);
      expect(await fetchStatus(thief.browser)).toBe(200);
      expect((await owner.delete('/api/user/sessions')).status).toBe(204);
      expect([await fetchStatus(thief.browser), await fetchStatus(owner)]).toEqual([401, 200]);
      expect((await list(owner)).body).toHaveLength(1);
    });

    it('are limited to 200 by ending the oldest', async () => {
      const { browser: oldest, user } = await stack.signedIn();
      await begin(user, 199);
      expect(await fetchStatus(oldest)).toBe(200);
      const newest = Array.from({ length: 5 }, () => stack.browser());
      await Promise.all(newest.map((browser) => signIn(browser, user)));
      expect(await fetchStatus(oldest)).toBe(401);
      const kept = await stack.owner.query('SELECT FROM gateway.sessions WHERE user_id = $1', [user.id]);
      expect(kept.rowCount).toBe(200);
      for (const browser of newest) expect(await fetchStatus(browser)).toBe(200);
    });

    it('cannot be ended by another member', async () => {
      const [ada, eve] = [await stack.signedIn(), await stack.signedIn()];
      const [session] = (await list(ada.browser)).body;
      const reply = await eve.browser.delete(`/api/user/sessions/${session!.id}`);
      expect(getErrorCode(reply)).toBe('SESSION_NOT_FOUND');
      expect(await fetchStatus(ada.browser)).toBe(200);
    });
  });

  // These tests come last, because they leave the gateways connected to the other Redis.
  describe('an acknowledged change', () => {
    const isAdmin = async (browser: ApiClient) => {
      const { status, body } = await browser.get('/api/user');
      return status === 200 ? (body as { isAdmin: boolean }).isAdmin : status;
    };
    const tell = async (userId: string) => {
      const key = userCacheKey(userId, await generationOf(primary));
      await primary.set(key, JSON.stringify(stack.users.get(userId)));
    };
    const answered = (browser: ApiClient) =>
      until('an answer', 60_000, async () => (await fetchStatus(browser)) !== 503);

    it('stays in effect after Redis was temporarily a replica and missed it', async () => {
      const { browser, user } = await stack.signedIn({ isAdmin: true });
      await tell(user.id);
      expect(await isAdmin(browser)).toBe(true);
      await primary.replicaof(...NO_PRIMARY);
      await until('it to be noticed', 60_000, async () => (await fetchStatus(browser)) === 503);
      setUser({ ...user, isAdmin: false });
      await primary.replicaof('NO', 'ONE');
      await answered(browser);
      expect(await isAdmin(browser)).toBe(false);
    });

    it('stays in effect after a failover to a Redis replica that missed it', async () => {
      const { hostname, port } = new URL(servers[0].ownerUrl);
      await replica.replicaof(hostname, Number(port));
      await until('the replica', 60_000, async () =>
        (await replica.info('replication')).includes('master_link_status:up'),
      );
      const leaver = await stack.signedIn();
      const demoted = await stack.signedIn({ isAdmin: true });
      for (const { user } of [leaver, demoted]) await tell(user.id);
      expect([await isAdmin(leaver.browser), await isAdmin(demoted.browser)]).toEqual([false, true]);
      expect(await primary.wait(1, 5_000)).toBe(1);

      await replica.replicaof('NO', 'ONE');
      const left = leaver.browser.at();
      expect((await leaver.browser.post('/api/logout')).status).toBe(204);
      setUser({ ...demoted.user, isAdmin: false });
      await tell(demoted.user.id);
      expect([await isAdmin(left), await isAdmin(demoted.browser)]).toEqual([401, false]);

      proxy.leadTo(servers[1].ownerUrl);
      await answered(demoted.browser);
      expect([await isAdmin(left), await isAdmin(demoted.browser)]).toEqual([401, false]);
    });

    it('applies everywhere when a gateway unaware of a failover ends a session', async () => {
      const caches: SessionCache[] = [];
      const opened = async () => {
        const cache = new SessionCache({ redisUrl: servers[0].urlFor('gateway') } as GatewayConfig);
        caches.push(cache);
        await until('the connection', 60_000, () => cache.load('none').then(() => true));
        return cache;
      };
      const late = await opened();
      await primary.replicaof(...NO_PRIMARY);
      await primary.replicaof('NO', 'ONE');
      const early = await opened();
      const { generation } = await early.load('sid');
      await early.fill('sid', { userId: 'ada' } as StoredSession, generation);
      expect((await early.load('sid')).session).toMatchObject({ userId: 'ada' });
      await late.end('sid');
      expect((await early.load('sid')).session).toBeNull();
      for (const cache of caches) cache.onApplicationShutdown();
    });
  });
});
