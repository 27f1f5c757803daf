import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import {
  CountRegistrations,
  DomainError,
  FindEvent,
  type Event,
  type EventPage,
  GetEvent,
  ListEventAddresses,
  ListPublicEvents,
  monthSpan,
  PUBLIC_EVENTS_VERSION,
  SESSION,
} from '@meetmark/contracts';
import { type Handbook, HANDBOOK_LANGUAGES, type HandbookLanguage } from '@meetmark/contracts/handbook';
import { coverSources } from '@meetmark/contracts/events/cover-crop';
import { patternUrl } from '@meetmark/contracts/events/cover-pattern';
import { DEFAULT_BRAND } from '@meetmark/contracts/palette';
import { PAGES } from '@meetmark/contracts/pages';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEvent, anEventPage } from '@meetmark/testing/factories/samples';
import { jest } from '@jest/globals';
import { COMMUNITY, type PresentCommunity } from '@meetmark/platform';
import { builtWeb, openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';
import { isPage } from './pages.js';

const INDEX = `<!doctype html><html lang="en-US"><head><script type="module" src="/assets/main-abcdefgh.js"></script><link rel="modulepreload" href="/assets/more-abcdefgh.js"><!--meta--><title>Events</title><!--/meta--></head><body>app
<div id="root"><!--first-paint--></div><!--first-answers--></body></html>`;
const PIECES = {
  frame: '{{strip}}<header>{{mark}}{{name}}</header><main>{{main}}</main>',
  strip: '<aside></aside>',
  letter: '<b>{{letter}}</b>',
  logo: '<img id="logo" src="{{address}}">',
  landing:
    '<h1>{{name}}</h1><p>{{tagline}}</p><div data-muted="{{muted}}">{{picture}}</div><link rel="preload" as="fetch" href="/assets/own.js">{{events}}',
  event: '{{picture}}<h1>{{title}}</h1><link rel="preload" as="fetch" href="/assets/own.js">{{words}}',
  picture: '<img src="{{address}}" style="{{square}} {{squareZoom}}, {{wide}} {{wideZoom}}">',
  photo:
    '<link rel="preload" as="image" imageSrcSet="{{sources}}" imageSizes="{{sizes}}"/><img srcset="{{sources}}" sizes="{{sizes}}" src="{{address}}" style="{{square}} {{squareZoom}}, {{wide}} {{wideZoom}}">',
  waiting: '<i>…</i>',
  eventWords: '<noscript>{{state}}<dl>{{facts}}</dl>{{about}}<a href="mailto:{{email}}"></a></noscript>',
  state: '<b>{{state}}</b>{{reason}}',
  fact: '<dt>{{name}}</dt><dd>{{value}}</dd>',
  about: '<h2>About</h2>{{description}}',
  text: '<p>{{text}}</p>',
  markdown: '<div>{{html}}</div>',
  eventList: '<noscript><ul>{{events}}</ul></noscript>',
  listed: '<li><a href="{{address}}">{{title}}</a>{{facts}}</li>',
  noEvents: '<noscript>nothing</noscript>',
  calendar: '<noscript>All</noscript>{{events}}',
  forgotPassword: '<noscript>Reset {{email}}</noscript>',
  handbook:
    '<h1 lang="{{language}}">{{title}}</h1>{{note}}<p>{{intro}}</p>{{contents}}<article>{{html}}</article>',
  handbookContents: '<nav>{{list}}</nav>',
  handbookParts: '<div>{{html}}</div>',
  handbookLanguage: '<b>in English</b>',
  hosts: 'Hosts',
  free: 'Free',
  howToPay: 'Ask the organiser how to pay',
  cancelled: 'Cancelled',
  ended: 'Over',
  full: 'Full',
};
const DOOR = '<!doctype html><html lang="en-US"><title>Door</title>';
const SCRIPT = 'console.log("the application")';
const handbookIn = (language: HandbookLanguage): Handbook => ({
  language,
  title: language === 'en' ? 'Handbook' : 'Handbuch',
  summary: 'How to register & check in',
  end: '<p>End</p>',
  pages: [
    {
      ...{ part: 'members', id: 'for-members', title: `${language}: members`, summary: 'Find & go' },
      ...{ html: '<p>First</p>', sections: [{ id: 'check-in', title: 'In & out', html: '<p>Show it</p>' }] },
    },
  ],
});
const ENDS = '</script><script>alert(3)</script>\u2028<!--';
const hostile = anEventPage({
  title: `</title><script>alert(1)</script> & "friends"`,
  description: `Line one\n</script><script>alert(2)</script> ${'👩🏽‍💻'.repeat(100)}`,
  location: `O'Hara's`,
  price: '12.50',
  capacity: 2,
  registrationCount: 2,
  registrationState: 'full',
  bannerImageUrl: `/media/banners/${'a'.repeat(64)}.webp`,
  coverSquare: { x: 0.25, y: 1, zoom: 2 },
});
const SOURCES = coverSources(hostile.bannerImageUrl!, 'page', hostile).srcSet!;
const sizesAt = (place: 'card' | 'page') => coverSources(hostile.bannerImageUrl!, place, hostile).sizes!;
const coverAt = (place: 'card' | 'page') =>
  `<img srcset="${SOURCES}" sizes="${sizesAt(place)}" src="${hostile.bannerImageUrl}" style="25% 100% 2, 50% 50% 1">`;

const online = anEventPage({ coverPattern: 3, format: 'online', location: 'https://meet.example/seo' });
const hybrid = anEventPage({ format: 'hybrid', location: 'Leeds' });
const made = anEventPage({
  location: 'Platform, Leeds',
  description: '**Bring** [slides](https://slides.example/1)\n\n- <b>one</b>',
  descriptionFormat: 'markdown',
});
made.content = {
  ...made.content,
  venue: { name: 'Platform', address: `Leeds ${ENDS}`, note: null, mapUrl: 'https://map.example' },
  agenda: [{ startsAt: made.startDate, endsAt: made.endDate, title: `Doors ${ENDS}`, note: ENDS }],
  hosts: [
    {
      ...{ id: made.createdById, firstName: 'Grace', lastName: ENDS },
      ...{ profileImageUrl: null, linkedInUrl: null, agreed: true },
    },
  ],
  speakers: [
    {
      ...{ name: 'Ada', role: ENDS, bio: ENDS, linkUrl: 'https://ada.example' },
      ...{ userId: null, profileImageUrl: null, agreed: true },
    },
  ],
  resources: [{ title: ENDS, url: 'https://slides.example/1' }],
  recap: ENDS,
};
const gone = anEventPage({
  status: 'cancelled',
  registrationState: 'cancelled',
  visibility: 'unlisted',
});

let root: string;
let stack: TestGateway;
const wholeDays = anEventPage({
  isAllDay: true,
  startDate: '2030-06-10T23:00:00.000Z',
  endDate: '2030-06-12T23:00:00.000Z',
});
const events = [hostile, online, hybrid, gone, made, wholeDays];
const get = played(GetEvent, ({ eventId }) => {
  const event = events.find(({ id }) => id === eventId);
  if (event === undefined) throw new DomainError('EVENT_NOT_FOUND');
  return event;
});
const slugs: Record<string, EventPage> = {};
const find = played(FindEvent, ({ slug }) => {
  const event = slugs[slug];
  if (event === undefined) throw new DomainError('EVENT_NOT_FOUND');
  return { id: event.id, slug: event.slug! };
});
const count = played(CountRegistrations, () => ({ count: 2 }));
const list = played(ListPublicEvents, () => ({ items: events, total: 1, nextCursor: null }));
const addresses = played(ListEventAddresses, ({ page: number }) => {
  const event = events[number - 1];
  return event === undefined ? [] : [{ id: event.id, slug: event.slug, updatedAt: event.updatedAt }];
});
beforeAll(async () => {
  root = builtWeb({
    ...Object.fromEntries(
      HANDBOOK_LANGUAGES.map((language) => [`help/${language}.json`, handbookIn(language)]),
    ),
    'index.html': INDEX,
    'scheme.js': '',
    'door.html': DOOR,
    'door-worker.js': SCRIPT,
    'manifest.webmanifest': { name: 'Events', display: 'standalone' },
    '.vite/first-paint.json': PIECES,
    '.vite/first-paint.de.json': {
      ...{ ...PIECES, landing: '<h1>Willkommen</h1>', free: 'Kostenlos', hosts: 'Gastgeber' },
    },
    '.vite/wordless.json': ['assets/more-abcdefgh.js'],
    '.vite/translations.json': { de: 'assets/de-abcdefgh', 'de-x-du': 'assets/de-x-du-abcdefgh' },
    'assets/main-abcdefgh.js': SCRIPT,
    'assets/main-abcdefgh.js.br': brotliCompressSync(SCRIPT),
  });
  stack = await openTestGateway({
    config: { webRoot: root, publicUrl: 'https://events.example' },
    events: scenes(get, find, list, count, addresses),
  });
});
const forgetEvents = () => stack.redis.incr(PUBLIC_EVENTS_VERSION);
beforeEach(forgetEvents);
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await stack.close();
  rmSync(root, { recursive: true });
});

