import {
  DomainError,
  type ErrorCode,
  GetEvent,
  ListAttendees,
  ListFaces,
  ListMyEvents,
  Register,
  type RegisterRequest,
  type Registration,
  RequestVerification,
  type RequestVerificationRequest,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import { openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';

const { content, ...event } = anEventPage();
const path = `/api/events/${event.id}/register`;
const LAPSES = '2031-05-01T17:00:00.000Z';
const attendee = {
  ...{ id: crypto.randomUUID(), firstName: 'Ada', lastName: 'Lovelace' },
  profileImageUrl: null,
};

let stack: TestGateway;
let registered: RegisterRequest[];
let asked: RequestVerificationRequest[];
let refusal: ErrorCode | null;
let answer: { created: boolean; registration: Registration };
let lapsesAt: string | undefined;
let refused: ErrorCode | null;

beforeAll(async () => {
  stack = await openTestGateway({
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
});
afterAll(() => stack.close());
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
