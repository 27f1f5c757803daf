import { randomBytes, randomUUID } from 'node:crypto';
import {
  DomainError,
  GetBanner,
  GetDoorSnapshot,
  GetEvent,
  GetEventPreview,
  SESSION,
  WalkIn,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { ApiClient, type Answer } from '@meetmark/testing/http-client';
import { gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';
import { RATE_LIMITS, type RateLimitName } from './rate-limits.js';

const NAMES = Object.keys(RATE_LIMITS) as RateLimitName[];
/**
 * Points of limits that also count calls from other rows. With only one point, such a limit would refuse a
 * call before the limit under test does.
 */
const POINTS: Partial<Record<RateLimitName, number>> = {
  'sign-in-attempts': 4,
  'code-requests-daily': 100,
  'door-tries': 4,
  misses: 3,
  pages: 20,
  media: 20,
  anonymous: 20,
  'signed-in': 20,
};
/** Returns seconds that differ for each limit, so that `Retry-After` shows which limit refused. */
const getSeconds = (name: RateLimitName) => 1_000 + 100 * NAMES.indexOf(name);
const figures = (points: Partial<Record<RateLimitName, number>>) =>
  NAMES.map((name) => `${name}=${points[name] ?? 1}/${getSeconds(name)}`).join();

const EVENT = randomUUID();
const DOOR = 'd'.repeat(43);
const SECRET = 's'.repeat(22);
const secret = () => randomBytes(32).toString('base64url');
const someone = () => ({ email: `${randomUUID()}@example.com`, firstName: 'Ada', lastName: 'L' });
const walkIn = (email?: string) => {
  const at = new Date().toISOString();
  return { key: randomUUID(), name: 'Wanda', at, sentAt: at, email };
};

type Call = (client: ApiClient) => Promise<Answer>;
interface Row {
  name: RateLimitName;
  as?: { isAdmin: boolean };
  calls: Call[];
  own?: Call;
}
const member = { isAdmin: false };
const administrator = { isAdmin: true };

const OWN_CODE_REQUEST: Call = (client) => client.post('/api/user/verification');
const CODE_REQUESTS: Call[] = [
  (client) => client.post('/api/forgot-password', { email: 'ada@example.com' }),
  (client) => client.post('/api/sign-in-code', { email: 'ada@example.com' }),
  OWN_CODE_REQUEST,
  (client) => client.post('/api/user/pending-email/code'),
  (client) => client.post('/api/subscriptions', { email: 'ada@example.com', digest: true }),
  ({ url, defaults }) => new ApiClient(url, defaults).post(`/api/events/${EVENT}/rsvp`, someone()),
  ({ url, defaults }) =>
    new ApiClient(url, defaults).post(`/api/events/${EVENT}/host-messages/code`, {
      email: 'ada@example.com',
    }),
  (client) => client.put('/api/user/profile', { email: `${randomUUID()}@example.com` }),
];
/**
 * Calls that count towards each limit. A test checks that every limit has a row.
 */
const TABLE: Row[] = [
  {
    name: 'sign-in-failures',
    calls: [(client) => client.post('/api/login', { email: 'ada@example.com', password: 'x' })],
  },
  {
    name: 'sign-in-attempts',
    calls: [(client) => client.post('/api/login', { email: someone().email, password: 'x' })],
  },
  {
    name: 'sign-up',
    calls: [(client) => client.post('/api/register', { ...someone(), password: PASSWORD })],
  },
  { name: 'code-requests', as: member, calls: CODE_REQUESTS, own: OWN_CODE_REQUEST },
  { name: 'code-requests-daily', as: member, calls: CODE_REQUESTS, own: OWN_CODE_REQUEST },
  {
    name: 'code-attempts',
    calls: [
      (client) => client.post('/api/confirm', { purpose: 'sign-in', code: '123456' }),
      (client) => client.post('/api/confirm/link', { token: SECRET }),
      (client) =>
        client.post('/api/reset-password', {
          ...{ email: 'ada@example.com', token: '123456', newPassword: PASSWORD },
        }),
      (client) => client.post('/api/revert-email', { token: SECRET }),
      (client) => client.post('/api/subscriptions/confirm', { token: SECRET }),
      (client) => client.post('/api/rsvp/confirm', { flow: SECRET, code: '123456' }),
      (client) =>
        client.post(`/api/events/${EVENT}/host-messages/visitor`, {
          ...{ message: 'May I bring my dog?', name: 'Vera', flow: SECRET, code: '123456' },
        }),
    ],
  },
  {
    name: 'address-changes',
    as: member,
    calls: [
      (client) =>
        client.put(
          '/api/user/profile',
          { email: `${randomUUID()}@example.com` },
          { 'x-forwarded-for': `10.${randomBytes(3).join('.')}` },
        ),
    ],
  },
  {
    name: 'password-changes',
    as: member,
    calls: [
      (client) =>
        client.put('/api/user/change-password', { currentPassword: 'x', newPassword: 'another horse' }),
      (client) => client.put('/api/user/profile', { currentPassword: 'x' }),
      (client) => client.post('/api/user/confirm', { password: 'x' }),
      (client) => client.post('/api/user/second-factors/totp/confirm', { name: 'Phone', code: '123456' }),
    ],
  },
  {
    name: 'setup',
    calls: [
      (client) => client.post('/api/setup', { token: SECRET, owner: { ...someone(), password: PASSWORD } }),
    ],
  },
  {
    name: 'pictures',
    as: administrator,
    calls: [
      (client) => client.put('/api/user/profile', { profileImageUrl: 'data:,' }),
      (client) => client.put(`/api/events/${EVENT}`, { bannerImageUrl: 'data:,' }),
    ],
  },
  {
    name: 'registrations',
    as: member,
    calls: [
      (client) => client.post(`/api/events/${EVENT}/register`),
      (client) => client.put(`/api/events/${EVENT}/register`, {}),
      (client) => client.delete(`/api/events/${EVENT}/register`),
      (client) => client.post(`/api/events/${EVENT}/check-in`, {}),
    ],
  },
  {
    name: 'guest-mails',
    as: administrator,
    calls: [
      (client) => client.post(`/api/admin/events/${EVENT}/guests`, {}),
      (client) => client.post(`/api/admin/events/${EVENT}/guests/${EVENT}/place`),
      (client) => client.delete(`/api/admin/events/${EVENT}/guests/${EVENT}`),
      (client) => client.post(`/api/admin/events/${EVENT}/guests/remove`, { ids: [EVENT] }),
    ],
  },
  {
    name: 'message-tests',
    as: administrator,
    calls: [(client) => client.post(`/api/admin/events/${EVENT}/messages/test`, {})],
  },
  {
    name: 'mail-checks',
    as: administrator,
    calls: [(client) => client.post('/api/admin/mail-check', { selector: '-' })],
  },
  {
    name: 'member-searches',
    as: administrator,
    calls: [
      (client) => client.get('/api/admin/members/search?q=ada'),
      (client) => client.get(`/api/admin/events/${EVENT}/members/search?q=ada`),
    ],
  },
  {
    name: 'door',
    calls: [(client) => client.get('/api/door', { authorization: `Bearer ${DOOR}` })],
  },
  {
    name: 'door-tries',
    calls: [(client) => client.get('/api/door', { authorization: `Bearer ${secret()}` })],
  },
  {
    name: 'walk-in-mails',
    calls: [
      (client) =>
        client.post('/api/door/walk-ins', walkIn('wanda@example.org'), {
          authorization: `Bearer ${secret()}`,
        }),
    ],
  },
  {
    name: 'misses',
    calls: [
      (client) => client.get(`/api/event-previews/${secret()}`),
      (client) => client.get(`/media/banners/${randomBytes(32).toString('hex')}.webp`),
      (client) => client.get(`/media/share/${randomUUID()}-1.jpg`),
      (client) => client.get(`/media/maps/${randomUUID()}.webp`),
    ],
  },
  { name: 'pages', calls: [(client) => client.get('/manifest.webmanifest')] },
  { name: 'media', calls: [(client) => client.get('/media/banners/none.webp')] },
  { name: 'anonymous', calls: [(client) => client.get('/api/config')] },
  { name: 'signed-in', as: member, calls: [(client) => client.get('/api/user')] },
];

describe('every limit', () => {
  let limited: string;
  let daily: string;
  const stack = gatewayForTests({
    config: { trustedProxies: 1 },
    events: scenes(
      played(GetDoorSnapshot, ({ token }) => {
        if (token !== DOOR) throw new DomainError('DOOR_LINK_ENDED');
        return { counts: { expected: 0, in: 0 }, guests: [] } as never;
      }),
      played(WalkIn, () => {
        throw new DomainError('EVENT_FULL');
      }),
      played(GetEvent, ({ eventId }) => {
        if (eventId !== EVENT) throw new DomainError('EVENT_NOT_FOUND');
        return anEventPage({ id: EVENT });
      }),
      played(GetEventPreview, () => {
        throw new DomainError('EVENT_NOT_FOUND');
      }),
      played(GetBanner, () => {
        throw new DomainError('PICTURE_NOT_FOUND');
      }),
    ),
  });
  beforeAll(async () => {
    const gateway = (points: typeof POINTS) =>
      stack.another({ rateLimitProfile: 'standard', rateLimits: figures(points) });
    limited = (await gateway(POINTS)).url;
    daily = (await gateway({ ...POINTS, 'code-requests': 100, 'code-requests-daily': 1 })).url;
  });

  it.each(TABLE)(
    'refuses every call that counts towards $name once used up',
    async ({ name, as, calls, own }) => {
      const url = name === 'code-requests-daily' ? daily : limited;
      // Uses a /24 network per limit, because a session gives its network a reserve.
      const ip = `198.51.${NAMES.indexOf(name)}.1`;
      const client = as === undefined ? new ApiClient(url) : (await stack.signedIn(as)).browser.at(url);
      client.defaults['x-forwarded-for'] = ip;
      const points = name === 'code-requests-daily' ? 1 : (POINTS[name] ?? 1);
      await own?.(client);
      for (let each = 0; each < points; each += 1) {
        const { status, text } = await calls[each % calls.length]!(client);
        expect([status === 429, text]).toEqual([false, text]);
      }
      for (const call of calls) {
        const { status, headers, text } = await call(client);
        expect([status, text]).toEqual([429, expect.stringContaining('RATE_LIMITED')]);
        const wait = Number(headers.get('retry-after'));
        expect(wait).toBeGreaterThan(getSeconds(name) - 60);
        expect(wait).toBeLessThanOrEqual(getSeconds(name));
      }
    },
  );

  it.each(['misses', 'pages', 'media'] as const)(
    'keeps a tenth of %s for a member whose network has used it up',
    async (name) => {
      const { calls } = TABLE.find((row) => row.name === name)!;
      const ip = { 'x-forwarded-for': `203.0.113.${NAMES.indexOf(name)}` };
      const stranger = new ApiClient(limited, ip);
      const other = new ApiClient(limited, { ...ip, cookie: `${SESSION.cookie}=invented.${'x'.repeat(43)}` });
      const { browser } = await stack.signedIn();
      const member = Object.assign(browser.at(limited), { defaults: ip });
      const isRefused = async (client: ApiClient) => (await calls[0]!(client)).status === 429;
      for (let each = 0; each < POINTS[name]!; each += 1) expect(await isRefused(stranger)).toBe(false);
      expect([await isRefused(stranger), await isRefused(other)]).toEqual([true, true]);
      const share = Math.ceil(POINTS[name]! / 10);
      for (let each = 0; each < share; each += 1) expect(await isRefused(member)).toBe(false);
      expect([await isRefused(member), await isRefused(stranger)]).toEqual([true, true]);
    },
  );

  it('delays repeated guesses at one account even from different networks', async () => {
    const guess = (n: number) =>
      new ApiClient(limited, { 'x-forwarded-for': `203.0.${n}.1` }).post('/api/login', {
        ...{ email: 'grace@example.com', password: 'x' },
      });
    await guess(1);
    await guess(2);
    const began = Date.now();
    expect((await guess(3)).status).toBe(401);
    expect(Date.now() - began).toBeGreaterThan(500);
  });

  it('is covered by the calls in this file', () => {
    const held = [...TABLE.map(({ name }) => name), 'sign-in-failures-anywhere'];
    expect(held.toSorted()).toEqual(NAMES.toSorted());
  });

  it('does not count a walk-in without an email address', async () => {
    const client = new ApiClient(limited, { 'x-forwarded-for': '198.51.100.200' });
    for (let each = 0; each < 3; each += 1) {
      const { status } = await client.post('/api/door/walk-ins', walkIn(), {
        authorization: `Bearer ${secret()}`,
      });
      expect(status).not.toBe(429);
    }
  });
});