const page = (path: string, headers: Record<string, string> = {}) =>
  stack.browser().get(path, { accept: 'text/html', ...headers });
const parseAnswers = (text: string) =>
  JSON.parse(/id="first-answers">(.*?)<\/script>/s.exec(text)![1]!) as Record<string, { body: unknown }>;
/** Replaces the answer about events, including the answers that the gateway has cached. */
async function answerWith(event: EventPage): Promise<void> {
  jest.spyOn(get, 'handler').mockReturnValue(event);
  await forgetEvents();
}
const unavailable = () => {
  throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' });
};

describe('the web application', () => {
  it.each([
    ...['/', '/profile/security', `/c/${'x'.repeat(22)}`],
    '/admin/events/0197f000-0000-7000-8000-000000000000/messages',
  ])('is served at %s', async (path) => {
    const reply = await page(path);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('public, no-cache');
    expect(reply.text).toContain('<body>app');
    expect(reply.text).toContain(`<link rel="canonical" href="https://events.example${path}">`);
    expect(reply.text).toContain('type="application/rss+xml" href="/feeds/events.rss"');
    expect(reply.text).toContain('<title>Northern Digital Marketers</title>');
  });

  it('is served at every path of its router, but not with malformed parameters', () => {
    const parameters: Record<string, string> = {
      eventId: '0197F000-0000-7000-8000-000000000000',
      token: 'x'.repeat(43),
      code: 'x'.repeat(22),
      slug: 'x'.repeat(80),
      part: 'members',
      view: 'users',
      tab: 'guests',
    };
    const filled = (path: string, end = '') =>
      path.replace(/:(\w+)\??/g, (_, name: string) => parameters[name] + end);
    const addresses = PAGES.flatMap((path) => [filled(path), filled(path.replace(/\/:\w+\?/, ''))]);
    expect(addresses.filter((path) => !isPage(path))).toEqual([]);
    const others = PAGES.filter((path) => path.includes(':')).map((path) => filled(path, 'x'));
    expect([others.length, others.filter(isPage)]).toEqual([8, []]);
  });

  it.each([
    ['/help/index.html', '/help'],
    ['/help/members.html', '/help/members'],
    ['/help/owners.html', '/help/admins'],
  ])('redirects from %s to %s in the handbook', async (path, to) => {
    const reply = await page(path);
    expect([reply.status, reply.headers.get('location')]).toEqual([302, to]);
  });

  it.each(['/help/nope.html', '/nope.png', '/assets/nope.js'])(
    'returns 404 for the missing file %s, as a page or as JSON',
    async (path) => {
      const person = await page(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      expect([person.status, person.text.includes('<body>app')]).toEqual([404, true]);
      const part = await page(path, { accept: 'image/avif,image/webp,*/*;q=0.8' });
      expect(part).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    },
  );

  it('uses the language of the locale cookie, or else the community’s', async () => {
    const inGerman = await page('/', { cookie: 'scheme=dark; locale=de' });
    expect(inGerman.text).toContain('<html lang="de" data-chosen>');
    expect(inGerman.text).toContain('src="/assets/de-abcdefgh/main-abcdefgh.js"');
    expect(inGerman.text).toContain('href="/assets/more-abcdefgh.js"');
    expect(inGerman.text).toContain('<h1>Willkommen</h1>');
    for (const cookie of ['', 'locale=pt', 'locale="><script>', 'no-locale=de']) {
      const { text } = await page('/', { cookie });
      expect(text).toContain('<html lang="en-US">');
      expect(text).toContain('src="/assets/main-abcdefgh.js"');
      expect(text).toContain('<h1>Northern Digital Marketers</h1>');
    }
  });

  it('uses the browser’s language without a cookie, if the community offers it', async () => {
    const community = stack.gateway.app.get<PresentCommunity>(COMMUNITY);
    const html = async (spoken: string, cookie = '') => {
      const { text, headers } = await page('/', { cookie, 'accept-language': spoken });
      expect(headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie');
      return /<html[^>]*>/.exec(text)?.[0];
    };
    const german = '<html lang="de" data-asked>';
    expect(await html('de-AT,de;q=0.9,en;q=0.8')).toBe(german);
    expect(await html('pt;q=0.9,*;q=0.1,de;q=0.5')).toBe(german);
    expect(await html('de', 'locale=en-GB')).toBe('<html lang="en-GB" data-chosen>');
    for (const spoken of ['en-AU', 'pt', 'de;q=0, en', '', ';;,q=', 'x-klingon', `${'pt-'.repeat(400)}, de`])
      expect([spoken, await html(spoken)]).toEqual([spoken, '<html lang="en-US">']);
    community.languages = ['fr'];
    expect(await html('de,fr;q=0.5')).toBe('<html lang="fr" data-asked>');
    expect(await html('de', 'locale=de')).toBe('<html lang="de" data-chosen>');
    community.languages = null;
    expect(await html('de')).toBe(german);
    community.formOfAddress = 'informal';
    const informal = await page('/', { 'accept-language': 'de' });
    expect(informal.text).toContain(german);
    expect(informal.text).toContain('src="/assets/de-x-du-abcdefgh/main-abcdefgh.js"');
    community.formOfAddress = 'formal';
  });

  it('uses the language of an email link unless there is a cookie', async () => {
    const languages = async (path: string, cookie = '') =>
      /<html[^>]*>/.exec((await page(path, { cookie })).text)?.[0];
    expect(await languages('/unsubscribe?token=x&locale=de')).toBe('<html lang="de" data-chosen>');
    expect(await languages('/unsubscribe?locale=de', 'locale=en-GB')).toBe('<html lang="en-GB" data-chosen>');
    for (const locale of ['pt', 'de&locale=de', '%22%3E%3Cscript%3E'])
      expect(await languages(`/unsubscribe?locale=${locale}`)).toBe('<html lang="en-US">');
  });

  it('returns its own page with 404 for an unknown path, or JSON to other clients', async () => {
    const reply = await page('/nowhere/at/all');
    expect([reply.status, reply.text.includes('app')]).toEqual([404, true]);
    const json = await page('/nowhere', { accept: 'application/json' });
    expect(json).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('picks up a new build', async () => {
    await page('/');
    writeFileSync(join(root, 'index.html'), INDEX.replace('app', 'app, rebuilt'));
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect((await page('/')).text).toContain('app, rebuilt');
  });

  it('restricts the session cookie to https and this host', async () => {
    const { email } = await stack.addUser();
    const browser = stack.browser();
    const { headers } = await browser.post('/api/login', { email, password: PASSWORD });
    expect(headers.getSetCookie()[0]).toMatch(new RegExp(`^__Host-${SESSION.cookie}=.*; Secure`));
    expect((await browser.get('/api/user')).status).toBe(200);
  });
});

describe('the files of the web application', () => {
  it('are cached forever only when their name contains a hash', async () => {
    const reply = await page('/assets/main-abcdefgh.js', { 'accept-encoding': 'br' });
    expect(reply.text).toBe(SCRIPT);
    expect(reply.headers.get('content-encoding')).toBe('br');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(reply.headers.get('content-type')).toMatch(/javascript/);
    const other = await page('/scheme.js');
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
  });

  it('include a manifest with the name of the community', async () => {
    const { status, text, headers } = await page('/manifest.webmanifest');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/manifest+json');
    const name = 'Northern Digital Marketers';
    expect(JSON.parse(text)).toMatchObject({ name, short_name: name, display: 'standalone' });
  });

  it.each([
    '/.vite/manifest.json',
    '/assets/none.js',
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/assets/..%5c..%5cindex.html',
  ])('do not include the path %s', async (path) => {
    const reply = await page(path, { accept: '*/*' });
    expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

describe('the page of an event', () => {
  const parseStructuredData = (text: string) =>
    JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)![1]!);

  it('has the title, image and price in its head, with all text escaped', async () => {
    const { status, text } = await page(`/events/${hostile.id}`);
    expect(status).toBe(200);
    expect(text).toContain(
      '<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;friends&quot; · Northern Digital Marketers</title>',
    );
    expect(text).toContain(`<link rel="canonical" href="https://events.example/events/${hostile.id}">`);
    expect(text).toContain(`content="https://events.example/media/share/${hostile.id}-1.jpg"`);
    expect([...text.matchAll(/<script type="application\/(ld\+)?json"/g)]).toHaveLength(2);
    expect([...text.matchAll(/<script/g)]).toHaveLength(3);
    const data = parseStructuredData(text);
    expect(data).toMatchObject({
      '@type': 'Event',
      name: hostile.title,
      startDate: hostile.startDate,
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: "O'Hara's" },
      offers: { price: '12.50', priceCurrency: 'GBP', availability: 'https://schema.org/SoldOut' },
    });
    expect(data.description.length).toBeLessThanOrEqual(200);
    // Text is truncated without splitting emojis.
    const [, description] = /<meta property="og:description" content="([^"]*)"/.exec(text)!;
    for (const cut of [description, data.description]) expect(cut).toMatch(/ (👩🏽‍💻)+…$/u);
  });

  it.each([
    [online, 'Online', { '@type': 'VirtualLocation' }],
    [hybrid, 'Mixed', [{ '@type': 'Place', name: 'Leeds' }, { '@type': 'VirtualLocation' }]],
  ])('tells search engines whether people attend in person or online: %#', async ({ id }, mode, location) => {
    const data = parseStructuredData((await page(`/events/${id}`)).text);
    const eventAttendanceMode = `https://schema.org/${mode}EventAttendanceMode`;
    expect(data).toMatchObject({ eventAttendanceMode, location });
  });

  const AVAILABILITY = { open: 'InStock', scheduled: 'PreOrder', waitlist: 'SoldOut', full: 'SoldOut' };
  it.each(['open', 'scheduled', 'waitlist', 'full', 'closed', 'started', 'ended', 'cancelled'] as const)(
    'tells search engines the availability of an event that is %s',
    async (registrationState) => {
      await answerWith({ ...hybrid, registrationState });
      const { offers } = parseStructuredData((await page(`/events/${hybrid.id}`)).text);
      const is = (AVAILABILITY as Record<string, string>)[registrationState];
      expect(offers?.availability).toBe(is && `https://schema.org/${is}`);
    },
  );

  it('has Open Graph properties for the share image and the language', async () => {
    const properties = async (path: string, cookie = '') => {
      const { text } = await page(path, { cookie });
      return Object.fromEntries(
        [...text.matchAll(/<meta property="([^"]*)" content="([^"]*)">/g)].map(([, name, is]) => [name, is]),
      );
    };
    const size = { 'og:image:width': '1200', 'og:image:height': '630' };
    expect(await properties(`/events/${hybrid.id}`, 'locale=de')).toMatchObject({
      'og:image': `https://events.example/media/share/${hybrid.id}-1.jpg`,
      'og:locale': 'de_DE',
      ...size,
    });
    for (const path of ['/', '/events'])
      expect(await properties(path)).toMatchObject({
        'og:image': 'https://events.example/media/share/community-1.jpg',
        'og:image:alt': '',
        'og:locale': 'en_US',
        'twitter:card': 'summary_large_image',
        ...size,
      });
  });

  it('uses the title as alternative text for a cover, but not for a pattern', async () => {
    const alt = async (given: Partial<EventPage>) => {
      await answerWith({ ...hybrid, ...given });
      const { text } = await page(`/events/${hybrid.id}`);
      return /"og:image:alt" content="([^"]*)"/.exec(text)![1];
    };
    expect(await alt({ bannerImageUrl: `/media/banners/${'a'.repeat(64)}.webp` })).toBe(hybrid.title);
    expect(await alt({ bannerImageUrl: null })).toBe('');
    expect(await alt({ bannerImageUrl: null, coverPattern: 3 })).toBe('');
  });

  it('starts its description with date and location, followed by plain text', async () => {
    const { text } = await page(`/events/${made.id}`);
    const [, description] = /<meta property="og:description" content="([^"]*)"/.exec(text)!;
    expect(description).toMatch(
      /^Wed, May 1, 2030, 10:00.AM.–.12:00.PM BST · Platform, Leeds · Bring slides \(https:\/\/slides.example\/1\) - &lt;b&gt;one&lt;\/b&gt;$/,
    );
    const german = await page(`/events/${made.id}`, { 'accept-language': 'de' });
    expect(german.text).toContain('<meta property="og:description" content="Mi., 1. Mai 2030, ');
    const days = await page(`/events/${wholeDays.id}`);
    const local = { startDate: '2030-06-11', endDate: '2030-06-12' };
    expect(parseStructuredData(days.text)).toMatchObject(local);
    expect(days.text).toMatch(/"og:description" content="Tue, Jun 11.–.Wed, Jun 12, 2030 · /);
  });

  it('tells search engines about hosts, speakers and agenda, safely escaped', async () => {
    const { text } = await page(`/events/${made.id}`);
    expect(text).not.toMatch(/alert\(3\)<\/script>|<!--/);
    for (const [, json] of text.matchAll(/<script type="application\/.*?>(.*?)<\/script>/gs))
      expect(json).not.toMatch(/[<\u2028]/);
    expect(parseStructuredData(text)).toMatchObject({
      eventStatus: 'https://schema.org/EventScheduled',
      organizer: [
        { '@type': 'Organization', name: 'Northern Digital Marketers' },
        { '@type': 'Person', name: `Grace ${ENDS}` },
      ],
      performer: [{ '@type': 'Person', name: 'Ada', jobTitle: ENDS, sameAs: 'https://ada.example' }],
      subEvent: [{ '@type': 'Event', name: `Doors ${ENDS}`, startDate: made.startDate }],
      location: { '@type': 'Place', name: 'Platform', hasMap: 'https://map.example' },
      offers: { price: '0', validFrom: made.createdAt },
    });
  });

  it.each(['/', '/events', '/my-events'])(
    'has the same head when its details open over another screen: %s',
    async (path) => {
      const { status, text } = await page(`${path}?event=${made.id}`);
      const head = (of: string) =>
        /<title>.*(?=<\/head>)/s.exec(of)![0].replace(/<\/?\w+ [^>]*first.*$/s, '');
      expect([status, head(text)]).toEqual([200, head((await page(`/events/${made.id}`)).text)]);
      expect(text).toContain(`<link rel="canonical" href="https://events.example/events/${made.id}">`);
      const hidden = await page(`${path}?event=${gone.id}`);
      expect(hidden.text).toContain('<meta name="robots" content="noindex">');
    },
  );

  it('includes the data of both screens when its details open over another screen', async () => {
    const { text } = await page(`/?event=${made.id}`);
    const one = `/api/events/${made.id}`;
    for (const path of [one, `${one}/count`, '/api/events/public?time=upcoming&limit=12'])
      expect(Object.keys(parseAnswers(text))).toContain(path);
    const own = { cookie: `__Host-${SESSION.cookie}=anything` };
    expect((await page(`/?event=${made.id}`, own)).text).not.toContain(`"/api/events/${made.id}`);
  });

  it('has the community’s head when the event in the query is missing or unreadable', async () => {
    const community = async (path: string) => {
      const { status, text, headers } = await page(path);
      const title = /<title>(.*?)<\/title>/.exec(text)![1];
      const [, canonical] = /rel="canonical" href="([^"]*)"/.exec(text)!;
      return [status, title, canonical, headers.get('cache-control')];
    };
    const own = [200, 'Northern Digital Marketers', 'https://events.example/', 'public, no-cache'];
    expect(await community('/')).toEqual(own);
    for (const event of [anEvent().id, 'not-an-id', `${made.id}&event=${made.id}`])
      expect([event, await community(`/?event=${event}`)]).toEqual([event, own]);
    expect((await page(`/nowhere?event=${made.id}`)).status).toBe(404);
    const preview = await page(`/events/preview/${'y'.repeat(43)}?event=${made.id}`);
    expect(preview.text).not.toContain(`/media/share/${made.id}`);
    jest.spyOn(get, 'handler').mockImplementation(unavailable);
    await forgetEvents();
    expect(await community(`/?event=${made.id}`)).toEqual(own);
  });

  it('tells search engines about a cancellation, and not to index unlisted events', async () => {
    const { text } = await page(`/events/${gone.id}`);
    expect(parseStructuredData(text)).toMatchObject({ eventStatus: 'https://schema.org/EventCancelled' });
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect((await page(`/events/${online.id}`)).text).not.toContain('noindex');
  });

  it('is the same for every preview link and contains no secret', async () => {
    const [one, other] = ['y', 'z'].map((letter) => letter.repeat(43)) as [string, string];
    const [first, second] = [await page(`/events/preview/${one}`), await page(`/events/preview/${other}`)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.text).toBe(second.text);
    expect(first.text).not.toContain(one);
    expect(first.text).toContain('<meta name="robots" content="noindex">');
    expect((await page('/events/preview/guess')).status).toBe(404);
  });

  it('serves door phones the same uncached page for every link, and lets it use the camera', async () => {
    const doors = ['y', 'z'].map((letter) => `/door/${letter.repeat(43)}`);
    for (const path of [...doors, '/door.html']) {
      const { status, text, headers } = await page(path);
      const door = DOOR.replace('Door</title>', 'Door · Northern Digital Marketers</title>');
      expect([status, text]).toEqual([200, door]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
        'permissions-policy': expect.stringMatching(/^camera=\(self\), .*microphone=\(\)/),
        'content-security-policy': expect.stringContaining("script-src 'self';"),
      });
    }
    expect((await page('/door/guess')).status).toBe(404);
    expect((await page('/door-worker.js')).headers.get('cache-control')).toBe('no-store');
  });

  it('hides a draft from everyone but its owner and never contains its title', async () => {
    const [owner, other] = [await stack.signedIn(), await stack.signedIn()];
    const draft = anEventPage({ status: 'draft', createdById: owner.user.id, title: 'Not yet to be told' });
    jest.spyOn(get, 'handler').mockImplementation((_, call) => {
      if (call.identity?.sub !== owner.user.id) throw new DomainError('EVENT_NOT_FOUND');
      return draft;
    });
    const as = ({ browser }: typeof owner) => browser.get(`/events/${draft.id}`, { accept: 'text/html' });
    expect((await page(`/events/${draft.id}`)).status).toBe(404);
    expect((await as(other)).status).toBe(404);
    const seen = await as(owner);
    expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(seen.text).toContain('<meta name="robots" content="noindex">');
    expect(seen.text).not.toContain(draft.title);
    expect(seen.headers.get('set-cookie')).toBeNull();
    expect((await as(other)).status).toBe(404);
    const forged = { cookie: `__Host-${SESSION.cookie}=forged.signature` };
    expect((await page(`/events/${draft.id}`, forged)).status).toBe(404);
  });

  it.each([
    ...[`/events/${anEvent().id}`, '/events/not-an-id', '/e/never-used', '/e/ab', `/e/${'x'.repeat(81)}`],
    ...['/e/a.b', '/e/caf%C3%A9', '/e/..%2f..%2fapi', '/e/%00%00%00'],
  ])('is a 404 page for an unknown id or slug: %s', async (path) => {
    const { status, text } = await page(path);
    expect([status, text.includes('<body>app')]).toEqual([404, true]);
  });

  describe('at its short URL', () => {
    const named = anEventPage({ slug: 'seo-breakfast', title: 'SEO breakfast', location: 'Leeds' });
    beforeAll(() => {
      events.push(named);
      Object.assign(slugs, { 'seo-breakfast': named, 'first-name': named });
    });
    afterAll(() => void events.pop());

    const leads = async (path: string) => {
      const { status, headers } = await page(path);
      return [status, headers.get('location'), headers.get('cache-control')];
    };

    it('shows the event and names the short URL as canonical', async () => {
      const { status, text, headers } = await page('/e/seo-breakfast');
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
      expect(headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie');
      const address = 'https://events.example/e/seo-breakfast';
      expect(text).toContain(`<link rel="canonical" href="${address}">`);
      expect(text).toContain(`<meta property="og:url" content="${address}">`);
      expect(parseStructuredData(text).offers.url).toBe(address);
      expect(text).toContain('<h1>SEO breakfast</h1>');
      const answers = parseAnswers(text);
      expect(answers['/api/event-slugs/seo-breakfast']?.body).toEqual({ id: named.id, slug: named.slug });
      expect(answers[`/api/events/${named.id}`]?.body).toEqual(named);
      const again = await page('/e/seo-breakfast', { 'if-none-match': headers.get('etag')! });
      expect(again.status).toBe(304);
    });

    it.each([
      ['its id in upper case', `/events/${named.id.toUpperCase()}`, ''],
      ['another letter case', '/e/SEO-Breakfast', ''],
      ['a previous short URL with a query', '/e/first-name', '?utm_source=a%20b&x=/&y=%0d%0a'],
      ['its id with a query', `/events/${named.id}`, '?locale=de'],
    ])('is the redirect target of %s', async (_, path, query) => {
      for (let time = 0; time < 2; time += 1)
        expect(await leads(path + query)).toEqual([301, `/e/seo-breakfast${query}`, 'no-cache']);
    });

    it('does not redirect in a loop when the slug is changed back', async () => {
      expect(await leads('/e/first-name')).toEqual([301, '/e/seo-breakfast', 'no-cache']);
      named.slug = 'first-name';
      expect((await page('/e/seo-breakfast')).status).toBe(301);
      await forgetEvents();
      expect(await leads('/e/seo-breakfast')).toEqual([301, '/e/first-name', 'no-cache']);
      expect((await page('/e/first-name')).status).toBe(200);
      named.slug = 'seo-breakfast';
    });

    it('appears in the sitemap and can be looked up in the API', async () => {
      const { text, headers } = await page('/sitemap.xml');
      expect(headers.get('content-type')).toContain('application/xml');
      for (const path of ['e/seo-breakfast', `events/${hostile.id}`])
        expect(text).toContain(`<loc>https://events.example/${path}</loc>`);
      const found = await stack.browser().get('/api/event-slugs/First-Name');
      expect(found).toMatchObject({ status: 200, body: { id: named.id, slug: named.slug } });
      for (const none of ['never-used', 'a.b', '%00%00%00'])
        expect((await stack.browser().get(`/api/event-slugs/${none}`)).status).toBe(404);
    });
  });

  it('and the landing page are served while the events service is unavailable', async () => {
    jest.spyOn(get, 'handler').mockImplementation(unavailable);
    expect((await page(`/events/${hostile.id}`)).status).toBe(200);
    jest.spyOn(list, 'handler').mockImplementation(unavailable);
    await forgetEvents();
    const { status, text } = await page('/');
    expect(status).toBe(200);
    expect(Object.keys(parseAnswers(text))).toEqual(['/api/config', '/api/user']);
  });
});

