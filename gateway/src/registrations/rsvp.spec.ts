import {
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
  ListMyEvents,
  type Registration,
  RequestVerification,
  type RequestVerificationRequest,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { tally } from '@meetmark/testing';
import { anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';

describe('a registration by address', () => {
  const FLOW = 'f'.repeat(22);
  const LINK = 'l'.repeat(22);
  const PENDING = 'the-token-of-a-pending-sign-in';
  const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

  const { content, ...event } = anEventPage();
  const path = `/api/events/${event.id}/rsvp`;
  const registration = aRegistration();
  const person = { email: ' Ada@Example.com ', firstName: 'Ada', lastName: 'Lovelace' };
  const QUESTION: Question = {
    ...{ id: UNKNOWN, kind: 'choice', label: 'Which track?' },
    ...{ required: true, options: ['Search', 'Social'] },
  };
  const answers = { [UNKNOWN]: 'Search' };
  const wanted: WantedPlace = { eventId: event.id, waitlist: false, showMe: 'no', answers };
  let state: RegistrationState;
  let questions: Question[] | undefined;
  let asked: RequestRsvpRequest[];
  let watched: GetFlowRequest[];
  let confirmed: ConfirmedFlow;
  /** What the events service does with each registration in turn, the last one from then on. */
  let places: (Error | Pick<PlaceOutcome, 'registration' | 'waiting'>)[];
  let registered: { request: RegisterRequest; identity: Identity }[];
  let pending: WantedPlace | undefined;
  const stack = gatewayForTests({
    config: { rateLimitProfile: 'standard', trustedProxies: 1 },
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
      played(BeginSecondStep, ({ wanted: kept }) => {
        pending = kept;
        return { token: PENDING, methods: ['totp', 'recovery'] };
      }),
      played(CompleteSecondStep, () => ({ ...confirmed.member!, wanted: pending })),
    ),
    events: scenes(
      played(GetEvent, ({ eventId }): EventPage => {
        if (eventId !== event.id) throw new DomainError('EVENT_NOT_FOUND');
        // without `questions` as a service of the version before answers
        return { ...event, registrationState: state, content: { ...content, questions } } as EventPage;
      }),
      played(Register, (request, call) => {
        registered.push({ request, identity: call.identity! });
        const answer = places.length > 1 ? places.shift()! : places[0]!;
        if (answer instanceof Error) throw answer;
        return { created: true, registration: answer.registration!, waiting: answer.waiting };
      }),
    ),
  });

  let host = 0;
  beforeEach(async () => {
    host += 1;
    [state, questions, asked, watched, registered, pending] = ['open', undefined, [], [], [], undefined];
    places = [{ registration }];
    const { id } = await stack.addUser();
    const member = stack.users.get(id)!;
    confirmed = { purpose: 'rsvp', member, signsIn: true, next: null, passwordEnded: false, wanted };
  });
  const visitor = (ip = `10.0.${host}.1`): ApiClient =>
    Object.assign(stack.browser(), { defaults: { 'x-forwarded-for': ip } });
  const flowOf = (browser: ApiClient) => browser.cookies.get('meetmark_flow_rsvp');
  const isSignedIn = async (browser: ApiClient) => (await browser.get('/api/user')).status === 200;
  const confirm = <T = ConfirmedRsvp>(browser: ApiClient, given: object = {}) =>
    browser.post<T>('/api/rsvp/confirm', { flow: FLOW, code: '123456', ...given });
  const refusalOf = (code: ErrorCode) => ({ code, message: ERRORS[code].message });
  const withFactor = () => {
    const member = { ...confirmed.member!, user: { ...confirmed.member!.user, hasSecondFactor: true } };
    stack.users.set(member.user.id, member);
    confirmed = { ...confirmed, member };
  };

  describe('asking for a registration', () => {
    it('gives the browser a flow, and hands on what was typed', async () => {
      const [one, other] = [visitor('203.0.113.7'), visitor()];
      const reply = await one.post(path, { ...person, showMe: 'linkedin', waitlist: true });
      expect([reply.status, reply.body]).toEqual([202, { flow: FLOW }]);
      await other.post(path, person);
      expect(asked).toEqual([
        {
          ...{ ...person, email: 'ada@example.com', eventId: event.id, showMe: 'linkedin', waitlist: true },
          asker: { browser: flowOf(one), network: '203.0.113.0/24' },
        },
        {
          ...{ ...person, email: 'ada@example.com', eventId: event.id },
          asker: { browser: flowOf(other), network: expect.any(String) },
        },
      ]);
      expect(flowOf(one)).not.toBe(flowOf(other));
      expect(reply.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax/);
      expect(registered).toEqual([]);
    });

    it.each<[object, string[]]>([
      [{}, ['email', 'firstName', 'lastName']],
      [{ ...person, email: 'ada' }, ['email']],
      [{ ...person, firstName: ' ' }, ['firstName']],
      [{ ...person, lastName: 'x'.repeat(101) }, ['lastName']],
      [{ ...person, lastName: 'a\nb' }, ['lastName']],
      [{ ...person, showMe: 'yes' }, ['showMe']],
      [{ ...person, waitlist: 'yes' }, ['waitlist']],
      [{ ...person, password: 'secret' }, ['password']],
    ])('refuses %j and names the field', async (body, fields) => {
      const reply = await visitor().post<ErrorBody>(path, body);
      expect([reply.status, Object.keys(reply.body.details!.fields!)]).toEqual([400, fields]);
      const unknown = await visitor().post<ErrorBody>(`/api/events/${UNKNOWN}/rsvp`, body);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'EVENT_NOT_FOUND']);
      expect(asked).toEqual([]);
    });

    it('asks what the event asks, before a code is mailed', async () => {
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
      // who takes a place over that an organiser gave is asked nothing
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
    ])('is refused for an event that is %s, as registering is: %s', async (given, code) => {
      state = given;
      const reply = await visitor().post<ErrorBody>(path, person);
      expect([reply.status, reply.body.code, reply.body.message]).toEqual([409, code, ERRORS[code].message]);
      const waiting = await visitor().post(path, { ...person, waitlist: true });
      expect(waiting.status).toBe(given === 'waitlist' ? 202 : 409);
      const takesOver = await visitor().post(path, { ...person, takeOver: true });
      expect(takesOver.status).toBe(['ended', 'cancelled'].includes(given) ? 409 : 202);
    });

    it('is for visitors', async () => {
      const { browser } = await stack.signedIn();
      const reply = await browser.post<ErrorBody>(path, person);
      expect([reply.status, reply.body.code]).toEqual([409, 'ALREADY_SIGNED_IN']);
    });

    it('names the flow that is watched', async () => {
      const browser = visitor();
      await browser.post(path, person);
      expect((await browser.get(`/api/confirm?purpose=rsvp&flow=${FLOW}`)).body).toEqual({ status: 'open' });
      expect(watched).toEqual([{ browser: flowOf(browser), purpose: 'rsvp', flow: FLOW }]);
      expect((await browser.get('/api/confirm?purpose=rsvp&flow=short')).status).toBe(400);
    });
  });

  describe('confirming it', () => {
    it('registers in the name of the member, with no right beyond, and signs in', async () => {
      const browser = visitor();
      await browser.post(path, person);
      const reply = await confirm(browser);
      const { user, epoch } = confirmed.member!;
      expect([reply.status, reply.body]).toEqual([
        200,
        { user, passwordEnded: false, eventId: event.id, registration },
      ]);
      expect(registered).toMatchObject([
        { request: wanted, identity: { sub: user.id, isAdmin: false, epoch } },
      ]);
      expect((await browser.get('/api/user')).body).toEqual(user);
    });

    it('tells the place on the waiting list', async () => {
      const waiting = { joinedAt: registration.registeredAt, position: 3 };
      places = [{ registration, waiting }];
      expect((await confirm(visitor())).body).toMatchObject({ registration, waiting });
    });

    it.each<ErrorCode>([
      'VALIDATION_FAILED',
      'EVENT_NOT_FOUND',
      'EVENT_FULL',
      'EVENT_CANCELLED',
      'REGISTRATION_CLOSED',
      'REGISTRATION_ENDED',
      'REGISTRATION_NOT_OPEN',
    ])('signs in and tells the refusal when it is %s by then', async (code) => {
      places = [new DomainError(code)];
      const browser = visitor();
      const reply = await confirm(browser);
      expect(reply).toMatchObject({ status: 200, body: { registration: null, refusal: refusalOf(code) } });
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('can be repeated when it is not known whether the place was taken: no session stands in the way', async () => {
      const lost = new DomainError('SERVICE_UNAVAILABLE', { outcome: 'unknown' });
      places = [lost, lost, { registration }];
      const browser = visitor();
      const reply = await confirm<ErrorBody>(browser);
      expect([reply.status, reply.body.code, reply.headers.has('retry-after')]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        true,
      ]);
      expect(browser.cookies.has(SESSION.cookie)).toBe(false);
      expect((await confirm(browser)).body).toMatchObject({ registration });
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('refuses alike what does not fit, and what is no code', async () => {
      for (const given of [{ code: '654321' }, { flow: 'g'.repeat(22) }]) {
        const reply = await confirm<ErrorBody>(visitor(), given);
        expect([reply.status, reply.body.message]).toEqual([400, 'Invalid or expired code']);
      }
      const wrong = await visitor().post<ErrorBody>('/api/rsvp/confirm', { flow: 'short', code: '12345a' });
      expect([wrong.status, Object.keys(wrong.body.details!.fields!)]).toEqual([400, ['flow', 'code']]);
      expect(registered).toEqual([]);
    });

    it('by a link does so in any browser, and says what became of the place', async () => {
      const browser = visitor();
      const reply = await browser.post<Confirmation>('/api/confirm/link', { token: LINK });
      expect(reply.body).toEqual({
        ...{ purpose: 'rsvp', user: confirmed.member!.user, next: null, passwordEnded: false },
        ...{ eventId: event.id, registration },
      });
      expect(await isSignedIn(browser)).toBe(true);
      places = [new DomainError('EVENT_FULL')];
      expect((await visitor().post<Confirmation>('/api/confirm/link', { token: LINK })).body).toMatchObject({
        registration: null,
        refusal: refusalOf('EVENT_FULL'),
      });
    });

    it('by a link, which works once, signs in also when the place cannot be taken now', async () => {
      places = [new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' })];
      const browser = visitor();
      const reply = await browser.post<Confirmation>('/api/confirm/link', { token: LINK });
      expect(reply).toMatchObject({
        status: 200,
        body: { registration: null, refusal: refusalOf('SERVICE_UNAVAILABLE') },
      });
      expect(await isSignedIn(browser)).toBe(true);
    });
  });

  describe('with a second factor', () => {
    const firstStep: [string, (browser: ApiClient) => Promise<{ status: number; body: ErrorBody }>][] = [
      ['code', (browser) => confirm<ErrorBody>(browser)],
      ['link', (browser) => browser.post<ErrorBody>('/api/confirm/link', { token: LINK })],
    ];
    it.each(firstStep)(
      'the %s takes no place and begins no session before the second step',
      async (_, first) => {
        withFactor();
        const browser = visitor();
        const { status, body } = await first(browser);
        expect([status, body.code, body.details]).toEqual([
          401,
          'SECOND_FACTOR_REQUIRED',
          { methods: ['totp', 'recovery'] },
        ]);
        expect([registered, await isSignedIn(browser)]).toEqual([[], false]);
        const second = await browser.post<SignedIn>('/api/login/second-factor', { code: '123456' });
        expect([second.status, second.body]).toEqual([
          200,
          { ...confirmed.member!.user, rsvp: { eventId: event.id, registration } },
        ]);
        expect(registered).toMatchObject([{ request: wanted }]);
        expect(await isSignedIn(browser)).toBe(true);
      },
    );

    it.each<[ErrorCode]>([['EVENT_FULL'], ['DEADLINE_EXCEEDED']])(
      'the second step, which is taken once, signs in also when the place is refused: %s',
      async (code) => {
        withFactor();
        places = [new DomainError(code)];
        const browser = visitor();
        await confirm(browser);
        const second = await browser.post<SignedIn>('/api/login/second-factor', { code: '123456' });
        expect(second.body.rsvp).toEqual({ eventId: event.id, registration: null, refusal: refusalOf(code) });
        expect(await isSignedIn(browser)).toBe(true);
      },
    );
  });

  describe('under the standard limits', () => {
    it('sixty people register from one network within ten minutes, and no more', async () => {
      const ip = '198.51.100.1';
      const steps: number[] = [];
      for (let n = 0; n < 60; n += 1) {
        const browser = visitor(ip);
        steps.push((await browser.get('/')).status === 429 ? 429 : 0);
        steps.push((await browser.get('/api/config')).status);
        steps.push((await browser.post(path, { ...person, email: `guest-${n}@example.com` })).status);
        steps.push((await confirm(browser)).status);
        steps.push((await browser.get('/api/user')).status);
      }
      expect(tally(steps)).toEqual({ 0: 60, 200: 180, 202: 60 });
      expect((await visitor(ip).post(path, person)).status).toBe(429);
      expect((await confirm(visitor(ip))).status).toBe(429);
      expect((await visitor('198.51.100.2').post(path, person)).status).toBe(202);
    });
  });
});

describe('a registration of somebody whose address is not proved', () => {
  const { content, ...event } = anEventPage();
  const path = `/api/events/${event.id}/register`;
  const LAPSES = '2031-05-01T17:00:00.000Z';
  const attendee = {
    ...{ id: crypto.randomUUID(), firstName: 'Ada', lastName: 'Lovelace' },
    profileImageUrl: null,
  };
  let registered: RegisterRequest[];
  let asked: RequestVerificationRequest[];
  let refusal: ErrorCode | null;
  let answer: { created: boolean; registration: Registration };
  let lapsesAt: string | undefined;
  let refused: ErrorCode | null;
  const stack = gatewayForTests({
    config: { trustedProxies: 1 },
    auth: scenes(
      played(RequestVerification, (request) => {
        if (refusal !== null) throw new DomainError(refusal);
        asked.push(request);
      }),
    ),
    events: scenes(
      played(GetEvent, () => ({ ...event, content })),
      played(Register, (request) => {
        if (refused !== null) throw new DomainError(refused);
        registered.push(request);
        return answer;
      }),
      played(ListAttendees, () => ({
        items: [{ ...attendee, linkedInUrl: null }],
        total: 7,
        nextCursor: 'next',
      })),
      played(ListFaces, () => [{ eventId: event.id, faces: [attendee] }]),
      played(ListMyEvents, () => ({
        items: [{ ...event, registrations: [aRegistration({ lapsesAt })] }],
        ...{ total: 1, nextCursor: null },
      })),
    ),
  });
  beforeEach(() => {
    [registered, asked, refusal, lapsesAt, refused] = [[], [], null, LAPSES, null];
    answer = { created: true, registration: aRegistration({ lapsesAt: LAPSES }) };
  });
  /** A browser signed in to an account whose address is verified at that moment. */
  const signedIn = async (emailVerifiedAt: string | null) => {
    const user = await stack.addUser();
    const member = stack.users.get(user.id)!;
    const signIn = async (browser = stack.browser(), verifiedAt: string | null = emailVerifiedAt) => {
      stack.users.set(user.id, { ...member, user: { ...user, emailVerifiedAt: verifiedAt } });
      await browser.post('/api/login', { email: user.email, password: PASSWORD });
      return browser;
    };
    return { browser: await signIn(), signIn };
  };
  const unverified = () => signedIn(null);

  it('tells who may take no place there before the address is proved what to do', async () => {
    refused = 'ADDRESS_NOT_VERIFIED';
    const { browser } = await signedIn(null);
    expect(await browser.post(path)).toMatchObject({
      status: 409,
      body: {
        code: 'ADDRESS_NOT_VERIFIED',
        message: 'Confirm your email address to take a place at this event',
      },
    });
  });

  describe('a place that lapses', () => {
    it('has a code mailed at once to the browser that took it, which can use it', async () => {
      const { browser } = await unverified();
      const reply = await browser.post(path);
      expect([reply.status, reply.body]).toMatchObject([201, { registration: { lapsesAt: LAPSES } }]);
      expect(asked).toEqual([
        {
          eventId: event.id,
          asker: {
            browser: browser.cookies.get('meetmark_flow_verify'),
            network: expect.any(String),
          },
        },
      ]);
      // asked again, or kept from the start: no mail
      answer = { created: false, registration: answer.registration };
      await browser.post(path);
      answer = { created: true, registration: aRegistration() };
      await browser.post(path);
      expect(asked).toHaveLength(1);
    });

    it.each<ErrorCode>(['SERVICE_UNAVAILABLE', 'EMAIL_VERIFIED'])(
      'is taken all the same when no code can be mailed: %s',
      async (code) => {
        refusal = code;
        const { browser } = await unverified();
        expect((await browser.post(path)).status).toBe(201);
      },
    );

    it('is taken from a network that the service cannot read, and knows again at the same event alone', async () => {
      const { browser } = await unverified();
      const from = async (ip: string, address = path) => {
        await browser.send('POST', address, undefined, { 'x-forwarded-for': ip });
        return registered.at(-1)!.network;
      };
      const home = await from('203.0.113.7');
      expect(home).toMatch(/^[\w-]{22}$/);
      expect(await from('203.0.113.200')).toBe(home);
      expect(
        await from(
          '203.0.113.7',
          path.toUpperCase().replace('/API/EVENTS', '/api/events').replace('REGISTER', 'register'),
        ),
      ).toBe(home);
      expect(await from('203.0.114.7')).not.toBe(home);
      expect(await from('203.0.113.7', `/api/events/${crypto.randomUUID()}/register`)).not.toBe(home);
      expect(JSON.stringify(registered)).not.toContain('203.0');
    });

    it('is not said to lapse any more as soon as the address is verified', async () => {
      const { browser, signIn } = await unverified();
      const said = async () =>
        (await browser.get<{ registrations: Registration[] }[]>('/api/my-events')).body[0]!.registrations[0]!
          .lapsesAt;
      expect(await said()).toBe(LAPSES);
      lapsesAt = undefined;
      expect(await said()).toBe(LAPSES); // kept for some seconds
      await signIn(browser, new Date().toISOString());
      expect(await said()).toBeUndefined();
    });
  });

  describe('who comes', () => {
    it('is a number alone for an account whose address is not verified', async () => {
      const [{ browser }, { browser: verified }] = [await unverified(), await stack.signedIn()];
      const attendees = `/api/events/${event.id}/attendees?limit=5`;
      const faces = `/api/event-faces?eventIds=${event.id}`;
      const reply = await browser.get(attendees);
      expect([reply.status, reply.body]).toEqual([200, []]);
      expect([reply.headers.get('x-total-count'), reply.headers.get('link')]).toEqual(['7', null]);
      expect((await browser.get(faces)).body).toEqual([]);
      expect((await verified.get(attendees)).body).toHaveLength(1);
      expect((await verified.get(faces)).body).toHaveLength(1);
    });
  });
});
