import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CountRegistrations,
  DomainError,
  FindEvent,
  GetAvatar,
  GetBanner,
  GetEvent,
  GetEventPreview,
  HasAvatar,
  ListPublicEvents,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { inTurns, tally } from '@meetmark/testing';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import { RATE_LIMITS } from './rate-limits.js';

const { points } = RATE_LIMITS.misses;
const ASKED = 3 * points;
const AT_ONCE = 10;

describe('looking for what does not exist', () => {
  const event = anEventPage();
  let calls = 0;
  let root: string;
  let stack: TestGateway;
  const nowhere = (code: 'PICTURE_NOT_FOUND' | 'EVENT_NOT_FOUND') => () => {
    calls += 1;
    throw new DomainError(code);
  };
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'web-'));
    mkdirSync(join(root, '.vite'));
    writeFileSync(join(root, 'index.html'), '<!--meta--><!--/meta--><!--first-paint--><!--first-answers-->');
    const pieces = {
      frame: '{{main}}',
      letter: '',
      logo: '',
      strip: '',
      landing: '',
      event: '{{title}}',
      picture: '',
    };
    writeFileSync(join(root, '.vite/first-paint.json'), JSON.stringify(pieces));
    writeFileSync(join(root, '.vite/manifest.json'), '{}');
    stack = await openTestGateway({
      config: { webRoot: root, rateLimitProfile: 'standard', trustedProxies: 1 },
      auth: scenes(
        played(GetAvatar, nowhere('PICTURE_NOT_FOUND')),
        played(HasAvatar, () => {
          calls += 1;
          return false;
        }),
      ),
      events: scenes(
        played(GetEvent, ({ eventId }) => (eventId === event.id ? event : nowhere('EVENT_NOT_FOUND')())),
        played(FindEvent, nowhere('EVENT_NOT_FOUND')),
        played(GetEventPreview, nowhere('EVENT_NOT_FOUND')),
        played(GetBanner, nowhere('PICTURE_NOT_FOUND')),
        played(CountRegistrations, () => ({ count: 0 })),
        played(ListPublicEvents, () => ({ items: [event], total: 1, nextCursor: null })),
      ),
    });
  });
  afterAll(async () => {
    await stack.close();
    rmSync(root, { recursive: true });
  });
  beforeEach(() => (calls = 0));

  const from =
    (ip: string) =>
    async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(stack.url + path, { headers: { 'x-forwarded-for': ip, accept: '*/*', ...headers } }))
        .status;
  const hash = () => randomBytes(32).toString('hex');

  it.each<[string, string, () => [string, Record<string, string>?]]>([
    ['events', '198.51.100.1', () => [`/events/${randomUUID()}`]],
    ['short addresses', '198.51.100.6', () => [`/e/${randomUUID()}`]],
    ['short addresses by the API', '198.51.100.7', () => [`/api/event-slugs/${randomUUID()}`]],
    ['avatars', '198.51.100.2', () => [`/media/avatars/${hash()}.webp`]],
    ['banners', '198.51.100.3', () => [`/media/banners/${hash()}.webp`]],
    ['previews', '198.51.100.5', () => [`/api/event-previews/${randomBytes(32).toString('base64url')}`]],
    [
      'avatars that were there before',
      '198.51.100.4',
      () => {
        const name = hash();
        return [`/media/avatars/${name}.webp`, { 'if-none-match': `"${name}"` }];
      },
    ],
  ])('is counted by who asks: %s', async (_, ip, any) => {
    const statuses = await inTurns(Array.from({ length: ASKED }), AT_ONCE, () => from(ip)(...any()));
    const found = tally(statuses);
    expect(found[404]).toBe(points);
    expect(found[429]).toBe(ASKED - points);
    expect(calls).toBeLessThanOrEqual(points + AT_ONCE);
    // what is at hand, and what others ask for, is answered all the same
    expect(await from('203.0.113.9')(`/events/${event.id}`)).toBe(200);
    expect(await from(ip)(`/events/${event.id}`)).toBe(200);
    expect(await from('203.0.113.9')(`/events/${randomUUID()}`)).toBe(404);
  });

  it('is done once, for a while', async () => {
    for (const path of [`/events/${randomUUID()}`, `/media/banners/${hash()}.webp`]) {
      calls = 0;
      for (let n = 0; n < 5; n += 1) expect(await from('203.0.113.10')(path)).toBe(404);
      expect(calls).toBe(1);
    }
  });
});