describe('the first paint', () => {
  it('is rendered again when the registration state changes over time', async () => {
    const now = Date.now();
    const event = anEventPage({ startDate: new Date(now + 5_000).toISOString() });
    const clock = jest.spyOn(Date, 'now');
    const state = () => (Date.now() < now + 5_000 ? 'open' : 'started');
    jest.spyOn(get, 'handler').mockImplementation(() => ({ ...event, registrationState: state() }));
    const stateAfter = async (seconds: number) => {
      clock.mockImplementation(() => now + seconds * 1_000);
      const { text } = await page(`/events/${event.id}`);
      return (parseAnswers(text)[`/api/events/${event.id}`]!.body as Event).registrationState;
    };
    expect([await stateAfter(4), await stateAfter(5)]).toEqual(['open', 'started']);
  });

  const main = (text: string) => /<main>(.*?)<\/main>/s.exec(text)![1];

  it('shows the community and includes the data that the screen needs', async () => {
    const { text } = await page('/');
    expect(text).toContain('<aside></aside><header><b>N</b>Northern Digital Marketers</header>');
    expect(main(text)).toMatch(/^<h1>Northern Digital Marketers<\/h1><p>Meet the people/);
    expect(main(text)).toContain(`<div data-muted="false">${coverAt('card')}</div>`);
    const body = events.map(({ id }) => expect.objectContaining({ id }));
    const upcoming = { headers: { 'x-total-count': '1' }, body };
    expect(parseAnswers(text)).toEqual({
      '/api/config': { body: expect.objectContaining({ name: 'Northern Digital Marketers' }) },
      '/api/user': { status: 401, body: { message: expect.stringContaining('Unauthorized') } },
      '/api/events/public?time=upcoming&limit=1': upcoming,
      '/api/events/public?time=upcoming&limit=12': upcoming,
    });
  });

  it('includes no user or event data for a browser with a session', async () => {
    const own = { cookie: `__Host-${SESSION.cookie}=anything` };
    const { text } = await page('/', own);
    expect(Object.keys(parseAnswers(text))).not.toContain('/api/user');
    expect(main(text)).toBe(PIECES.waiting);
    const event = await page(`/events/${hostile.id}`, own);
    expect(Object.keys(parseAnswers(event.text))).not.toContain(`/api/events/${hostile.id}`);
  });

  it('shows the cover or pattern and the escaped title of an event', async () => {
    const { text } = await page(`/events/${hostile.id}`);
    expect(main(text)).toContain(
      `${coverAt('page')}<h1>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;friends&quot;</h1>`,
    );
    expect(parseAnswers(text)[`/api/events/${hostile.id}`]?.body).toEqual(hostile);
    const pattern = await page(`/events/${online.id}`);
    expect(main(pattern.text)).toContain(`<img src="${patternUrl(3, DEFAULT_BRAND.both.covers)}" `);
  });

  it.each([
    ['the landing page', '/', 'card'],
    ['the page of an event', `/events/${hostile.id}`, 'page'],
  ] as const)('preloads the image of %s once, before any script', async (_, path, place) => {
    const { text } = await page(path);
    const asked = `<link rel="preload" as="image" imageSrcSet="${SOURCES}" imageSizes="${sizesAt(place)}"/>`;
    const head = text.slice(0, text.indexOf('</head>'));
    expect([head.split(asked).length, text.split('as="image"').length]).toEqual([2, 2]);
    // Removes the template, because browsers load nothing inside it.
    const active = text.replace(/<template.*?<\/template>/gs, '');
    expect(active).not.toMatch(/type="module"|modulepreload|as="fetch"/);
    expect(text).toContain(
      '<template id="start"><script type="module" src="/assets/main-abcdefgh.js"></script><link rel="modulepreload" href="/assets/more-abcdefgh.js"><link rel="preload" as="fetch" href="/assets/own.js"></template>',
    );
  });

  it('starts the script immediately on a page that shows only a loading state', async () => {
    const { text } = await page('/events');
    expect(text).toContain(PIECES.waiting);
    expect(text).not.toContain('<template');
    expect(text.slice(0, text.indexOf('</head>'))).toContain('<script type="module"');
  });
});

