import {
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
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { ApiClient } from '@meetmark/testing/http-client';
import { grownOld, openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';

const TOKEN = 'the-token-of-a-pending-sign-in';
const PENDING = 'meetmark_pending';

let stack: TestGateway;
let promoted = 0;
let confirmedAt: number | undefined;

beforeAll(async () => {
  stack = await openTestGateway({
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
});
afterAll(() => stack.close());

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
