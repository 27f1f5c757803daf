import { rmSync } from 'node:fs';
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
import { tally, until } from '@meetmark/testing';
import { ApiClient } from '@meetmark/testing/http-client';
import {
  builtWeb,
  FIRST_PAINT,
  gatewayForTests,
  openTestGateway,
  PASSWORD,
  type TestGateway,
} from '../testing/open-test-gateway.js';

describe('emailed codes', () => {
  const LINK = 'a'.repeat(22);
  /** Additional code requests for a /24 network with a signed-in member. */
  const RESERVE = 300;
  let asked: { asker?: Asker; purpose?: string; currentPassword?: string }[];
  let confirmed: ConfirmedFlow | Error;
  let confirmedFlow: string | undefined;
  const note = (request: object) => void asked.push(request);
  const answer = (request: object) => {
    note(request);
    if (confirmed instanceof Error) throw confirmed;
    return confirmed;
  };
  const stack = gatewayForTests({
    config: { rateLimitProfile: 'standard', trustedProxies: 1, rateLimits: 'anonymous=100000/60' },
    auth: scenes(
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
  const visitor = (ip = `10.0.${host}.1`): ApiClient =>
    Object.assign(stack.browser(), { defaults: { 'x-forwarded-for': ip } });
  const getFlowId = (browser: ApiClient, purpose: string) =>
    browser.cookies.get(`meetmark_flow_${purpose}`)?.split('.')[0];
  const signedInHere = async () => {
    const [browser, user] = [visitor(), await stack.addUser()];
    await browser.signIn({ email: user.email, password: PASSWORD });
    return { browser, user };
  };
  /** Returns a known browser, which is one in which the account has signed in before. */
  const knownBrowser = async () => {
    const { browser, user } = await signedInHere();
    await browser.post('/api/logout');
    return { browser, user };
  };
  const requests = async (count: number) => {
    const statuses: number[] = [];
    for (let n = 0; n < count; n += 1)
      statuses.push((await visitor().post('/api/forgot-password', { email: `a${n}@example.com` })).status);
    return tally(statuses);
  };
  const outcome = (given: Partial<ConfirmedFlow>): ConfirmedFlow => ({
    purpose: 'verify',
    member: null,
    signsIn: false,
    next: null,
    passwordEnded: false,
    ...given,
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
      expect(asked).toEqual([
        {
          email: 'ada@example.com',
          purpose,
          asker: { browser: getFlowId(one, purpose), network: '203.0.113.0/24' },
        },
        {
          email: 'ada@example.com',
          purpose,
          asker: { browser: getFlowId(other, purpose), network: expect.any(String) },
        },
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
      expect(await requests(61)).toEqual({ 202: 60, 429: 1 });
      expect(
        (await visitor('198.51.100.1').post('/api/forgot-password', { email: 'a1@example.com' })).status,
      ).toBe(202);
    });

    it.each(['/api/forgot-password', '/api/sign-in-code'])(
      'accepts %s from a known browser after a stranger used up the network’s limit',
      async (path) => {
        const { browser: known, user } = await knownBrowser();
        await requests(60);
        const statuses: number[] = [];
        for (let n = 0; n < 7; n += 1) statuses.push((await known.post(path, { email: user.email })).status);
        // The browser has its own limit, a tenth of the network's.
        expect(tally(statuses)).toEqual({ 202: 6, 429: 1 });
        // The extra limit applies only to this account in this browser.
        expect((await known.post(path, { email: 'ada@example.com' })).status).toBe(429);
        expect((await visitor().post(path, { email: user.email })).status).toBe(429);
      },
    );

    it('sends codes to a signed-in member after a stranger used up the network’s limit', async () => {
      const { browser: member, user } = await signedInHere();
      member.cookies.delete('meetmark_device');
      await requests(60 + RESERVE);
      expect((await member.post('/api/user/verification')).status).toBe(202);
      expect((await member.post('/api/forgot-password', { email: user.email })).status).toBe(202);
      expect((await member.post('/api/forgot-password', { email: 'ada@example.com' })).status).toBe(429);
    });

    it('allows more code requests in a network with a signed-in member', async () => {
      await signedInHere();
      expect(await requests(62)).toEqual({ 202: 62 });
      const subscription = { email: 'vera@example.com', digest: true };
      expect((await visitor().post('/api/subscriptions', subscription)).status).toBe(429);
      const neighbour = async (email: string) =>
        (await visitor(`10.0.${host}.2`).post('/api/sign-in-code', { email })).status;
      for (let n = 0; n < 60; n += 1) expect(await neighbour(`b${n}@example.com`)).toBe(202);
      expect(await requests(RESERVE)).toEqual({ 202: RESERVE - 2, 429: 2 });
      expect(await neighbour('grace@example.com')).toBe(429);
    });

    it('ends a network’s higher limit when its only signed-in member signs out', async () => {
      const { browser: member } = await signedInHere();
      expect(await requests(61)).toEqual({ 202: 61 });
      await member.post('/api/logout');
      expect(await requests(1)).toEqual({ 429: 1 });
    });

    it('does not count a known browser’s requests towards the network’s limit', async () => {
      const { browser: known, user } = await knownBrowser();
      for (let n = 0; n < 6; n += 1) await known.post('/api/forgot-password', { email: user.email });
      expect(await requests(61)).toEqual({ 202: 60, 429: 1 });
    });

    it('forwards a device id only for an account that the browser has signed in to', async () => {
      const { browser, user } = await stack.signedIn();
      await browser.post('/api/logout');
      await browser.post('/api/forgot-password', { email: user.email });
      await browser.post('/api/sign-in-code', { email: user.email.toUpperCase() });
      await browser.post('/api/forgot-password', { email: 'ada@example.com' });
      await visitor().post('/api/forgot-password', { email: user.email });
      const [one, other, ...rest] = asked.map(({ asker }) => asker!.device);
      expect(one).toMatch(/^[\w-]{16}$/);
      expect([other, ...rest]).toEqual([one, undefined, undefined]);
    });

    it('forwards a device id only once the email address has been verified', async () => {
      const { browser, user } = await stack.signedIn();
      const own = stack.users.get(user.id)!;
      const unproved = { ...own, user: { ...own.user, emailVerifiedAt: null } };
      browser.cookies.delete('meetmark_device');
      stack.users.set(user.id, unproved);
      await browser.post('/api/login', { email: user.email, password: PASSWORD });
      await browser.post('/api/forgot-password', { email: user.email });
      stack.users.set(user.id, own);
      confirmed = outcome({ member: own });
      await browser.post('/api/confirm', { purpose: 'verify', code: '123456' });
      await browser.post('/api/forgot-password', { email: user.email });
      expect(asked.map(({ asker }) => asker!.device)).toEqual([
        undefined,
        undefined,
        expect.stringMatching(/^[\w-]{16}$/),
      ]);
    });

    it('requires a session for a verification code', async () => {
      expect((await visitor().post('/api/user/verification')).status).toBe(401);
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
      const inventions = [
        undefined,
        'x'.repeat(22),
        `${'x'.repeat(22)}.${mark}`,
        `${secret}.${'ä'.repeat(22)}`,
      ];
      const statuses: number[] = [];
      for (let n = 0; n < 61; n += 1) {
        const stranger = visitor();
        const invented = inventions[n % inventions.length];
        if (invented !== undefined)
          stranger.cookies.set('meetmark_flow_sign-in', encodeURIComponent(invented));
        statuses.push(await attempt(stranger));
      }
      expect(tally(statuses)).toEqual({ 400: 60, 429: 1 });
      const own: number[] = [];
      for (let n = 0; n < 7; n += 1) own.push(await attempt(browser));
      expect(tally(own)).toEqual({ 400: 6, 429: 1 });
    });

    it('signs in the browser that confirms a code', async () => {
      const user = await stack.addUser();
      confirmed = outcome({ purpose: 'sign-in', member: stack.users.get(user.id)!, signsIn: true });
      const browser = visitor();
      await browser.post('/api/sign-in-code', { email: user.email });
      const reply = await browser.post<Confirmation>('/api/confirm', { purpose: 'sign-in', code: '123456' });
      expect([reply.status, reply.body]).toEqual([
        200,
        { purpose: 'sign-in', user, next: null, passwordEnded: false },
      ]);
      expect(asked[1]?.asker?.browser).toBe(getFlowId(browser, 'sign-in'));
      expect((await browser.get('/api/user')).body).toEqual(user);
    });

    it('signs in any browser that confirms a link', async () => {
      const user = await stack.addUser();
      confirmed = outcome({ member: stack.users.get(user.id)!, signsIn: true, passwordEnded: true });
      const browser = visitor();
      const reply = await browser.post<Confirmation>('/api/confirm/link', { token: LINK });
      expect(reply.body).toMatchObject({ user: { id: user.id }, passwordEnded: true });
      expect((await browser.get('/api/user')).status).toBe(200);
    });

    it('confirms an email change without revealing the account or starting a session', async () => {
      const user = await stack.addUser();
      confirmed = outcome({ purpose: 'email', member: stack.users.get(user.id)! });
      const browser = visitor();
      const reply = await browser.post<Confirmation>('/api/confirm/link', { token: LINK });
      expect(reply.body).toMatchObject({ purpose: 'email', user: null });
      expect(browser.cookies.has(SESSION.cookie)).toBe(false);
    });

    it('shows a signed-in member their account and the next step', async () => {
      const { browser, user } = await stack.signedIn();
      confirmed = outcome({ purpose: 'email', member: stack.users.get(user.id)!, next: 'new-address' });
      const { body } = await browser.post<Confirmation>('/api/confirm', { purpose: 'email', code: '123456' });
      expect(body).toEqual({ purpose: 'email', user, next: 'new-address', passwordEnded: false });
    });

    it('refuses a wrong code or malformed input with 400', async () => {
      confirmed = new DomainError('CODE_INVALID');
      const reply = await visitor().post<ErrorBody>('/api/confirm', { purpose: 'verify', code: '123456' });
      expect([reply.status, reply.body.message]).toEqual([400, 'Invalid or expired code']);
      const wrong = await visitor().post<ErrorBody>('/api/confirm', { purpose: 'reset', code: '12345a' });
      expect(Object.keys(wrong.body.details!.fields!)).toEqual(['purpose', 'code']);
      expect((await visitor().post('/api/confirm/link', { token: 'short' })).status).toBe(400);
    });
  });

  describe('the requesting browser', () => {
    it('reports to the requesting browser that its link was used in another browser', async () => {
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
      for (let n = 0; n < 6; n += 1)
        expect((await put(browser, { email: user.email.toUpperCase() })).status).toBe(200);
      const statuses: number[] = [];
      for (let n = 0; n < 5; n += 1)
        statuses.push((await put(browser, { email: `new${n}@example.com` })).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
    });

    it('forwards the current password with a profile update', async () => {
      const { browser, user } = await stack.signedIn();
      expect((await put(browser, { email: user.email, currentPassword: PASSWORD })).status).toBe(200);
      expect(asked[0]?.currentPassword).toBe(PASSWORD);
    });

    it('cancels a pending email change only with a session', async () => {
      const { browser, user } = await stack.signedIn();
      expect((await browser.delete('/api/user/pending-email')).body).toEqual(user);
      expect((await visitor().delete('/api/user/pending-email')).status).toBe(401);
    });

    it('reverts an email change by the link sent to the previous address', async () => {
      const reply = await visitor().post('/api/revert-email', { token: LINK });
      expect([reply.status, reply.body]).toEqual([200, { email: 'ada@example.com', resetToken: LINK }]);
      expect((await visitor().get('/api/revert-email')).status).toBe(405);
    });
  });
});

describe('setup of an installation without an owner', () => {
  const token = 'A'.repeat(22);
  const owner = { email: 'ola@rust.example', firstName: 'Ola', lastName: 'Silva', password: 'correct horse' };
  let stack: TestGateway;
  let made: SessionUser;
  let open = true;
  let root: string;

  beforeAll(async () => {
    root = builtWeb({
      'index.html':
        '<html lang="en-US"><!--meta--><title>Built</title><!--/meta--><!--first-paint--><!--first-answers-->',
      '.vite/first-paint.json': { ...FIRST_PAINT, frame: '{{name}}', waiting: '<i>wait</i>' },
      'main.js': 'script',
    });
    stack = await openTestGateway({
      config: { rateLimitProfile: 'standard', webRoot: root },
      auth: scenes(
        played(GetSetupState, () => ({ open })),
        played(SetUp, (request) => {
          if (request.token !== token) throw new DomainError('SETUP_LINK_INVALID');
          return made;
        }),
      ),
    });
    const { id } = await stack.addUser({ email: owner.email, isAdmin: true });
    made = stack.users.get(id)!;
  });
  afterAll(async () => {
    await stack.close();
    rmSync(root, { recursive: true });
  });

  it('redirects visitors of every page to /setup, which omits the community’s name', async () => {
    const visitor = stack.browser();
    const event = '/events/0197f000-0000-7000-8000-000000000000';
    for (const path of ['/', '/events', event, '/admin', '/nowhere']) {
      const { status, headers } = await visitor.get(path, { accept: 'text/html' });
      expect([path, status, headers.get('location'), headers.get('cache-control')]).toEqual([
        ...[path, 302, '/setup', 'no-store'],
      ]);
    }
    const page = await visitor.get('/setup', { accept: 'text/html' });
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const [head] = page.text.split('<script');
    expect(head).toContain('noindex');
    expect(head).toContain('<i>wait</i>');
    expect(head).not.toContain('Northern');
    expect((await visitor.get('/main.js')).text).toBe('script');
  });

  it('rejects sign-ups and registrations before setup with an explanation', async () => {
    const visitor = stack.browser();
    const person = { email: 'ola@rust.example', firstName: 'Ola', lastName: 'Silva' };
    const event = '/api/events/0197f000-0000-7000-8000-000000000000/rsvp';
    for (const [path, body] of [
      ['/api/register', { ...person, password: 'correct horse', linkedInUrl: '' }],
      [event, person],
    ] as const)
      expect(await visitor.post(path, body)).toMatchObject({
        status: 409,
        body: {
          code: 'NOT_SET_UP',
          message: 'Nobody can sign up yet because this community hasn’t been set up',
        },
      });
  });

  it('shows the setup page in the browser’s language', async () => {
    const spoken = async (language: string) => {
      const { text } = await stack
        .browser()
        .get('/setup', { accept: 'text/html', 'accept-language': language });
      return /<html [^>]*>/.exec(text)?.[0];
    };
    for (const [language, html] of [
      ['de-AT,de;q=0.9,en;q=0.8', '<html lang="de" data-asked>'],
      ['pt-PT,pt;q=0.9,de;q=0.8,en;q=0.7', '<html lang="de" data-asked>'],
      ['en;q=0.5, de;q=0.7', '<html lang="de" data-asked>'],
      ['fr,de;q=0.5', '<html lang="de" data-asked>'],
      ['en-AU,en;q=0.9', '<html lang="en-GB" data-asked>'],
      ['pt', '<html lang="en-US">'],
      ['*', '<html lang="en-US">'],
      [',;q=,'.repeat(2_000), '<html lang="en-US">'],
    ] as const)
      expect([language, await spoken(language)]).toEqual([language, html]);
  });

  it('signs the new owner in and opens the site on every gateway', async () => {
    const browser = stack.browser();
    const other = await stack.another();
    const elsewhere = () => new ApiClient(other.url, { accept: 'text/html' }).get('/');
    expect((await elsewhere()).status).toBe(302);
    expect((await browser.get('/api/setup')).body).toEqual({ open: true });
    expect(await browser.post('/api/setup', { token, owner })).toMatchObject({
      status: 200,
      body: { email: owner.email, role: 'owner' },
    });
    expect((await browser.get('/api/user')).body).toMatchObject({ email: owner.email });
    open = false;
    for (const [path, status] of [
      ['/', 200],
      ['/setup', 404],
    ] as const)
      expect([path, (await browser.get(path, { accept: 'text/html' })).status]).toEqual([path, status]);
    await until('the other gateway', 60_000, async () => (await elsewhere()).status === 200);
    expect((await browser.get('/api/setup')).status).toBe(404);
  });

  it('names invalid setup fields and limits the number of attempts', async () => {
    const browser = stack.browser();
    const wrong = await browser.post<{ details: { fields: object } }>('/api/setup', {
      token: 'x',
      owner: { ...owner, email: 'x', password: 'nine long' },
    });
    expect([wrong.status, Object.keys(wrong.body.details.fields).toSorted()]).toEqual([
      ...[400, ['owner.email', 'owner.password', 'token']],
    ]);
    const statuses: number[] = [];
    for (let time = 0; time < 12; time += 1)
      statuses.push((await browser.post('/api/setup', { token: 'B'.repeat(22), owner })).status);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
  });
});
