import {
  BeginRestoring,
  BeginSecondStep,
  CompleteSecondStep,
  ConfirmLink,
  ConfirmRsvp,
  DomainError,
  ERRORS,
  GetEvent,
  GetFlow,
  Register,
  RequestRsvp,
  SESSION,
  type ConfirmedFlow,
  type ConfirmedRsvp,
  type Confirmation,
  type ErrorBody,
  type ErrorCode,
  type EventPage,
  type GetFlowRequest,
  type Identity,
  type PlaceOutcome,
  type Question,
  type RegisterRequest,
  type RegistrationState,
  type RequestRsvpRequest,
  type SignedIn,
  type WantedPlace,
  ListAttendees,
  ListFaces,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';

describe('a registration', () => {
  const FLOW = 'f'.repeat(22);
  const LINK = 'l'.repeat(22);
  const PENDING = 'the-token-of-a-pending-sign-in';
  const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

  const { content, ...event } = anEventPage();
  const path = `/api/events/${event.id}/rsvp`;
  const registration = aRegistration();
  const attendee = { id: UNKNOWN, firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null };
  const person = { email: ' Ada@Example.com ', firstName: 'Ada', lastName: 'Lovelace' };
  const QUESTION: Question = {
    ...{ id: UNKNOWN, kind: 'choice', label: 'Which track?' },
    ...{ required: true, options: ['Search', 'Social'] },
  };
  const answers = { [UNKNOWN]: 'Search' };
  const wanted: WantedPlace = { eventId: event.id, waitlist: false, showMe: 'no', answers };
  let state: RegistrationState;
  let questions: Question[];
  let asked: RequestRsvpRequest[];
  let watched: GetFlowRequest[];
  let confirmed: ConfirmedFlow;
  let places: (Error | Pick<PlaceOutcome, 'registration' | 'waiting'>)[];
  let registered: { request: RegisterRequest; identity: Identity }[];
  let pending: WantedPlace | undefined;
  const stack = gatewayForTests({
    rateLimits: '',
    auth: scenes(
      played(RequestRsvp, (request) => {
        asked.push(request);
        return { flow: FLOW };
      }),
      played(ConfirmRsvp, ({ flow, code }) => {
        if (flow !== FLOW || code !== '123456') throw new DomainError('CODE_INVALID');
        return confirmed;
      }),
      played(ConfirmLink, () => confirmed),
      played(GetFlow, (request) => {
        watched.push(request);
        return { status: 'open' };
      }),
      played(BeginRestoring, () => ({ token: PENDING })),
      played(BeginSecondStep, ({ wanted: kept }) => {
        pending = kept;
        return { token: PENDING, methods: ['totp', 'recovery'] };
      }),
      played(CompleteSecondStep, () => ({ ...confirmed.member!, wanted: pending })),
    ),
    events: scenes(
      played(GetEvent, ({ eventId }): EventPage => {
        if (eventId !== event.id) throw new DomainError('EVENT_NOT_FOUND');
        return { ...event, registrationState: state, content: { ...content, questions } };
      }),
      played(Register, (request, call) => {
        registered.push({ request, identity: call.identity! });
        const answer = places.length > 1 ? places.shift()! : places[0]!;
        if (answer instanceof Error) throw answer;
        return { created: true, registration: answer.registration!, waiting: answer.waiting };
      }),
      played(ListAttendees, () => ({
        items: [{ ...attendee, linkedInUrl: null }],
        ...{ total: 7, nextCursor: null },
      })),
      played(ListFaces, () => [{ eventId: event.id, faces: [attendee] }]),
    ),
  });

  let host = 0;
  beforeEach(async () => {
    host += 1;
    [state, questions, asked, watched, registered, pending] = ['open', [], [], [], [], undefined];
    places = [{ registration }];
    const { id } = await stack.addUser();
    const member = stack.users.get(id)!;
    confirmed = { purpose: 'rsvp', member, signsIn: true, next: null, passwordEnded: false, wanted };
  });
  const visitor = (ip = `10.0.${host}.1`) => stack.browser({ 'x-forwarded-for': ip });
  const getFlowId = (browser: ApiClient) => browser.cookies.get('meetmark_flow_rsvp')?.split('.')[0];
  const isSignedIn = async (browser: ApiClient) => (await browser.get('/api/user')).status === 200;
  const confirm = <T = ConfirmedRsvp>(browser: ApiClient, given: object = {}) =>
    browser.post<T>('/api/rsvp/confirm', { flow: FLOW, code: '123456', ...given });
  const buildRefusal = (code: ErrorCode) => ({ code, message: ERRORS[code].message });
  const withFactor = () => {
    const member = { ...confirmed.member!, user: { ...confirmed.member!.user, hasSecondFactor: true } };
    stack.users.set(member.user.id, member);
    confirmed = { ...confirmed, member };
  };

  describe('requested by email address', () => {
    it('starts a flow in the browser and forwards the form to auth', async () => {
      const [one, other] = [visitor('203.0.113.7'), visitor()];
      const reply = await one.post(path, { ...person, showMe: 'linkedin', waitlist: true });
      expect([reply.status, reply.body]).toEqual([202, { flow: FLOW }]);
      await other.post(path, person);
      const sent = { ...person, email: 'ada@example.com', eventId: event.id };
      const [browser, network] = [getFlowId(one), '203.0.113.0/24'];
      expect(asked).toEqual([
        { ...sent, showMe: 'linkedin', waitlist: true, asker: { browser, network } },
        { ...sent, asker: { browser: getFlowId(other), network: expect.any(String) } },
      ]);
      expect(getFlowId(one)).not.toBe(getFlowId(other));
      expect(reply.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax/);
      expect(registered).toEqual([]);
    });

    it.each<[object, string[]]>([
      [{}, ['email', 'firstName', 'lastName']],
      [{ ...person, showMe: 'yes', waitlist: 'yes' }, ['waitlist', 'showMe']],
    ])('refuses the form %j and names the invalid fields', async (body, fields) => {
      const reply = await visitor().post<ErrorBody>(path, body);
      expect([reply.status, Object.keys(reply.body.details!.fields!)]).toEqual([400, fields]);
      const unknown = await visitor().post<ErrorBody>(`/api/events/${UNKNOWN}/rsvp`, body);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'EVENT_NOT_FOUND']);
      expect(asked).toEqual([]);
    });

    it('checks the answers to the event’s questions before a code is emailed', async () => {
      questions = [QUESTION];
      const ask = (more: object) => visitor().post<ErrorBody>(path, { ...person, ...more });
      for (const given of [{}, { answers: {} }, { answers: { [UNKNOWN]: 'odd' } }])
        expect(await ask(given)).toMatchObject({
          status: 400,
          body: { details: { fields: { [`answers.${UNKNOWN}`]: [expect.any(String)] } } },
        });
      expect((await ask({ answers: { odd: 'x' } })).status).toBe(400);
      expect(asked).toEqual([]);
      expect((await ask({ answers })).status).toBe(202);
      expect((await ask({ takeOver: true })).status).toBe(202);
      expect(asked).toMatchObject([{ answers }, { takeOver: true }]);
    });

    it.each<[RegistrationState, ErrorCode]>([
      ['waitlist', 'EVENT_FULL'],
      ['full', 'EVENT_FULL'],
      ['scheduled', 'REGISTRATION_NOT_OPEN'],
      ['closed', 'REGISTRATION_ENDED'],
      ['started', 'REGISTRATION_CLOSED'],
      ['ended', 'REGISTRATION_CLOSED'],
      ['cancelled', 'EVENT_CANCELLED'],
    ])('for an event in the state %s is refused with %s', async (given, code) => {
      state = given;
      const reply = await visitor().post<ErrorBody>(path, person);
      expect([reply.status, reply.body.code, reply.body.message]).toEqual([409, code, ERRORS[code].message]);
      const waiting = await visitor().post(path, { ...person, waitlist: true });
      expect(waiting.status).toBe(given === 'waitlist' ? 202 : 409);
      const takesOver = await visitor().post(path, { ...person, takeOver: true });
      expect(takesOver.status).toBe(['ended', 'cancelled'].includes(given) ? 409 : 202);
    });

    it('is refused for signed-in members', async () => {
      const { browser } = await stack.signedIn();
      const reply = await browser.post<ErrorBody>(path, person);
      expect([reply.status, reply.body.code]).toEqual([409, 'ALREADY_SIGNED_IN']);
    });

    it('lets the browser check the state of its flow', async () => {
      const browser = visitor();
      await browser.post(path, person);
      expect((await browser.get(`/api/confirm?purpose=rsvp&flow=${FLOW}`)).body).toEqual({ status: 'open' });
      expect(watched).toEqual([{ browser: getFlowId(browser), purpose: 'rsvp', flow: FLOW }]);
      expect((await browser.get('/api/confirm?purpose=rsvp&flow=short')).status).toBe(400);
    });
  });

  describe('confirmed by code or link', () => {
    it('registers the member without using admin rights, and signs in', async () => {
      const waiting = { joinedAt: registration.registeredAt, position: 3 };
      places = [{ registration, waiting }];
      const browser = visitor();
      await browser.post(path, person);
      const reply = await confirm(browser);
      const { user, epoch } = confirmed.member!;
      const body = { user, passwordEnded: false, eventId: event.id, registration, waiting };
      expect([reply.status, reply.body]).toEqual([200, body]);
      const identity = { sub: user.id, isAdmin: false, epoch };
      expect(registered).toMatchObject([{ request: wanted, identity }]);
      expect((await browser.get('/api/user')).body).toEqual(user);
    });

    it.each<ErrorCode>([
      ...(['VALIDATION_FAILED', 'EVENT_NOT_FOUND', 'EVENT_FULL', 'EVENT_CANCELLED'] as const),
      ...(['REGISTRATION_CLOSED', 'REGISTRATION_ENDED', 'REGISTRATION_NOT_OPEN'] as const),
    ])('signs in and returns the refusal when registering fails with %s', async (code) => {
      places = [new DomainError(code)];
      const browser = visitor();
      const reply = await confirm(browser);
      expect(reply).toMatchObject({ status: 200, body: { registration: null, refusal: buildRefusal(code) } });
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('can be repeated when the outcome of registering is unknown', async () => {
      const lost = new DomainError('SERVICE_UNAVAILABLE', { outcome: 'unknown' });
      places = [lost, lost, { registration }];
      const browser = visitor();
      const reply = await confirm<ErrorBody>(browser);
      expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
      expect(browser.cookies.has(SESSION.cookie)).toBe(false);
      expect((await confirm(browser)).body).toMatchObject({ registration });
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('refuses a wrong code, and names malformed input', async () => {
      const reply = await confirm<ErrorBody>(visitor(), { code: '654321' });
      expect([reply.status, reply.body.message]).toEqual([400, 'Invalid or expired code']);
      const wrong = await visitor().post<ErrorBody>('/api/rsvp/confirm', { flow: 'short', code: '12345a' });
      expect([wrong.status, Object.keys(wrong.body.details!.fields!)]).toEqual([400, ['flow', 'code']]);
      expect(registered).toEqual([]);
    });

    it('works by link in any browser and signs in even when registering is not possible', async () => {
      const confirmLink = async () => {
        const browser = visitor();
        const reply = await browser.post<Confirmation>('/api/confirm/link', { token: LINK });
        expect([reply.status, await isSignedIn(browser)]).toEqual([200, true]);
        return reply.body;
      };
      expect(await confirmLink()).toEqual({
        ...{ purpose: 'rsvp', user: confirmed.member!.user, next: null, passwordEnded: false },
        ...{ eventId: event.id, registration },
      });
      for (const code of ['EVENT_FULL', 'SERVICE_UNAVAILABLE'] as const) {
        places = [new DomainError(code, { outcome: 'not-started' })];
        expect(await confirmLink()).toMatchObject({ registration: null, refusal: buildRefusal(code) });
      }
    });
  });

  describe('with a second factor', () => {
    const firstStep: [string, (browser: ApiClient) => Promise<{ status: number; body: ErrorBody }>][] = [
      ['code', (browser) => confirm<ErrorBody>(browser)],
      ['link', (browser) => browser.post<ErrorBody>('/api/confirm/link', { token: LINK })],
    ];
    it.each(firstStep)('the %s registers and signs in only after the second step', async (_, first) => {
      withFactor();
      const browser = visitor();
      const { status, body } = await first(browser);
      const details = { methods: ['totp', 'recovery'] };
      expect([status, body.code, body.details]).toEqual([401, 'SECOND_FACTOR_REQUIRED', details]);
      expect([registered, await isSignedIn(browser)]).toEqual([[], false]);
      const second = await browser.post<SignedIn>('/api/login/second-factor', { code: '123456' });
      const rsvp = { eventId: event.id, registration };
      expect([second.status, second.body]).toEqual([200, { ...confirmed.member!.user, rsvp }]);
      expect(registered).toMatchObject([{ request: wanted }]);
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('the second step signs in even when it is unknown whether registering failed', async () => {
      withFactor();
      places = [new DomainError('DEADLINE_EXCEEDED')];
      const browser = visitor();
      await confirm(browser);
      const second = await browser.post<SignedIn>('/api/login/second-factor', { code: '123456' });
      const refusal = buildRefusal('DEADLINE_EXCEEDED');
      expect(second.body.rsvp).toEqual({ eventId: event.id, registration: null, refusal });
      expect(await isSignedIn(browser)).toBe(true);
    });
  });

  it('registers nobody whose account is closed', async () => {
    confirmed = { ...confirmed, member: { ...confirmed.member!, deletedAt: '2032-05-08T17:00:00.000Z' } };
    const browser = visitor();
    const { status, body } = await confirm<ErrorBody>(browser);
    expect([status, body.code]).toEqual([403, 'ACCOUNT_CLOSED']);
    expect([registered, await isSignedIn(browser)]).toEqual([[], false]);
  });

  describe('of a member with an unconfirmed email address', () => {
    const signedIn = async (emailVerifiedAt: string | null) => {
      const user = await stack.addUser();
      stack.users.set(user.id, { ...stack.users.get(user.id)!, user: { ...user, emailVerifiedAt } });
      const browser = visitor();
      await browser.signIn({ email: user.email, password: PASSWORD });
      return browser;
    };

    it('includes a hash of network and event, unlike one with a confirmed address', async () => {
      const browser = await signedIn(null);
      const from = async (ip: string, eventId = event.id) => {
        const headers = { 'x-forwarded-for': ip };
        const reply = await browser.send('POST', `/api/events/${eventId}/register`, undefined, headers);
        expect(reply.status).toBe(201);
        return registered.at(-1)!.request.network;
      };
      const home = await from('203.0.113.7');
      expect(home).toMatch(/^[\w-]{22}$/);
      expect(await from('203.0.113.200')).toBe(home);
      expect(await from('203.0.113.7', event.id.toUpperCase())).toBe(home);
      expect(await from('203.0.114.7')).not.toBe(home);
      expect(await from('203.0.113.7', UNKNOWN)).not.toBe(home);
      expect(JSON.stringify(registered)).not.toContain('203.0');
      await (await signedIn(new Date().toISOString())).post(`/api/events/${event.id}/register`);
      expect(registered.at(-1)!.request.network).toBeUndefined();
    });

    it('lets the member see the attendees', async () => {
      const browser = await signedIn(null);
      const reply = await browser.get(`/api/events/${event.id}/attendees?limit=5`);
      const shown = [{ ...attendee, linkedInUrl: null }];
      expect([reply.body, reply.headers.get('x-total-count')]).toEqual([shown, '7']);
      expect((await browser.get(`/api/event-faces?eventIds=${event.id}`)).body).toHaveLength(1);
    });
  });
});