describe('a browser without scripts', () => {
  const main = async (path: string, cookie = '') =>
    /<main>(.*?)<\/main>/s.exec((await page(path, { cookie })).text)![1]!;
  const shown = async (event: EventPage, cookie?: string) => {
    await answerWith(event);
    return /<noscript>(.*)<\/noscript>/s.exec(await main(`/events/${event.id}`, cookie))![1]!;
  };

  const talk = anEventPage({
    location: 'Platform, Leeds',
    price: '12.50',
    paymentNote: 'Cash <b>only</b>',
    startDate: '2030-06-10T17:00:00.000Z',
    endDate: '2030-06-10T19:00:00.000Z',
    descriptionFormat: 'markdown',
    description: '**Bring** slides',
    html: { description: '<p><strong>Bring</strong> slides</p>', recap: null },
  });
  talk.content = {
    ...made.content,
    venue: { name: 'Platform', address: 'New Station Street', note: 'Third floor', mapUrl: null },
    onlineUrl: 'https://secret.example',
    onlineNote: 'passcode',
  };

  it('shows the details of an event in the reader’s language', async () => {
    expect(await shown(talk)).toBe(
      '<dl><dt>When</dt><dd>Monday, June 10, 2030, 6:00 – 8:00 PM BST</dd>' +
        '<dt>Where</dt><dd>Platform\nNew Station Street\nThird floor</dd>' +
        '<dt>Price</dt><dd>£12.50\nCash &lt;b&gt;only&lt;/b&gt;</dd>' +
        '<dt>Hosts</dt><dd>Grace &lt;/script&gt;&lt;script&gt;alert(3)&lt;/script&gt;\u2028&lt;!--</dd></dl>' +
        '<h2>About</h2><div><p><strong>Bring</strong> slides</p></div>' +
        '<a href="mailto:hello@northerndigital.example"></a>',
    );
    const german = await shown({ ...talk, price: null, isAllDay: true }, 'locale=de');
    expect(german).toContain('<dt>Wann</dt><dd>Montag, 10. Juni 2030</dd>');
    expect(german).toContain('<dt>Preis</dt><dd>Kostenlos</dd><dt>Gastgeber</dt>');
    const unsaid = await shown({ ...talk, paymentNote: null });
    expect(unsaid).toContain('<dd>£12.50\nAsk the organiser how to pay</dd>');
  });

  it('shows the handbook in the reader’s language, or else in English', async () => {
    expect(await main('/help')).toBe(
      '<h1 lang="en">Handbook</h1><p>How to register &amp; check in</p><article><div><section><h2><a href="/help/members">en: members</a></h2>' +
        '<p>Find &amp; go</p><ul><li><a href="/help/members#check-in">In &amp; out</a></li></ul></section></div><p>End</p></article>',
    );
    const contents = '<nav><ul><li><a href="/help/members">de: members</a></li></ul></nav>';
    expect(await main('/help/members', 'locale=de')).toBe(
      `<h1 lang="de">de: members</h1><p></p>${contents}<article><div><p>First</p></div>` +
        '<section><h2 id="check-in">In &amp; out</h2><p>Show it</p></section></article>',
    );
    expect(await main('/help', 'locale=fr')).toContain('<h1 lang="en">Handbook</h1><b>in English</b>');
    const { text } = await page('/help/members');
    expect(text).toContain('<title>en: members · Northern Digital Marketers</title>');
    expect(text).toContain('<meta name="description" content="Find &amp; go">');
    expect((await page('/help/nope')).status).toBe(404);
  });

  it('shows no guest-only details, unescaped markup or empty sections', async () => {
    const bare = await shown({
      ...talk,
      location: null,
      content: { ...talk.content, venue: null, hosts: [] },
    });
    expect(bare).not.toMatch(/Where|Hosts|secret|passcode/);
    const typed = '<script>alert(4)</script>';
    for (const html of [null, undefined, { description: null, recap: null }])
      expect(await shown({ ...talk, description: typed, html })).toContain(
        '<p>&lt;script&gt;alert(4)&lt;/script&gt;</p>',
      );
    const plain = { ...talk, descriptionFormat: 'plain', description: typed } as const;
    expect(await shown({ ...plain, html: { description: typed, recap: null } })).not.toContain('<script');
    expect(await shown({ ...talk, description: null, html: null })).not.toContain('About');
    jest.restoreAllMocks();
    expect(await main(`/events/${anEvent().id}`)).toBe(PIECES.waiting);
  });

  it.each([
    ['cancelled', '<b>Cancelled</b>The &lt;room&gt; flooded'],
    ['ended', '<b>Over</b>'],
    ['full', '<b>Full</b>'],
  ] as const)('shows the state of an event that is %s', async (registrationState, words) => {
    const event = { ...talk, registrationState, cancelReason: 'The <room> flooded' };
    expect(await shown(event)).toMatch(new RegExp(`^${words}<dl>`));
  });

  it('shows upcoming events as links on the landing page and the events page', async () => {
    const links = (html: string) => [...html.matchAll(/<a href="([^"]*)">/g)].map(([, address]) => address);
    events[0]!.slug = 'hostile';
    const all = ['/e/hostile', ...events.slice(1).map(({ id }) => `/events/${id}`)];
    for (const path of ['/', '/events']) expect([path, links(await main(path))]).toEqual([path, all]);
    expect(await main('/events')).toContain(
      'Wednesday, May 1, 2030, 10:00 AM – 12:00 PM BST · Platform, Leeds</li>',
    );
    expect(await main('/')).toContain('>&lt;/title&gt;&lt;script&gt;alert(1)');
    events[0]!.slug = null;
    const asked = jest.spyOn(list, 'handler').mockReturnValue({ items: [], total: 0, nextCursor: null });
    await forgetEvents();
    for (const path of ['/', '/events']) expect(await main(path)).toContain('nothing');
    expect(asked.mock.calls.map(([filter]) => filter)).toContainEqual({ time: 'notEnded', limit: 100 });
  });

  it('shows the details of an event above the screen that they open over', async () => {
    const text = await main(`/?event=${made.id}`);
    expect(text.indexOf('<dt>When</dt>')).toBeGreaterThan(text.indexOf(`<a href="/events/${made.id}">`));
    expect(text.indexOf('<h1>')).toBeGreaterThan(text.indexOf('<dt>When</dt>'));
  });

  it('shows an explanation on the page for a forgotten password', async () => {
    expect(await main('/forgot-password')).toBe(
      `<noscript>Reset hello@northerndigital.example</noscript>${PIECES.waiting}`,
    );
  });
});

