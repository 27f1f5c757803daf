import { randomBytes, randomUUID } from 'node:crypto';
import {
  DomainError,
  FindEvent,
  GetAvatar,
  GetBanner,
  GetDoorSnapshot,
  GetEvent,
  GetEventPreview,
  HasAvatar,
  SESSION,
  WalkIn,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { ApiClient, type Answer } from '@meetmark/testing/http-client';
import { gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';
import { RateLimiter } from './rate-limiter.js';
import { RATE_LIMITS, type RateLimitName } from './rate-limits.js';

const NAMES = Object.keys(RATE_LIMITS) as RateLimitName[];
/**
 * Points of limits that also count calls from other rows. With only one point, such a limit would refuse a
 * call before the limit under test does.
 */
const POINTS: Partial<Record<RateLimitName, number>> = {
  'sign-in-attempts': 4,
  'code-requests-daily': 12,
  'door-tries': 4,
  misses: 3,
  pages: 20,
  media: 20,
  anonymous: 20,
  'signed-in': 20,
};
/** Returns seconds that differ for each limit, so that `Retry-After` shows which limit refused. */
const getSeconds = (name: RateLimitName) => 1_000 + 100 * NAMES.indexOf(name);
const LIMITS = NAMES.map((name) => `${name}=${POINTS[name] ?? 1}/${getSeconds(name)}`).join();

const EVENT = randomUUID();
const DOOR = 'd'.repeat(43);
const SECRET = 's'.repeat(22);
const secret = () => randomBytes(32).toString('base64url');
const hash = () => randomBytes(32).toString('hex');
const HASH = hash();
const someone = () => ({ email: `${randomUUID()}@example.com`, firstName: 'Ada', lastName: 'L' });
const walkIn = (email?: string) => {
  const at = new Date().toISOString();
  return { key: randomUUID(), name: 'Wanda', at, sentAt: at, email };
};

type Call = () => [method: string, path: string, body?: object, headers?: Record<string, string>];
interface Row {
  name: RateLimitName;
  as?: { isAdmin: boolean };
  calls: Call[];
  own?: Call;
}
const member = { isAdmin: false };
const administrator = { isAdmin: true };
const VISITOR = { cookie: '' };
const send = (client: ApiClient, call: Call) => client.send(...call());
const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

const ADA = { email: 'ada@example.com' };
const anyIp = () => ({ 'x-forwarded-for': `10.${randomBytes(3).join('.')}` });
const newEmail = () => ({ email: someone().email });
const GUESTS = `/api/admin/events/${EVENT}/guests`;
const OWN_CODE_REQUEST: Call = () => ['POST', '/api/user/verification'];
const CODE_REQUESTS: Call[] = [
  () => ['POST', '/api/forgot-password', ADA],
  () => ['POST', '/api/sign-in-code', ADA],
  OWN_CODE_REQUEST,
  () => ['POST', '/api/user/pending-email/code'],
  () => ['POST', '/api/subscriptions', { ...ADA, digest: true }],
  () => ['POST', `/api/events/${EVENT}/rsvp`, someone(), VISITOR],
  () => ['POST', `/api/events/${EVENT}/host-messages/code`, ADA, VISITOR],
  () => ['PUT', '/api/user/profile', newEmail()],
];
const VISITOR_MESSAGE = { message: 'May I bring my dog?', name: 'Vera', flow: SECRET, code: '123456' };
/** Calls that count towards each limit. A test checks that every limit has a row. */
const TABLE: Row[] = [
  { name: 'sign-in-failures', calls: [() => ['POST', '/api/login', { ...ADA, password: 'x' }]] },
  { name: 'sign-in-attempts', calls: [() => ['POST', '/api/login', { ...newEmail(), password: 'x' }]] },
  { name: 'sign-up', calls: [() => ['POST', '/api/register', { ...someone(), password: PASSWORD }]] },
  { name: 'code-requests', as: member, calls: CODE_REQUESTS, own: OWN_CODE_REQUEST },
  {
    name: 'code-attempts',
    calls: [
      () => ['POST', '/api/confirm', { purpose: 'sign-in', code: '123456' }],
      () => ['POST', '/api/confirm/link', { token: SECRET }],
      () => ['POST', '/api/reset-password', { ...ADA, token: '123456', newPassword: PASSWORD }],
      () => ['POST', '/api/revert-email', { token: SECRET }],
      () => ['POST', '/api/subscriptions/confirm', { token: SECRET }],
      () => ['POST', '/api/rsvp/confirm', { flow: SECRET, code: '123456' }],
      () => ['POST', `/api/events/${EVENT}/host-messages/visitor`, VISITOR_MESSAGE],
    ],
  },
  { name: 'address-changes', as: member, calls: [() => ['PUT', '/api/user/profile', newEmail(), anyIp()]] },
  {
    name: 'password-changes',
    as: member,
    calls: [
      () => ['PUT', '/api/user/change-password', { currentPassword: 'x', newPassword: 'another horse' }],
      () => ['PUT', '/api/user/profile', { currentPassword: 'x' }],
      () => ['POST', '/api/user/confirm', { password: 'x' }],
      () => ['POST', '/api/user/second-factors/totp/confirm', { name: 'Phone', code: '123456' }],
    ],
  },
  {
    name: 'setup',
    calls: [() => ['POST', '/api/setup', { token: SECRET, owner: { ...someone(), password: PASSWORD } }]],
  },
  {
    name: 'pictures',
    as: administrator,
    calls: [
      () => ['PUT', '/api/user/profile', { profileImageUrl: 'data:,' }],
      () => ['PUT', `/api/events/${EVENT}`, { bannerImageUrl: 'data:,' }],
    ],
  },
  {
    name: 'registrations',
    as: member,
    calls: [
      () => ['POST', `/api/events/${EVENT}/register`],
      () => ['PUT', `/api/events/${EVENT}/register`, {}],
      () => ['DELETE', `/api/events/${EVENT}/register`],
      () => ['POST', `/api/events/${EVENT}/check-in`, {}],
    ],
  },
  {
    name: 'guest-mails',
    as: administrator,
    calls: [
      () => ['POST', GUESTS, {}],
      () => ['POST', `${GUESTS}/${EVENT}/place`],
      () => ['DELETE', `${GUESTS}/${EVENT}`],
      () => ['POST', `${GUESTS}/remove`, { ids: [EVENT] }],
    ],
  },
  {
    name: 'message-tests',
    as: administrator,
    calls: [() => ['POST', `/api/admin/events/${EVENT}/messages/test`, {}]],
  },
  {
    name: 'mail-checks',
    as: administrator,
    calls: [() => ['POST', '/api/admin/mail-check', { selector: '-' }]],
  },
  {
    name: 'import-urls',
    as: administrator,
    calls: [() => ['POST', '/api/admin/imports/fetch', { url: 'https://example.org/events.ics' }]],
  },
  {
    name: 'member-searches',
    as: administrator,
    calls: [
      () => ['GET', '/api/admin/members/search?q=ada'],
      () => ['GET', `/api/admin/events/${EVENT}/members/search?q=ada`],
    ],
  },
  { name: 'door', calls: [() => ['GET', '/api/door', undefined, withToken(DOOR)]] },
  { name: 'door-tries', calls: [() => ['GET', '/api/door', undefined, withToken(secret())]] },
  {
    name: 'walk-in-mails',
    calls: [() => ['POST', '/api/door/walk-ins', walkIn('wanda@example.org'), withToken(secret())]],
  },
  {
    name: 'misses',
    calls: [
      () => ['GET', `/api/event-slugs/${randomUUID()}`],
      () => ['GET', `/api/event-previews/${secret()}`],
      () => ['GET', `/media/banners/${hash()}.webp`],
      () => ['GET', `/media/avatars/${hash()}.webp`],
      () => ['GET', `/media/avatars/${HASH}.webp`, undefined, { 'if-none-match': `"${HASH}"` }],
      () => ['GET', `/media/share/${randomUUID()}-1.jpg`],
      () => ['GET', `/media/maps/${randomUUID()}.webp`],
    ],
  },
  { name: 'pages', calls: [() => ['GET', '/manifest.webmanifest']] },
  { name: 'media', calls: [() => ['GET', '/media/banners/none.webp']] },
  { name: 'anonymous', calls: [() => ['GET', '/api/config']] },
  { name: 'signed-in', as: member, calls: [() => ['GET', '/api/user']] },
];

function missing(): never {
  throw new DomainError('EVENT_NOT_FOUND');
}

describe('every limit', () => {
  const stack = gatewayForTests({
    rateLimits: LIMITS,
    auth: scenes(
      played(HasAvatar, () => false),
      played(GetAvatar, () => {
        throw new DomainError('PICTURE_NOT_FOUND');
      }),
    ),
    events: scenes(
      played(GetDoorSnapshot, ({ token }) => {
        if (token !== DOOR) throw new DomainError('DOOR_LINK_ENDED');
        return { counts: { expected: 0, in: 0 }, guests: [] } as never;
      }),
      played(WalkIn, () => {
        throw new DomainError('EVENT_FULL');
      }),
      played(GetEvent, ({ eventId }) => (eventId === EVENT ? anEventPage({ id: EVENT }) : missing())),
      played(FindEvent, missing),
      played(GetEventPreview, missing),
      played(GetBanner, () => {
        throw new DomainError('PICTURE_NOT_FOUND');
      }),
    ),
  });
  /** Returns an IP address of another /24 network for each limit, because a session gives its network a reserve. */
  const getIp = (name: RateLimitName) => `198.51.${NAMES.indexOf(name)}.1`;
  const from = (ip: string, more: Record<string, string> = {}) =>
    new ApiClient(stack.url, { 'x-forwarded-for': ip, ...more });
  const signedIn = async (as: Row['as'], ip: string) => {
    const { browser } = await stack.signedIn(as, { 'x-forwarded-for': `10.${randomBytes(2).join('.')}.1` });
    browser.defaults['x-forwarded-for'] = ip;
    return browser;
  };
  const expectRefusal = ({ status, text, headers }: Answer, name: RateLimitName) => {
    expect([status, text]).toEqual([429, expect.stringContaining('RATE_LIMITED')]);
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(getSeconds(name) - 60);
    expect(wait).toBeLessThanOrEqual(getSeconds(name));
  };

  it.each(TABLE)(
    'refuses every call that counts towards $name once used up',
    async ({ name, as, calls, own }) => {
      const client = as === undefined ? from(getIp(name)) : await signedIn(as, getIp(name));
      if (own !== undefined) await send(client, own);
      for (let each = 0; each < (POINTS[name] ?? 1); each += 1) {
        const { status, text } = await send(client, calls[each % calls.length]!);
        expect([status === 429, text]).toEqual([false, text]);
      }
      for (const call of calls) expectRefusal(await send(client, call), name);
    },
  );

  it('refuses requests for codes once the limit per day is used up', async () => {
    const ip = getIp('code-requests-daily');
    const limiter = stack.gateway.app.get(RateLimiter);
    for (let each = 0; each < POINTS['code-requests-daily']!; each += 1)
      await limiter.consume('code-requests-daily', ip);
    expectRefusal(await send(from(ip), CODE_REQUESTS[0]!), 'code-requests-daily');
  });

  it.each(['misses', 'pages', 'media'] as const)(
    'keeps a tenth of %s for a member whose network has used it up',
    async (name) => {
      const { calls } = TABLE.find((row) => row.name === name)!;
      const ip = `203.0.113.${NAMES.indexOf(name)}`;
      const stranger = from(ip);
      const other = from(ip, { cookie: `${SESSION.cookie}=invented.${'x'.repeat(43)}` });
      const member = await signedIn({ isAdmin: false }, ip);
      const isRefused = async (client: ApiClient) => (await send(client, calls[0]!)).status === 429;
      for (let each = 0; each < POINTS[name]!; each += 1) expect(await isRefused(stranger)).toBe(false);
      expect([await isRefused(stranger), await isRefused(other)]).toEqual([true, true]);
      const share = Math.ceil(POINTS[name]! / 10);
      for (let each = 0; each < share; each += 1) expect(await isRefused(member)).toBe(false);
      expect([await isRefused(member), await isRefused(stranger)]).toEqual([true, true]);
    },
  );

  it('is covered by the calls in this file', () => {
    // `limits.spec.ts` tests the limit of failures anywhere.
    const held = [...TABLE.map(({ name }) => name), 'code-requests-daily', 'sign-in-failures-anywhere'];
    expect(held.toSorted()).toEqual(NAMES.toSorted());
  });

  it('does not count a walk-in without an email address', async () => {
    const client = from('198.51.100.200');
    for (let each = 0; each < 3; each += 1) {
      const reply = await client.post('/api/door/walk-ins', walkIn(), withToken(secret()));
      expect(reply.status).not.toBe(429);
    }
  });
});
