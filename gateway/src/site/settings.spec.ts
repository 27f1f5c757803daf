import { rmSync } from 'node:fs';
import {
  type Community,
  type CommunitySettings,
  CountRegistrations,
  GetCommunityPicture,
  GetEvent,
  GetPublicCalendar,
  ListPublicEvents,
  PALETTES,
} from '@meetmark/contracts';
import { patternUrl } from '@meetmark/contracts/events/cover-pattern';
import {
  CommunityFollower,
  loadCommunity,
  NestLogger,
  PlatformModule,
  type PresentCommunity,
  Readiness,
} from '@meetmark/platform';
import { brandPalettes } from '@meetmark/platform/community/brand';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import { anEventPage } from '@meetmark/testing/factories/samples';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { ApiClient } from '@meetmark/testing/http-client';
import { pino } from 'pino';
import sharp from 'sharp';
import { GatewayConfig } from '../gateway.config.js';
import { type Gateway, openGateway } from '../open-gateway.js';
import { builtWeb, openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import { Pages } from './pages.js';
import { SiteController } from './site.controller.js';

const { light, dark } = PALETTES;
const OWN_FONTS = ['figtree', 'bricolage']
  .map((name) => `<link rel="preload" as="font" href="/assets/${name}.woff2">`)
  .join('');
const INDEX = `<!doctype html><html><head>${OWN_FONTS}<style>:root{--ink:${light.ink};--primary:{{light.primary}};--primary-soft:{{light.primarySoft}}}:root[data-theme=dark]{--primary:{{dark.primary}}}</style>
<!--meta--><title>Events</title><!--/meta--></head><body><div id="root"><!--first-paint--></div><!--first-answers--><noscript>Scripts!</noscript></body></html>`;
const PIECES = {
  frame: '<header>{{mark}}{{name}}</header><main>{{main}}</main>',
  strip: '',
  letter: '<b>{{letter}}</b>',
  logo: '<img id="logo" src="{{address}}">',
  heroPhoto: '<img class="hero" src="{{address}}">',
  landing: '<h1>{{headline}}</h1><p>{{tagline}}</p>{{art}}<div data-ways="{{ways}}"></div>',
  event: '<h1>{{title}}</h1>',
  picture: '<img src="{{address}}">',
  legal: '<article>{{title}}: {{text}}</article>',
  handbook: '{{title}}',
};
const PORTO: Partial<CommunitySettings> = {
  name: 'Rust Porto',
  headline: 'Fearless people by the river',
  tagline: 'Rust, in the North of Portugal.',
  supportEmail: 'ola@rust.example',
  linkedInUrl: null,
  brandColour: '#8a1c4a',
  heroUrl: 'https://rio.example/hero.jpg',
  signInButton: true,
  sponsors: [{ name: 'Ponte', logoUrl: 'https://ponte.example/logo.png', url: 'https://ponte.example' }],
  copyrightYear: 2026,
  currency: 'EUR',
  timeZone: 'Europe/Lisbon',
  locale: 'en-GB',
  terms: '# Be kind',
  privacy: null,
};
/** Maximum milliseconds until a change applies everywhere. */
const PROMISED = 5_000;
const CALENDAR = '/api/events/calendar.ics';
const DOOR = `/door/${'y'.repeat(43)}`;

describe('a change of the settings', () => {
  const event = anEventPage({
    startDate: '2027-06-03T17:00:00.000Z',
    endDate: '2027-06-03T19:00:00.000Z',
    price: '12.50',
  });
  const PATHS = ['/', '/events', `/events/${event.id}`, '/404', '/api/config', '/manifest.webmanifest'];
  let root: string;
  let stack: TestGateway;
  let follower: CommunityFollower;
  let community: PresentCommunity;
  /** Gateway that was started with the changed settings. */
  let other: Gateway;
  const readiness = new Readiness();
  let shipped: CommunitySettings;
  let servedName = '';
  beforeAll(async () => {
    const [noscript, noscriptAtDoor] = ['<noscript>Skripte!</noscript>', '<noscript>Einlass</noscript>'];
    root = builtWeb({
      'index.html': INDEX,
      'door.html': `<!doctype html><html lang="en-US"><title>Door</title><style>{{light.primary}}</style>${OWN_FONTS}<!--community--><noscript>Scripts!</noscript>`,
      'help/en.json': { language: 'en', title: 'Handbook', summary: 'Tasks', pages: [], end: '' },
      'manifest.webmanifest': { name: 'Events', theme_color: light.primary, background_color: '#000000' },
      '.vite/first-paint.json': PIECES,
      '.vite/first-paint.de.json': { ...PIECES, noscript, noscriptAtDoor },
      '.vite/fonts.json': { lora: '<style>Lora $&</style>' },
    });
    const logo = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#00f' } })
      .webp({ lossless: true })
      .toBuffer();
    stack = await openTestGateway({
      config: { webRoot: root },
      events: scenes(
        played(GetEvent, () => event),
        played(CountRegistrations, () => ({ count: 2 })),
        played(ListPublicEvents, () => ({ items: [event], total: 1, nextCursor: null })),
        played(GetPublicCalendar, () => ({ ics: `X-WR-CALNAME:${servedName}` })),
      ),
      admin: scenes(played(GetCommunityPicture, () => ({ base64: logo.toString('base64') }))),
    });
    follower = stack.gateway.app.get(CommunityFollower);
    ({ community } = follower);
    shipped = loadCommunity(stack.config.communityConfig);
    servedName = shipped.name;
  });
  afterAll(async () => {
    await other.stop();
    await stack.close();
    rmSync(root, { recursive: true });
  });

  const ask = (path: string, { url } = stack.gateway) => new ApiClient(url, { accept: '*/*' }).get(path);
  const change = async (changes: Partial<CommunitySettings>) => {
    await insertSettings(stack.owner, { ...shipped, ...PORTO, ...changes });
    await follower.look();
  };

  it('is applied without URLs that a Content-Security-Policy cannot contain', async () => {
    const broken = { name: 'Broken', logoUrl: 'https://cdn;example.org/x.png', url: 'https://b.example' };
    const sponsors = [...shipped.sponsors, broken];
    const { heroUrl } = PORTO;
    const logoUrl = 'https://cdn,example.org/logo.png';
    await insertSettings(stack.owner, { ...shipped, heroUrl, sponsors, logoUrl });
    await follower.look();
    const config = Object.assign(new GatewayConfig(), stack.config);
    const platform = PlatformModule.forProcess(GatewayConfig, config, readiness);
    const logger = new NestLogger(pino({ level: 'silent' }));
    // Readiness checks must not make the start fail.
    const asking = setInterval(() => void readiness.report(), 1);
    other = await openGateway({ config, platform, logger, readiness }).finally(() => clearInterval(asking));
    for (const gateway of [stack.gateway, other]) {
      for (const path of [...PATHS, '/api/user']) {
        const { status, headers } = await ask(path, gateway);
        expect([path, status < 500]).toEqual([path, true]);
        const sources = `img-src 'self' data: blob: https://rio.example;`;
        expect(headers.get('content-security-policy')).toContain(sources);
      }
      const { body } = await ask('/api/config', gateway);
      expect(body).toMatchObject({ logoUrl: null, sponsors: shipped.sponsors, heroUrl });
    }
  });

  it('applies to all responses of every gateway within 5 seconds', async () => {
    const gateways = [stack.gateway, other];
    const before = await Promise.all([...PATHS, CALENDAR].map((path) => ask(path)));
    for (const { text } of before) expect(text).toContain(shipped.name);

    await insertSettings(stack.owner, { ...shipped, ...PORTO });
    const changed = async (gateway: Gateway, path: string) =>
      until(`${path} of the new community`, PROMISED, async () =>
        (await ask(path, gateway)).text.includes('Rust Porto'),
      );
    await Promise.all(gateways.flatMap((gateway) => PATHS.map((path) => changed(gateway, path))));
    // The events service learns of the change later. Responses until then must not be cached.
    for (const gateway of gateways) expect((await ask(CALENDAR, gateway)).text).toContain(shipped.name);
    servedName = PORTO.name!;
    for (const gateway of gateways) await changed(gateway, CALENDAR);

    const words = [
      ...[shipped.name, shipped.headline, shipped.tagline, shipped.supportEmail, shipped.linkedInUrl!],
      ...shipped.sponsors.flatMap(({ name, url }) => [name, url]),
      ...[light.primary, light.primarySoft, dark.primary],
    ];
    for (const gateway of gateways)
      for (const [place, path] of PATHS.entries()) {
        const { text, headers } = await ask(path, gateway);
        for (const word of words) expect([path, text.includes(word) && word]).toEqual([path, false]);
        expect([path, headers.get('etag')]).not.toEqual([path, before[place]!.headers.get('etag')]);
      }
  });

  it('appears in the head, first paint, security policy and manifest', async () => {
    const { text, headers } = await ask('/');
    expect(text).toContain(`--ink:${light.ink};--primary:#8a1c4a;`);
    expect(text).toContain('<header><b>R</b>Rust Porto</header>');
    expect(text).toContain('<h1>Fearless people by the river</h1>');
    expect(text).toContain('<img class="hero" src="https://rio.example/hero.jpg"><div data-ways="button">');
    for (const origin of ['https://ponte.example', 'https://rio.example'])
      expect(headers.get('content-security-policy')).toContain(origin);
    expect(JSON.parse((await ask('/manifest.webmanifest')).text)).toMatchObject({
      ...{ name: 'Rust Porto', theme_color: '#8a1c4a' },
      background_color: expect.stringMatching(/^#f/),
    });
    expect((await ask('/api/legal/terms')).body).toEqual({ text: '# Be kind' });
    expect((await ask('/api/legal/imprint')).status).toBe(404);
  });

  it('appears in the handbook, and on the door page in the community’s language', async () => {
    const phone = new ApiClient(stack.url, { accept: 'text/html', cookie: 'locale=de' });
    const door = (await phone.get(DOOR)).text;
    expect(door).toContain('<html lang="en-GB"><title>Door · Rust Porto</title><style>#8a1c4a</style>');
    expect(door).toContain('{"name":"Rust Porto","logoUrl":null}</script>');
    const help = await ask('/help');
    expect(help.text).toContain('<title>Handbook · Rust Porto</title>');
    expect(help.text).toContain('--primary:#8a1c4a;');
    expect(help.text).toContain('<header><b>R</b>Rust Porto</header><main>Handbook</main>');
    expect((await ask('/help/nope.html')).status).toBe(404);
  });

  it('adds a page for the terms, but none for a missing privacy policy', async () => {
    const { status, text } = await ask('/terms?locale=de');
    expect(status).toBe(200);
    expect(text).toContain('<title>Nutzungsbedingungen · Rust Porto</title>');
    expect(text).toContain('<link rel="canonical" href="http://localhost:8080/terms">');
    expect(text).toContain('<article>Nutzungsbedingungen: Be kind</article>');
    expect((await ask('/terms')).text).toContain('<title>Terms of Service · Rust Porto</title>');
    expect((await ask('/privacy')).status).toBe(404);
    const sitemap = (await ask('/sitemap.xml')).text;
    expect(sitemap).toContain('<loc>http://localhost:8080/terms</loc>');
    expect(sitemap).not.toContain('/privacy');
  });

  it('translates the notice for browsers without scripts', async () => {
    expect((await ask('/')).text).toContain('<noscript>Scripts!</noscript>');
    expect((await ask('/?locale=de')).text).toContain('<noscript>Skripte!</noscript>');
    const { locale } = community;
    community.locale = 'de';
    expect((await ask(DOOR)).text).toContain('<noscript>Einlass</noscript>');
    community.locale = locale;
  });

  it('publishes the settings that screens need, without the sender and long texts', async () => {
    const { body } = await ask('/api/config');
    expect(body).toMatchObject({
      ...{ currency: 'EUR', locale: 'en-GB', timeZone: 'Europe/Lisbon', weekStart: 'locale' },
      legalPages: ['terms'],
      brandPalettes: { light: { primary: '#8a1c4a' }, dark: { primary: expect.stringMatching(/^#/) } },
    });
    for (const name of ['terms', 'privacy', 'senderName', 'settingsVersion', 'heroPattern', 'checkInsDays'])
      expect(body).not.toHaveProperty(name);
    for (const name of ['termsRequired', 'legalVersions']) expect(body).not.toHaveProperty(name);
  });

  it('changes the URL of share images and redirects the previous URL', async () => {
    const present = `/media/share/${event.id}-${event.version}-${community.settingsVersion}.jpg`;
    expect((await ask(`/events/${event.id}`)).text).toContain(present);
    const earlier = await ask(`/media/share/${event.id}-${event.version}.jpg`);
    expect([earlier.status, earlier.headers.get('location')]).toEqual([302, present]);
  });

  it('draws icons with a calendar sheet on the community’s colour, or with its logo', async () => {
    const fetchIcon = async (file: string) => {
      const answer = await fetch(`${stack.url}/icons/${file}`);
      const image = sharp(Buffer.from(await answer.arrayBuffer()));
      const { format } = await image.metadata();
      const { info, data } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      const pixel = (x: number, y: number) => data.subarray((width * y + x) * 3).toString('hex', 0, 3);
      return { format, width, height, edge: pixel(0, width / 2), centre: pixel(width / 2, width / 2) };
    };
    const { text, headers } = await ask('/favicon.svg');
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(text).toContain('fill="#8a1c4a"');
    expect(text).not.toMatch(/<text|font|Porto/);
    const sides = { '192.png': 192, '512.png': 512, 'maskable-512.png': 512, 'apple-touch.png': 180 };
    for (const [file, side] of Object.entries(sides)) {
      const icon = { format: 'png', width: side, height: side, edge: '8a1c4a', centre: 'ffffff' };
      expect([file, await fetchIcon(file)]).toEqual([file, icon]);
    }
    for (const none of ['none.png', 'constructor']) expect((await ask(`/icons/${none}`)).status).toBe(404);

    await change({ logoUrl: `/media/community/${'a'.repeat(64)}.webp` });
    expect((await ask('/favicon.svg')).text).toContain('<image ');
    expect(await fetchIcon('maskable-512.png')).toMatchObject({ centre: '0000ff' });
  });

  it('replaces the font of pages, or keeps the default for an unknown font', async () => {
    const pages = async (font: string | null) => {
      await change({ font } as Partial<CommunitySettings>);
      const found = await Promise.all(['/', `/events/${event.id}`, DOOR].map((path) => ask(path)));
      return found.map(({ status, text }) => [
        status,
        text.includes('<style>Lora $&</style>'),
        text.includes(OWN_FONTS),
        /as="font"/.test(text),
      ]);
    };
    const own = Array(3).fill([200, false, true, true]);
    expect(await pages(null)).toEqual(own);
    expect(await pages('lora')).toEqual(Array(3).fill([200, true, false, false]));
    // The product knows the font Inter, but the build doesn't have it.
    for (const unknown of ['of another version', '../../x', 'constructor', 'inter'])
      expect(await pages(unknown)).toEqual(own);
  });

  it('puts a pattern behind the headline unless there is an image', async () => {
    const heroFor = async (changes: Partial<CommunitySettings>) => {
      await change(changes);
      const { heroUrl } = (await ask('/api/config')).body as Community;
      expect((await ask('/')).text).toContain(`<img class="hero" src="${heroUrl}">`);
      return heroUrl!;
    };
    const pattern = await heroFor({ heroUrl: null, heroPattern: 4 });
    expect(pattern).toBe(patternUrl(4, brandPalettes(PORTO.brandColour!).both.covers));
    expect((await ask(pattern)).headers.get('content-type')).toContain('image/svg+xml');
    expect(await heroFor({ heroPattern: 4 })).toBe(PORTO.heroUrl);
  });

  it('is not applied when its trial fails, and a gateway that fails is not ready', async () => {
    readiness.started();
    expect(await readiness.report()).toEqual({ status: 'ready', problems: {} });
    const following = other.app.get(CommunityFollower);
    const unusable = { code: 'SETTINGS_UNUSABLE' };
    for (const [part, makes] of [
      [Pages, 'tryOut'],
      [SiteController, 'buildManifest'],
    ] as const) {
      const instance: object = other.app.get(part);
      Object.assign(instance, { [makes]: () => Promise.reject(new Error('cannot be made')) });
      await expect(following.tryOut(shipped)).rejects.toMatchObject(unusable);
      Reflect.deleteProperty(instance, makes);
    }
    await expect(following.tryOut({ ...shipped, timeZone: 'Nowhere/Town' })).rejects.toMatchObject(unusable);
    await following.tryOut(shipped);
    const { name } = following.community;
    await following.addTrial((candidate) => {
      if (candidate.name === 'Unprintable') throw new Error('cannot be printed');
    });
    await change({ name: 'Unprintable' });
    await following.look();
    expect((await ask('/api/config', other)).body).toMatchObject({ name });

    Object.assign(following.community, { brandPalettes: undefined });
    expect((await readiness.report()).problems).toEqual({ answers: 'requests fail' });
  });
});
