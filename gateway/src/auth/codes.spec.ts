import {
  CancelEmailChange,
  ConfirmCode,
  ConfirmLink,
  DomainError,
  GetFlow,
  RequestCode,
  RequestVerification,
  ResetPassword,
  RevertEmail,
  SESSION,
  UpdateProfile,
  type Asker,
  type Confirmation,
  type ConfirmedFlow,
  type ErrorBody,
  GetSetupState,
  type SessionUser,
  SetUp,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { inTurns, tally, until } from '@meetmark/testing';
import type { ApiClient } from '@meetmark/testing/http-client';
import { gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';
import { Services } from '../services.js';
import { Installation } from '../site/installation.js';

describe('emailed codes', () => {
  const LINK = 'a'.repeat(22);
  /** Requests or attempts per network. A known browser or account has two more of its own. */
  const LIMIT = 11;
  /** Additional code requests for a /24 network with a signed-in member. */
  const RESERVE = 5 * LIMIT;
  const SETUP_TOKEN = 'A'.repeat(22);
  let asked: { asker?: Asker; purpose?: string; currentPassword?: string }[];
  let confirmed: ConfirmedFlow | Error;
  let confirmedFlow: string | undefined;
  let isOpen = true;
  let newOwner: SessionUser;
  const note = (request: object) => void asked.push(request);
  const answer = (request: object) => {
    note(request);
    if (confirmed instanceof Error) throw confirmed;
    return confirmed;
  };
  const stack = gatewayForTests({
    rateLimits: `code-requests=${LIMIT}/600,code-attempts=${LIMIT}/600`,
    auth: scenes(
      played(GetSetupState, () => ({ open: isOpen })),
      played(SetUp, (request) => {
        if (request.token !== SETUP_TOKEN) throw new DomainError('SETUP_LINK_INVALID');
        return newOwner;
      }),
      played(RequestCode, note),
      played(RequestVerification, note),
      played(ConfirmCode, answer),
      played(ConfirmLink, answer),
      played(GetFlow, ({ browser }) => ({ status: browser === confirmedFlow ? 'confirmed' : 'open' })),
      played(ResetPassword, (request) => {
        note(request);
        return [...stack.users.values()].find(({ user }) => user.email === request.email)!;
      }),
      played(UpdateProfile, (request, call) => {
        note(request);
        return stack.users.get(call.identity!.sub)!;
      }),
      played(CancelEmailChange, (_, call) => stack.users.get(call.identity!.sub)!),
      played(RevertEmail, () => ({ email: 'ada@example.com', resetToken: LINK })),
    ),
  });
  let host = 0;
  beforeEach(() => {
    asked = [];
    host += 1;
  });
  const visitor = (ip = `10.0.${host}.1`) => stack.browser({ 'x-forwarded-for': ip });
  const getFlowId = (browser: ApiClient, purpose: string) =>
    browser.cookies.get(`meetmark_flow_${purpose}`)?.split('.')[0];
  const signedInHere = async () => {
    const [browser, user] = [visitor(), await stack.addUser()];
    await browser.signIn({ email: user.email, password: PASSWORD });
    return { browser, user };
  };
  /** Sends requests for codes one after the other, and counts the status codes. */
  const requests = async (count: number, ip?: string) => {
    const emails = Array.from({ length: count }, (_, n) => `a${n}@example.com`);
    const send = (email: string) => visitor(ip).post('/api/forgot-password', { email });
    return tally((await inTurns(emails, 1, send)).map(({ status }) => status));
  };
  const outcome = (given: Partial<ConfirmedFlow>): ConfirmedFlow => ({
    purpose: 'verify',
    member: null,
    signsIn: false,
    next: null,
    passwordEnded: false,
    ...given,
  });

  describe('the setup of an installation without an owner', () => {
    const owner = { email: 'ola@rust.example', firstName: 'Ola', lastName: 'Silva', password: PASSWORD };
    beforeAll(async () => {
      const { id } = await stack.addUser({ email: owner.email, isAdmin: true });
      newOwner = stack.users.get(id)!;
    });

    it('redirects visitors of every page to /setup, which omits the community’s name', async () => {
      const browser = stack.browser();
      const event = '/events/0197f000-0000-7000-8000-000000000000';
      for (const path of ['/', event, '/e/seo', '/nowhere']) {
        const { status, headers } = await browser.get(path, { accept: 'text/html' });
        const led = [path, status, headers.get('location'), headers.get('cache-control')];
        expect(led).toEqual([path, 302, '/setup', 'no-store']);
      }
      const page = await browser.get('/setup', { accept: 'text/html' });
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const [head] = page.text.split('<script');
      expect(head).toContain('noindex');
      expect(head).toContain('<i>wait</i>');
      expect(head).not.toContain('Northern');
      expect((await browser.get('/app.js')).text).toBe('export {};');
    });

    it('rejects sign-ups and registrations before setup', async () => {
      const { password, ...person } = owner;
      const event = '/api/events/0197f000-0000-7000-8000-000000000000/rsvp';
      for (const [path, body] of [
        ['/api/register', { ...person, password, linkedInUrl: '' }],
        [event, person],
      ] as const)
        expect((await stack.browser().post<ErrorBody>(path, body)).body.code).toBe('NOT_SET_UP');
    });

    it.each([
      ['de-AT,de;q=0.9,en;q=0.8', '<html lang="de" data-asked>'],
      ['pt-PT,pt;q=0.9,de;q=0.8,en;q=0.7', '<html lang="de" data-asked>'],
      ['en-AU,en;q=0.9', '<html lang="en-GB" data-asked>'],
      ['pt', '<html lang="en-US">'],
    ])('shows the setup page to a browser that prefers %s as %s', async (language, html) => {
      const headers = { accept: 'text/html', 'accept-language': language };
      expect((await stack.browser().get('/setup', headers)).text).toContain(html);
    });

    it('signs the new owner in and opens the site on every gateway', async () => {
      const browser = stack.browser();
      const other = new Installation(stack.gateway.app.get(Services));
      expect(await other.isOpen()).toBe(true);
      expect((await browser.get('/api/setup')).body).toEqual({ open: true });
      expect((await browser.post('/api/setup', { token: SETUP_TOKEN, owner })).status).toBe(200);
      expect((await browser.get('/api/user')).body).toMatchObject({ email: owner.email });
      isOpen = false;
      const page = async (path: string) => (await browser.get(path, { accept: 'text/html' })).status;
      expect([await page('/'), await page('/setup')]).toEqual([200, 404]);
      await until('the other gateway', 60_000, async () => !(await other.isOpen()));
      expect((await browser.get('/api/setup')).status).toBe(404);
    });

    it('names invalid setup fields', async () => {
      const body = { token: 'x', owner: { ...owner, email: 'x', password: 'nine long' } };
      const wrong = await visitor().post<ErrorBody>('/api/setup', body);
      const fields = Object.keys(wrong.body.details!.fields!).toSorted();
      expect(fields).toEqual(['owner.email', 'owner.password', 'token']);
    });
  });

  describe('requesting a code', () => {
    it.each([
      ['/api/forgot-password', 'reset'],
      ['/api/sign-in-code', 'sign-in'],
    ])('%s starts a separate flow for each browser', async (path, purpose) => {
      const [one, other] = [visitor('203.0.113.7'), visitor()];
      const reply = await one.post(path, { email: ' Ada@Example.com ' });
      expect(reply.status).toBe(202);
      await other.post(path, { email: 'ada@example.com' });
      const sent = { email: 'ada@example.com', purpose };
      expect(asked).toEqual([
        { ...sent, asker: { browser: getFlowId(one, purpose), network: '203.0.113.0/24' } },
        { ...sent, asker: { browser: getFlowId(other, purpose), network: expect.any(String) } },
      ]);
      expect(getFlowId(one, purpose)).not.toBe(getFlowId(other, purpose));
      const [cookie] = reply.headers.getSetCookie();
      expect(cookie).toMatch(/; HttpOnly; SameSite=Lax/);
      await one.post(path, { email: 'ada@example.com' });
      expect(asked[2]?.asker?.browser).toBe(asked[0]?.asker?.browser);
    });

    it('forwards the reader’s language unless it is the community’s', async () => {
      const reads = async (locale: string, spoken = '') => {
        const browser = visitor();
        browser.cookies.set('locale', locale);
        const headers = { 'accept-language': spoken };
        await browser.post('/api/forgot-password', { email: 'ada@example.com' }, headers);
        return asked.at(-1)!.asker!.locale;
      };
      expect(await reads('de', 'fr')).toBe('de');
      expect(await reads('pt', 'fr-CA,en;q=0.5')).toBe('fr');
      expect(await reads('pt', 'en-AU')).toBeUndefined();
    });

    it('limits code requests per network, not per email address', async () => {
      expect(await requests(LIMIT + 1)).toEqual({ 202: LIMIT, 429: 1 });
      const elsewhere = visitor('198.51.100.1');
      expect((await elsewhere.post('/api/forgot-password', { email: 'a1@example.com' })).status).toBe(202);
    });

    it('counts a known browser’s requests separately from those of its network', async () => {
      const { browser: known, user } = await signedInHere();
      await known.post('/api/logout');
      const ask = async (browser: ApiClient, email = user.email) =>
        (await browser.post('/api/sign-in-code', { email })).status;
      expect(await ask(known)).toBe(202);
      expect(await requests(LIMIT + 1)).toEqual({ 202: LIMIT, 429: 1 });
      expect([await ask(known), await ask(known)]).toEqual([202, 429]);
      // The extra limit applies only to this account in this browser.
      expect([await ask(known, 'ada@example.com'), await ask(visitor())]).toEqual([429, 429]);
    });

    it('allows more code requests in a network with a signed-in member', async () => {
      const { browser: member, user } = await signedInHere();
      member.cookies.delete('meetmark_device');
      expect(await requests(LIMIT + 1)).toEqual({ 202: LIMIT + 1 });
      const subscription = { email: 'vera@example.com', digest: true };
      expect((await visitor().post('/api/subscriptions', subscription)).status).toBe(429);
      const neighbour = `10.0.${host}.2`;
      expect(await requests(LIMIT, neighbour)).toEqual({ 202: LIMIT });
      expect(await requests(RESERVE)).toEqual({ 202: RESERVE - 1, 429: 1 });
      expect(await requests(1, neighbour)).toEqual({ 429: 1 });
      // The member’s own account has its own limit.
      expect((await member.post('/api/user/verification')).status).toBe(202);
      expect((await member.post('/api/forgot-password', { email: user.email })).status).toBe(202);
      expect((await member.post('/api/forgot-password', { email: 'ada@example.com' })).status).toBe(429);
    });

    it('ends a network’s higher limit when its only signed-in member signs out', async () => {
      const { browser: member } = await signedInHere();
      expect(await requests(LIMIT + 1)).toEqual({ 202: LIMIT + 1 });
      await member.post('/api/logout');
      expect(await requests(1)).toEqual({ 429: 1 });
    });

    it('forwards a device id only for verified accounts of the browser', async () => {
      const { browser, user } = await stack.signedIn();
      const own = stack.users.get(user.id)!;
      const ask = (client: ApiClient, email = user.email) => client.post('/api/forgot-password', { email });
      await ask(browser);
      await ask(browser, user.email.toUpperCase());
      await ask(browser, 'ada@example.com');
      await ask(visitor());
      const devices = asked.map(({ asker }) => asker!.device);
      expect(devices).toEqual([expect.stringMatching(/^[\w-]{16}$/), devices[0], undefined, undefined]);
      browser.cookies.delete('meetmark_device');
      stack.users.set(user.id, { ...own, user: { ...own.user, emailVerifiedAt: null } });
      await browser.post('/api/login', { email: user.email, password: PASSWORD });
      await ask(browser);
      expect(asked.at(-1)!.asker!.device).toBeUndefined();
      stack.users.set(user.id, own);
      confirmed = outcome({ member: own });
      await browser.post('/api/confirm', { purpose: 'verify', code: '123456' });
      await ask(browser);
      expect(asked.at(-1)!.asker!.device).toMatch(/^[\w-]{16}$/);
    });

    it('ties a verification code to the browser of the member', async () => {
      const { browser } = await stack.signedIn();
      expect((await browser.post('/api/user/verification')).status).toBe(202);
      expect(asked[0]?.asker?.browser).toBe(getFlowId(browser, 'verify'));
    });
  });

  describe('confirming a code', () => {
    it('lets the requesting browser try codes after strangers used up the network’s attempts', async () => {
      const browser = visitor();
      await browser.post('/api/sign-in-code', { email: 'ada@example.com' });
      confirmed = new DomainError('CODE_INVALID');
      const attempt = async (client: ApiClient) =>
        (await client.post('/api/confirm', { purpose: 'sign-in', code: '123456' })).status;
      // Browsers with missing, invented or forged flow cookies count as strangers.
      const [secret, mark] = browser.cookies.get('meetmark_flow_sign-in')!.split('.');
      const invented = 'x'.repeat(22);
      const inventions = ['', invented, `${invented}.${mark}`, `${secret}.${'ä'.repeat(22)}`];
      const statuses: number[] = [];
      for (let n = 0; n <= LIMIT; n += 1) {
        const stranger = visitor();
        stranger.cookies.set('meetmark_flow_sign-in', encodeURIComponent(inventions[n % 4]!));
        statuses.push(await attempt(stranger));
      }
      expect(tally(statuses)).toEqual({ 400: LIMIT, 429: 1 });
      const own = [await attempt(browser), await attempt(browser), await attempt(browser)];
      expect(own).toEqual([400, 400, 429]);
    });

    it('signs in the browser that confirms a code', async () => {
      const user = await stack.addUser();
      confirmed = outcome({ purpose: 'sign-in', member: stack.users.get(user.id)!, signsIn: true });
      const browser = visitor();
      await browser.post('/api/sign-in-code', { email: user.email });
      const reply = await browser.post<Confirmation>('/api/confirm', { purpose: 'sign-in', code: '123456' });
      const body = { purpose: 'sign-in', user, next: null, passwordEnded: false };
      expect([reply.status, reply.body]).toEqual([200, body]);
      expect(asked[1]?.asker?.browser).toBe(getFlowId(browser, 'sign-in'));
      expect((await browser.get('/api/user')).body).toEqual(user);
    });

    it('signs in any browser by link, unless it changes an email address', async () => {
      const user = await stack.addUser();
      const confirmLink = async (given: Partial<ConfirmedFlow>) => {
        confirmed = outcome({ member: stack.users.get(user.id)!, ...given });
        const browser = visitor();
        const { body } = await browser.post<Confirmation>('/api/confirm/link', { token: LINK });
        return { body, status: (await browser.get('/api/user')).status };
      };
      const signedIn = { body: { user: { id: user.id }, passwordEnded: true }, status: 200 };
      expect(await confirmLink({ signsIn: true, passwordEnded: true })).toMatchObject(signedIn);
      const changed = { body: { purpose: 'email', user: null }, status: 401 };
      expect(await confirmLink({ purpose: 'email' })).toMatchObject(changed);
    });

    it('shows a signed-in member their account and the next step', async () => {
      const { browser, user } = await stack.signedIn();
      confirmed = outcome({ purpose: 'email', member: stack.users.get(user.id)!, next: 'new-address' });
      const { body } = await browser.post<Confirmation>('/api/confirm', { purpose: 'email', code: '123456' });
      expect(body).toEqual({ purpose: 'email', user, next: 'new-address', passwordEnded: false });
    });

    it('names malformed input', async () => {
      const body = { purpose: 'reset', code: '12345a' };
      const wrong = await visitor().post<ErrorBody>('/api/confirm', body);
      expect(Object.keys(wrong.body.details!.fields!)).toEqual(['purpose', 'code']);
      expect((await visitor().post('/api/confirm/link', { token: 'short' })).status).toBe(400);
    });
  });

  describe('the requesting browser', () => {
    it('is notified that its link was used in another browser', async () => {
      const browser = visitor();
      const state = async () => (await browser.get('/api/confirm?purpose=sign-in')).body;
      expect(await state()).toEqual({ status: 'none' });
      await browser.post('/api/sign-in-code', { email: 'ada@example.com' });
      expect(await state()).toEqual({ status: 'open' });
      confirmedFlow = getFlowId(browser, 'sign-in');
      expect(await state()).toEqual({ status: 'confirmed' });
      for (const invented of ['not one of ours', confirmedFlow!]) {
        browser.cookies.set('meetmark_flow_sign-in', invented);
        expect(await state()).toEqual({ status: 'none' });
      }
      expect((await browser.get('/api/confirm')).status).toBe(400);
    });
  });

  describe('resetting a password by code', () => {
    it('resets a password with or without a session and starts no session', async () => {
      const { browser, user } = await stack.signedIn();
      const raised = { ...stack.users.get(user.id)!, epoch: 2, version: 2 };
      stack.users.set(user.id, raised);
      const body = { email: user.email, token: '123456', newPassword: 'new horse' };
      const elsewhere = visitor();
      expect((await elsewhere.post('/api/reset-password', body)).status).toBe(200);
      expect(elsewhere.cookies.has(SESSION.cookie)).toBe(false);
      expect((await browser.post('/api/reset-password', body)).status).toBe(200);
    });
  });

  describe('changing your email address', () => {
    const put = (browser: ApiClient, fields: object) =>
      browser.put<ErrorBody>('/api/user/profile', { firstName: 'A', lastName: 'B', ...fields });

    it('allows three email changes per account, not counting an unchanged address', async () => {
      const { browser, user } = await stack.signedIn();
      const unchanged = Array.from({ length: 4 }, () => user.email.toUpperCase());
      const changed = Array.from({ length: 4 }, (_, n) => `new${n}@example.com`);
      const replies = await inTurns([...unchanged, ...changed], 1, (email) => put(browser, { email }));
      expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 7, 429: 1 });
    });

    it('forwards the current password, and cancels a pending change', async () => {
      const { browser, user } = await stack.signedIn();
      expect((await put(browser, { email: user.email, currentPassword: PASSWORD })).status).toBe(200);
      expect(asked[0]?.currentPassword).toBe(PASSWORD);
      expect((await browser.delete('/api/user/pending-email')).body).toEqual(user);
    });

    it('reverts an email change by the link sent to the previous address', async () => {
      const reply = await visitor().post('/api/revert-email', { token: LINK });
      expect([reply.status, reply.body]).toEqual([200, { email: 'ada@example.com', resetToken: LINK }]);
      expect((await visitor().get('/api/revert-email')).status).toBe(405);
    });
  });
});