describe('search engines', () => {
  it('get upcoming events and events of the current month with the events page', async () => {
    const { text } = await page('/events');
    const now = new Date();
    const span = new URLSearchParams(monthSpan(now.getFullYear(), now.getMonth()));
    expect(Object.keys(parseAnswers(text))).toEqual([
      '/api/config',
      '/api/user',
      '/api/events/public?time=upcoming&limit=1',
      '/api/events/public?time=notEnded&limit=12',
      `/api/events/public?${span}`,
    ]);
    jest.spyOn(list, 'handler').mockImplementation((filter) => ({
      items: filter.from === undefined ? events : Array.from({ length: 200 }, () => hostile),
      ...{ total: 200, nextCursor: null },
    }));
    await forgetEvents();
    expect((await page('/events')).text).not.toContain(`public?${span}`);
  });

  it('get a sitemap in several files when one cannot hold all events', async () => {
    jest.spyOn(list, 'handler').mockReturnValue({ items: events, total: 2_001, nextCursor: 'more' });
    const { text } = await page('/sitemap.xml');
    expect(text).toContain('<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">');
    const files = text.match(/(?<=<loc>https:\/\/events\.example)[^<]+/g)!;
    expect(files).toEqual(['/sitemap.xml?page=1', '/sitemap.xml?page=2', '/sitemap.xml?page=3']);
    const addresses = await Promise.all(files.map(async (file) => (await page(file)).text));
    expect(addresses[0]).toContain('<loc>https://events.example/events</loc>');
    expect(addresses[1]).toContain(`<loc>https://events.example/events/${online.id}</loc>`);
    for (const none of ['7', '0', '-1', '1e9', 'x', ''])
      expect([none, (await page(`/sitemap.xml?page=${none}`)).status]).toEqual([none, 404]);
  });

  it('are kept from the API by robots.txt', async () => {
    const { text } = await page('/robots.txt');
    expect(text).toContain('Disallow: /api/');
    expect(text).toContain('Sitemap: https://events.example/sitemap.xml');
  });
});
