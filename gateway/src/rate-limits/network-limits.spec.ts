import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CheckIn,
  CountRegistrations,
  DomainError,
  GetBanner,
  GetDoorSnapshot,
  GetEvent,
  ListPublicEvents,
  WalkIn,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { inTurns, tally } from '@meetmark/testing';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { Redis } from 'ioredis';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import { RATE_LIMITS } from './rate-limits.js';

const AT_ONCE = 20;
const TOKEN = 'd'.repeat(43);
const invented = () => randomBytes(32).toString('base64url');

/** Routes whose network has another limit than that of calls. */
const OTHERS: Record<string, string | null> = {
  '/api/door': 'door',
  '/api/door/check-ins': 'door',
  '/api/door/walk-ins': 'door',
  '/e/:slug': 'pages',
  '/events/:id': 'pages',
  '/manifest.webmanifest': 'pages',
  '/*': 'pages',
  '/media/avatars/:file': 'media',
  '/media/banners/:file': 'media',
  '/media/community/:file': 'media',
  '/media/maps/:file': 'media',
  '/media/gallery/:file': 'media',
  '/media/patterns/:file': 'media',
  '/media/share/:file': 'media',
  '/favicon.svg': null,
  '/icons/:file': null,
};

describe('what a network may ask for', () => {
  const event = anEventPage();
  let asked: string[] = [];
  let root: string;
  let stack: TestGateway;
  let redis: Redis;
  const note =
    <Request extends object, Answer>(name: string, answer: (request: Request) => Answer) =>
    (request: Request) => {
      asked.push(name);
      return answer(request);
    };
  const opened = ({ token }: { token: string }) => {
    if (token !== TOKEN) throw new DomainError('DOOR_LINK_ENDED');
  };
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'web-'));
    mkdirSync(join(root, '.vite'));
    writeFileSync(join(root, 'app.js'), 'export {};');
    writeFileSync(join(root, 'index.html'), '<!--meta--><!--/meta--><!--first-paint--><!--first-answers-->');
    const pieces = {
      frame: '{{main}}',
      letter: '',
      logo: '',
      strip: '',
      landing: '',
      event: '',
      picture: '',
    };
    writeFileSync(join(root, '.vite/first-paint.json'), JSON.stringify(pieces));
    writeFileSync(join(root, '.vite/manifest.json'), '{}');
    stack = await openTestGateway({
      config: { webRoot: root, rateLimitProfile: 'standard', trustedProxies: 1 },
      events: scenes(
        played(
          GetDoorSnapshot,
          note('door', (request) => {
            opened(request);
            const { id, title, startDate, endDate } = event;
            return {
              event: { id, title, startDate, endDate, cancelled: false },
              expiresAt: endDate,
              counts: { expected: 0, in: 0 },
              guests: [],
            } as never;
          }),
        ),
        played(
          CheckIn,
          note('door', (request) => {
            opened(request);
            return [];
          }),
        ),
        played(
          WalkIn,
          note('door', (request) => {
            opened(request);
            return { key: request.key, result: 'ok' } as never;
          }),
        ),
        played(
          GetEvent,
          note('event', ({ eventId }) => {
            if (eventId !== event.id) throw new DomainError('EVENT_NOT_FOUND');
            return event;
          }),
        ),
        played(
          GetBanner,
          note('banner', () => {
            throw new DomainError('PICTURE_NOT_FOUND');
          }),
        ),
        played(CountRegistrations, () => ({ count: 0 })),
        played(ListPublicEvents, () => ({ items: [event], total: 1, nextCursor: null })),
      ),
    });
    redis = new Redis(stack.redisOwnerUrl);
  });
  afterAll(async () => {
    redis.disconnect();
    await stack.close();
    rmSync(root, { recursive: true });
  });
  beforeEach(() => (asked = []));

  const client = (ip: string, url = stack.url) =>
    new ApiClient(url, { 'x-forwarded-for': ip, accept: '*/*' });
  const phone = (ip: string, token: string, url?: string) =>
    Object.assign(client(ip, url), {
      defaults: { 'x-forwarded-for': ip, authorization: `Bearer ${token}` },
    });
  const many = async (count: number, ask: (n: number) => Promise<{ status: number }>) =>
    tally(
      (await inTurns(Array.from({ length: count }), AT_ONCE, (_, n) => ask(n))).map(({ status }) => status),
    );
  const keys = async () => (await redis.keys('limit:*')).toSorted();

  it('is stated by each route', () => {
    const limits = stack.gateway.inventory.routes.map(({ path, limit }) => [path, limit]);
    const expected = limits.map(([path]) => [path, path! in OTHERS ? OTHERS[path!] : 'anonymous']);
    expect(limits).toEqual(expected);
    const paths = new Set(limits.map(([path]) => path));
    expect(Object.keys(OTHERS).filter((path) => !paths.has(path))).toEqual([]);
  });

  it('at the door by links that it invents is a hundred tries, after which nothing is asked and nothing kept', async () => {
    const { points } = RATE_LIMITS['door-tries'];
    const ip = '198.51.100.10';
    const at = new Date().toISOString();
    const item = () => ({ key: randomUUID(), name: 'Wanda', at, sentAt: at, email: 'wanda@example.org' });
    const calls = [
      () => phone(ip, invented()).get('/api/door'),
      () => phone(ip, invented()).post('/api/door/walk-ins', item()),
      () => phone(ip, '').get('/api/door'),
    ];
    expect(await many(3 * points, (n) => calls[n % 3]!())).toEqual({ 401: points, 429: 2 * points });
    expect(asked.length).toBeLessThanOrEqual(points);
    const before = await keys();
    expect(before.filter((key) => key.startsWith('limit:door:'))).toEqual([]);
    expect(before.filter((key) => key.startsWith('limit:walk-in-mails:')).length).toBeLessThanOrEqual(1);
    asked = [];
    expect(await many(60, (n) => calls[n % 3]!())).toEqual({ 429: 60 });
    expect([asked, await keys()]).toEqual([[], before]);
  });

  it('by a door link that is known is not used up by those that somebody invents beside it, at no gateway', async () => {
    const ip = '198.51.100.11';
    const other = await stack.another();
    expect((await phone(ip, TOKEN).get('/api/door')).status).toBe(200);
    expect((await many(150, () => phone(ip, invented()).get('/api/door')))[429]).toBeGreaterThan(0);
    for (const url of [stack.url, other.url])
      expect((await phone(ip, TOKEN, url).get('/api/door')).status).toBe(200);
  });

  it('of pages and pictures under names that it invents ends too, and leaves nothing in Redis', async () => {
    const ip = '198.51.100.12';
    const before = (await keys()).length;
    const { points } = RATE_LIMITS.misses;
    const found = await many(3 * points, () => client(ip).get(`/events/${randomUUID()}`));
    expect(found[404]).toBeLessThanOrEqual(points);
    asked = [];
    const pictures = () => client(ip).get(`/media/banners/${randomBytes(32).toString('hex')}.webp`);
    expect(await many(40, pictures)).toEqual({ 429: 40 });
    expect(asked).toEqual([]);
    expect((await keys()).length).toBe(before + 1); // the network's misses
    const pages = await many(RATE_LIMITS.pages.points, () => client(ip).get(`/nothing/${invented()}`));
    expect(pages).toEqual({ 404: RATE_LIMITS.pages.points - 3 * points, 429: 3 * points });
    expect((await client(ip).get(`/events/${event.id}`)).status).toBe(429);
    expect((await client(ip).get('/app.js')).status).toBe(200);
    // made for the community each time
    expect((await client(ip).get('/help/members.html')).status).toBe(429);
    expect((await client('198.51.100.13').get('/nothing')).status).toBe(404);
  });

  it('is enough for two phones and sixty guests of one evening', async () => {
    const ip = '198.51.100.14';
    const at = new Date().toISOString();
    const scan = () => ({ key: randomUUID(), code: 'c'.repeat(22), at, sentAt: at });
    const ofPhone = (n: number) =>
      n % 2 === 0
        ? phone(ip, TOKEN).get('/api/door')
        : phone(ip, TOKEN).post('/api/door/check-ins', { items: [scan()] });
    const ofGuest = ['/', `/events/${event.id}`, ...Array(10).fill(`/api/events/${event.id}`)] as string[];
    const guests = await many(60 * ofGuest.length, (n) => client(ip).get(ofGuest[n % ofGuest.length]!));
    const phones = await many(2 * 150, ofPhone);
    expect([guests, Object.keys(phones).includes('429')]).toEqual([{ 200: 720 }, false]);
  });
});
