import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  COMMUNITY,
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

describe('a change of the settings', () => {
  const event = anEventPage({
    startDate: '2027-06-03T17:00:00.000Z',
    endDate: '2027-06-03T19:00:00.000Z',
    price: '12.50',
  });
  let root: string;
  let stack: TestGateway;
  let gateways: Gateway[];
  let shipped: CommunitySettings;
  let servedName = '';
  beforeAll(async () => {
    const noscript = {
      noscript: '<noscript>Skripte!</noscript>',
      noscriptAtDoor: '<noscript>Einlass</noscript>',
    };
    root = builtWeb({
      'index.html': INDEX,
      'door.html': `<!doctype html><html lang="en-US"><title>Door</title><style>{{light.primary}}</style>${OWN_FONTS}<!--community--><noscript>Scripts!</noscript>`,
      'help/en.json': { language: 'en', title: 'Handbook', summary: 'Tasks', pages: [], end: '' },
      'manifest.webmanifest': { name: 'Events', theme_color: light.primary, background_color: '#000000' },
      '.vite/first-paint.json': PIECES,
      '.vite/first-paint.de.json': { ...PIECES, ...noscript },
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
    shipped = loadCommunity(stack.config.communityConfig);
    servedName = shipped.name;
    gateways = [stack.gateway, await stack.another()];
  });
  afterAll(async () => {
    await stack.close();
    rmSync(root, { recursive: true });
  });

  const ask = (gateway: Gateway, path: string) => new ApiClient(gateway.url, { accept: '*/*' }).get(path);
  const PATHS = ['/', '/events', `/events/${event.id}`, '/404', '/api/config', '/manifest.webmanifest'];

  it('applies to all responses of every gateway within 5 seconds', async () => {
    const before = await Promise.all(PATHS.map((path) => ask(stack.gateway, path)));
    for (const { text } of before) expect(text).toContain(shipped.name);
    expect((await ask(stack.gateway, '/api/events/calendar.ics')).text).toContain(shipped.name);
    const deaf = await stack.another();
    deaf.app.get(CommunityFollower).onApplicationShutdown();

    await insertSettings(stack.owner, { ...shipped, ...PORTO });
    const changed = async (gateway: Gateway, path: string) =>
      until(`${path} of the new community`, PROMISED, async () =>
        (await ask(gateway, path)).text.includes('Rust Porto'),
      );
    await Promise.all(gateways.flatMap((gateway) => PATHS.map((path) => changed(gateway, path))));
    // The events service learns of the change later. Responses until then must not be cached.
    const CALENDAR = '/api/events/calendar.ics';
    for (const gateway of gateways) expect((await ask(gateway, CALENDAR)).text).toContain(shipped.name);
    servedName = PORTO.name!;
    for (const gateway of gateways) await changed(gateway, CALENDAR);
    expect((await ask(deaf, '/api/config')).text).toContain(shipped.name);

    const words = [
      ...[shipped.name, shipped.headline, shipped.tagline, shipped.supportEmail, shipped.linkedInUrl!],
      ...shipped.sponsors.flatMap(({ name, url }) => [name, url]),
      ...[light.primary, light.primarySoft, dark.primary],
    ];
    for (const gateway of gateways)
      for (const [place, path] of PATHS.entries()) {
        const { text, headers } = await ask(gateway, path);
        for (const word of words) expect([path, text.includes(word) && word]).toEqual([path, false]);
        expect([path, headers.get('etag')]).not.toEqual([path, before[place]!.headers.get('etag')]);
      }
  });

  it('appears in the head, first paint, security policy and manifest', async () => {
    const { text, headers } = await ask(stack.gateway, '/');
    expect(text).toContain(`--ink:${light.ink};--primary:#8a1c4a;`);
    expect(text).toContain('<header><b>R</b>Rust Porto</header>');
    expect(text).toContain('<h1>Fearless people by the river</h1>');
    expect(text).toContain('<img class="hero" src="https://rio.example/hero.jpg"><div data-ways="button">');
    for (const origin of ['https://ponte.example', 'https://rio.example'])
      expect(headers.get('content-security-policy')).toContain(origin);
    const manifest = JSON.parse((await ask(stack.gateway, '/manifest.webmanifest')).text) as object;
    expect(manifest).toMatchObject({
      ...{ name: 'Rust Porto', theme_color: '#8a1c4a' },
      background_color: expect.stringMatching(/^#f/),
    });
    expect((await ask(stack.gateway, '/api/legal/terms')).body).toEqual({ text: '# Be kind' });
    expect((await ask(stack.gateway, '/api/legal/imprint')).status).toBe(404);
  });

  it('appears on the door page and in the handbook', async () => {
    const door = (await ask(stack.gateway, `/door/${'y'.repeat(43)}`)).text;
    expect(door).toContain('<title>Door · Rust Porto</title><style>#8a1c4a</style>');
    expect(door).toContain('{"name":"Rust Porto","logoUrl":null}</script>');
    const help = await ask(stack.gateway, '/help');
    expect(help.text).toContain('<title>Handbook · Rust Porto</title>');
    expect(help.text).toContain('--primary:#8a1c4a;');
    expect(help.text).toContain('<header><b>R</b>Rust Porto</header><main>Handbook</main>');
    expect((await ask(stack.gateway, '/help/nope.html')).status).toBe(404);
  });

  it('sets the language of the door page, whatever the phone has chosen', async () => {
    const phone = new ApiClient(stack.gateway.url, { accept: 'text/html', cookie: 'locale=de' });
    const { text } = await phone.get(`/door/${'y'.repeat(43)}`);
    expect(text).toContain('<html lang="en-GB">');
  });

  it('adds a page for the terms, but none for a missing privacy policy', async () => {
    const { status, text } = await ask(stack.gateway, '/terms?locale=de');
    expect([status, text]).toEqual([
      200,
      expect.stringContaining('<title>Nutzungsbedingungen · Rust Porto</title>'),
    ]);
    expect(text).toContain('<link rel="canonical" href="http://localhost:8080/terms">');
    expect(text).toContain('<article>Nutzungsbedingungen: Be kind</article>');
    expect((await ask(stack.gateway, '/terms')).text).toContain(
      '<title>Terms of Service · Rust Porto</title>',
    );
    expect((await ask(stack.gateway, '/privacy')).status).toBe(404);
    const sitemap = (await ask(stack.gateway, '/sitemap.xml')).text;
    expect(sitemap).toContain('<loc>http://localhost:8080/terms</loc>');
    expect(sitemap).not.toContain('/privacy');
  });

  it('translates the notice for browsers without scripts', async () => {
    expect((await ask(stack.gateway, '/')).text).toContain('<noscript>Scripts!</noscript>');
    expect((await ask(stack.gateway, '/?locale=de')).text).toContain('<noscript>Skripte!</noscript>');
    const german = join(mkdtempSync(join(tmpdir(), 'community-')), 'community.json');
    writeFileSync(
      german,
      JSON.stringify({ ...shipped, logoUrl: null, sponsors: [], locked: ['locale'], locale: 'de' }),
    );
    const gateway = await stack.another({ communityConfig: german });
    expect((await ask(gateway, `/door/${'y'.repeat(43)}`)).text).toContain('<noscript>Einlass</noscript>');
  });

  const fetchIcon = async (gateway: Gateway, file: string) => {
    const answer = await fetch(`${gateway.url}/icons/${file}`);
    const image = sharp(Buffer.from(await answer.arrayBuffer()));
    const { format } = await image.metadata();
    const { info, data } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number) => {
      const at = (info.width * y + x) * 3;
      return data.subarray(at, at + 3).toString('hex');
    };
    const middle = info.width / 2;
    return {
      format,
      width: info.width,
      height: info.height,
      edge: pixel(0, middle),
      centre: pixel(middle, middle),
    };
  };

  it('draws icons with a calendar sheet on the community’s colour, without its name', async () => {
    const { text, headers } = await ask(stack.gateway, '/favicon.svg');
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(text).toContain('fill="#8a1c4a"');
    expect(text).not.toMatch(/<text|font|Porto/);
    for (const [file, side] of [
      ['192.png', 192],
      ['512.png', 512],
      ['maskable-512.png', 512],
      ['apple-touch.png', 180],
    ] as const)
      expect([file, await fetchIcon(stack.gateway, file)]).toEqual([
        file,
        { format: 'png', width: side, height: side, edge: '8a1c4a', centre: 'ffffff' },
      ]);
    for (const none of ['none.png', 'constructor'])
      expect((await ask(stack.gateway, `/icons/${none}`)).status).toBe(404);
  });

  it('draws icons with the uploaded logo', async () => {
    const logoUrl = `/media/community/${'a'.repeat(64)}.webp`;
    await insertSettings(stack.owner, { ...shipped, ...PORTO, logoUrl });
    const gateway = await stack.another();
    expect((await ask(gateway, '/favicon.svg')).text).toContain('<image ');
    expect(await fetchIcon(gateway, 'maskable-512.png')).toMatchObject({ centre: '0000ff' });
    await insertSettings(stack.owner, { ...shipped, ...PORTO });
  });

  it('publishes the settings that screens need, without the sender and long texts', async () => {
    const config = (await ask(stack.gateway, '/api/config')).body as Community;
    expect(config).toMatchObject({
      currency: 'EUR',
      locale: 'en-GB',
      timeZone: 'Europe/Lisbon',
      weekStart: 'locale',
      legalPages: ['terms'],
      brandPalettes: { light: { primary: '#8a1c4a' }, dark: { primary: expect.stringMatching(/^#/) } },
    });
    for (const name of ['terms', 'privacy', 'senderName', 'settingsVersion'])
      expect(config).not.toHaveProperty(name);
  });

  it('is applied without URLs that a Content-Security-Policy cannot contain', async () => {
    const broken = { name: 'Broken', logoUrl: 'https://cdn;example.org/x.png', url: 'https://b.example' };
    const stored = { ...shipped, ...PORTO, name: 'Comma', logoUrl: 'https://cdn,example.org/logo.png' };
    await insertSettings(stack.owner, { ...stored, sponsors: [...PORTO.sponsors!, broken] });
    const started = await stack.another();
    for (const gateway of [stack.gateway, started]) {
      await until('the newest version', PROMISED, async () =>
        (await ask(gateway, '/api/config')).text.includes('Comma'),
      );
      for (const path of [...PATHS, '/api/user']) {
        const { status, headers } = await ask(gateway, path);
        expect([path, status < 500]).toEqual([path, true]);
        expect(headers.get('content-security-policy')).toMatch(
          /img-src 'self' data: blob: (https:\/\/(rio|ponte)\.example ?){2};/,
        );
      }
      expect((await ask(gateway, '/api/config')).body).toMatchObject({
        logoUrl: null,
        sponsors: PORTO.sponsors,
      });
    }
  });

  it('is not applied when its trial fails, and a gateway that fails is not ready', async () => {
    const readiness = new Readiness();
    const config = Object.assign(new GatewayConfig(), stack.config);
    const platform = PlatformModule.forProcess(GatewayConfig, config, readiness);
    const logger = new NestLogger(pino({ level: 'silent' }));
    // Readiness checks must not make the start fail.
    const asking = setInterval(() => void readiness.report(), 1);
    const gateway = await openGateway({ config, platform, logger, readiness }).finally(() =>
      clearInterval(asking),
    );
    readiness.started();
    expect(await readiness.report()).toEqual({ status: 'ready', problems: {} });
    const follower = gateway.app.get(CommunityFollower);
    const unusable = { code: 'SETTINGS_UNUSABLE' };
    for (const [part, makes] of [
      [Pages, 'tryOut'],
      [SiteController, 'buildManifest'],
    ] as const) {
      const instance: object = gateway.app.get(part);
      Object.assign(instance, { [makes]: () => Promise.reject(new Error('cannot be made')) });
      await expect(follower.tryOut(shipped)).rejects.toMatchObject(unusable);
      Reflect.deleteProperty(instance, makes);
    }
    await expect(follower.tryOut({ ...shipped, timeZone: 'Nowhere/Town' })).rejects.toMatchObject(unusable);
    await follower.tryOut(shipped);
    const { name } = gateway.app.get<PresentCommunity>(COMMUNITY);
    await follower.addTrial((candidate) => {
      if (candidate.name === 'Unprintable') throw new Error('cannot be printed');
    });
    await insertSettings(stack.owner, { ...shipped, name: 'Unprintable' });
    await follower.look();
    expect((await ask(gateway, '/api/config')).body).toMatchObject({ name });

    Object.assign(gateway.app.get<PresentCommunity>(COMMUNITY), { brandPalettes: undefined });
    expect(await readiness.report()).toEqual({
      status: 'unavailable',
      problems: { answers: 'requests fail' },
    });
    await insertSettings(stack.owner, { ...shipped, ...PORTO });
    await gateway.stop();
  });

  it('replaces the font of pages, or keeps the default for an unknown font', async () => {
    const follower = stack.gateway.app.get(CommunityFollower);
    const pages = async (font: string | null) => {
      await insertSettings(stack.owner, { ...shipped, ...PORTO, font } as Partial<CommunitySettings>);
      await follower.look();
      const paths = ['/', `/events/${event.id}`, `/door/${'y'.repeat(43)}`];
      return Promise.all(
        paths.map(async (path) => {
          const { status, text } = await ask(stack.gateway, path);
          return [
            status,
            text.includes('<style>Lora $&</style>'),
            text.includes(OWN_FONTS),
            /as="font"/.test(text),
          ];
        }),
      );
    };
    const own = [200, false, true, true];
    expect(await pages(null)).toEqual([own, own, own]);
    expect(await pages('lora')).toEqual(Array(3).fill([200, true, false, false]));
    for (const unknown of ['of another version', '../../x', 'constructor'])
      expect(await pages(unknown)).toEqual([own, own, own]);
    // The product knows this font, but the build doesn't have it.
    expect(await pages('inter')).toEqual([own, own, own]);
    await pages(null);
  });

  it('changes the URL of share images and redirects the previous URL', async () => {
    await stack.gateway.app.get(CommunityFollower).look();
    const { settingsVersion } = stack.gateway.app.get<PresentCommunity>(COMMUNITY);
    const present = `/media/share/${event.id}-${event.version}-${settingsVersion}.jpg`;
    expect((await ask(stack.gateway, `/events/${event.id}`)).text).toContain(present);
    const earlier = await ask(stack.gateway, `/media/share/${event.id}-${event.version}.jpg`);
    expect([earlier.status, earlier.headers.get('location')]).toEqual([302, present]);
  });

  it('puts a pattern behind the headline unless there is an image', async () => {
    const opened = async (changes: Partial<CommunitySettings>) => {
      await insertSettings(stack.owner, { ...shipped, ...PORTO, ...changes });
      const gateway = await stack.another();
      const { body } = await ask(gateway, '/api/config');
      const { heroUrl } = body as Community;
      expect(body).not.toHaveProperty('heroPattern');
      expect((await ask(gateway, '/')).text).toContain(`<img class="hero" src="${heroUrl}">`);
      return { gateway, heroUrl: heroUrl! };
    };
    const { gateway, heroUrl } = await opened({ heroUrl: null, heroPattern: 4 });
    expect(heroUrl).toBe(patternUrl(4, brandPalettes(PORTO.brandColour!).both.covers));
    expect((await ask(gateway, heroUrl)).headers.get('content-type')).toContain('image/svg+xml');
    expect((await opened({ heroPattern: 4 })).heroUrl).toBe(PORTO.heroUrl);
  });
});
