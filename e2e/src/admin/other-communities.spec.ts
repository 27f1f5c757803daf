import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Community, CommunitySettings, Event } from '@meetmark/contracts';
import { FONTS } from '@meetmark/contracts/community';
import { PATTERNS, patternUrl } from '@meetmark/contracts/events/cover-pattern';
import { eventPath } from '@meetmark/contracts/events/event-path';
import type { ProductLocale } from '@meetmark/i18n/locales';
import { DEFAULT_BRAND } from '@meetmark/contracts/palette';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { foreignWordsIn, strangersTo } from '@meetmark/testing/languages';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { ApiClient, eventFields } from '../support/api-client.js';
import { DESKTOP, connectBrowser, PHONE, visit } from '../support/browser.js';
import { query } from '../support/database.js';
import { moveTo, Traffic } from '../support/navigation.js';
import { generateCode } from '../support/second-factor.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { SCREENSHOTS } = process.env;

const demo = JSON.parse(
  readFileSync(path.join(ROOT, 'config/demo/community.json'), 'utf8'),
) as CommunitySettings;
/** Name of the product and texts of the demo community. No other community may show them. */
const OUR_WORDS = [
  ...['Meetmark', demo.name, demo.headline, demo.tagline, demo.supportEmail, demo.linkedInUrl!],
  ...demo.sponsors.flatMap(({ name, logoUrl, url }) => [name, logoUrl, url]),
  ...['digital market', 'digitales Marketing', 'marketing numérique'],
];
const ourWordsIn = (text: string) => OUR_WORDS.filter((word) => text.includes(word));

type Rgb = readonly [red: number, green: number, blue: number];
const toRgb = (hex: string): Rgb => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [r, g, b];
};
const toHex = (rgb: Rgb) => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
const computeChroma = (rgb: Rgb) => Math.max(...rgb) - Math.min(...rgb);
/** Maximum difference between the highest and lowest channel that still looks grey. */
const GREY = 10;

const OURS = new Set(
  [...(JSON.stringify(DEFAULT_BRAND).match(/#[0-9a-f]{6}/g) ?? [])].filter(
    (hex) => computeChroma(toRgb(hex)) > GREY,
  ),
);

function computeHue([r, g, b]: Rgb): number {
  const [most, chroma] = [Math.max(r, g, b), computeChroma([r, g, b])];
  const sixth =
    most === r ? ((g - b) / chroma + 6) % 6 : most === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return sixth * 60;
}

/** Green with which the door page marks admitted guests. It is the same in every community. */
const SIGNALS = new Set(['#1a6b3c']);

/**
 * Whether a colour comes from the product's design. The test communities are yellow, red and black, so green,
 * blue and violet can't be theirs.
 */
const isOurs = (rgb: Rgb, grey = GREY) =>
  !SIGNALS.has(toHex(rgb)) &&
  (OURS.has(toHex(rgb)) || (computeChroma(rgb) > grey && computeHue(rgb) > 75 && computeHue(rgb) < 330));

function ourColoursIn(text: string): string[] {
  const found: string[] = [];
  for (const [written] of text.matchAll(/(?:#|%23)[0-9a-f]{3,8}\b|\b(?:rgba?|color)\([^()]*\)/gi)) {
    const digits = /^(?:#|%23)([0-9a-f]+)$/i.exec(written)?.[1];
    const numbers = [...written.matchAll(/[\d.]+(?=[\s,/)])/g)].map(([number]) => Number(number));
    const parts = /^color/.test(written) ? numbers.map((part, at) => (at < 3 ? part * 255 : part)) : numbers;
    const long = digits?.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
    const rgb =
      long === undefined ? (parts.slice(0, 3).map(Math.round) as unknown as Rgb) : toRgb(`#${long}`);
    if (rgb.length === 3 && (parts[3] ?? 1) > 0 && isOurs(rgb)) found.push(written);
  }
  return found;
}

async function ourPixelsIn(picture: Buffer): Promise<string[]> {
  const { width } = await sharp(picture).metadata();
  const half = sharp(picture).resize({ width: Math.ceil(width / 2), kernel: 'nearest' });
  const data = await half.removeAlpha().toColourspace('srgb').raw().toBuffer();
  const ours = new Map<string, number>();
  const known = new Map<number, string | null>();
  let count = 0;
  for (let at = 0; at < data.length; at += 3) {
    const rgb = [data[at]!, data[at + 1]!, data[at + 2]!] as const;
    const key = (rgb[0] << 16) | (rgb[1] << 8) | rgb[2];
    let hex = known.get(key);
    if (hex === undefined) known.set(key, (hex = isOurs(rgb, 24) ? toHex(rgb) : null));
    if (hex === null) continue;
    count += 1;
    ours.set(hex, (ours.get(hex) ?? 0) + 1);
  }
  const share = count / (data.length / 3);
  if (share < 1 / 1_000) return [];
  const most = [...ours].toSorted(([, one], [, other]) => other - one).slice(0, 3);
  return [`${(share * 100).toFixed(2)} % of the picture: ${most.map(([hex]) => hex).join(' ')}`];
}

function seen(coloured = true): { colours: Record<string, string>; head: string[]; texts: string[] } {
  const PAINTED = [
    ...(['color', 'backgroundColor', 'backgroundImage', 'boxShadow', 'textShadow', 'outlineColor'] as const),
    ...(['borderTopColor', 'borderRightColor', 'borderBottomColor', 'borderLeftColor'] as const),
    ...(['fill', 'stroke', 'stopColor', 'caretColor', 'accentColor', 'textDecorationColor'] as const),
    ...(['columnRuleColor', 'borderImageSource', 'listStyleImage', 'filter'] as const),
  ];
  const colours: Record<string, string> = {};
  for (const element of coloured ? document.querySelectorAll('*') : [])
    for (const part of ['', '::before', '::after', '::placeholder']) {
      const style = getComputedStyle(element, part);
      if (part.endsWith('e') === false && part !== '' && style.content === 'none') continue;
      for (const name of PAINTED)
        colours[style[name]] ??= `${element.tagName} ${element.getAttribute('class') ?? ''}${part} ${name}`;
    }
  const texts: string[] = [];
  const head = [document.title];
  const language = document.documentElement.lang;
  /** Whether an element declares another language or is invisible. */
  const isApart = (element: Element | null) => {
    const stated = element?.closest('[lang]')?.getAttribute('lang');
    const isMarkup = element?.tagName === 'NOSCRIPT' && element.textContent.includes('</');
    const isUnseen = isMarkup || element?.closest('script, style, [data-typed]') !== null;
    return stated !== language || isUnseen;
  };
  // Screen readers skip hidden icons, and read a button's or link's label instead of its content.
  const isUnheard = (element: Element) =>
    element.closest('[aria-hidden=true]') !== null ||
    element.parentElement?.closest('button[aria-label], a[aria-label]') != null;
  /** Whether a text is data that isn't translated, such as a time zone, a currency or a recorded change. */
  const isData = (text: string) => /^\w+\/|^[A-Z]{3} · | → /.test(text);
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode())
    if (!isApart(node.parentElement) && node.nodeValue?.trim() && !isData(node.nodeValue))
      texts.push(node.nodeValue);
  const NAMES = ['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'title', 'placeholder'];
  for (const element of document.querySelectorAll(NAMES.map((name) => `body [${name}]`).join()))
    if (!isApart(element) && !isUnheard(element))
      texts.push(...NAMES.map((name) => element.getAttribute(name) ?? ''));
  for (const meta of document.querySelectorAll('meta[name=description], meta[property^="og:"]'))
    if (!/url|image|locale|type|site_name/.test(meta.getAttribute('property') ?? ''))
      head.push(meta.getAttribute('content') ?? '');
  return { colours, head, texts: texts.filter((text) => text.trim() !== '') };
}

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) yield* filesBelow(file);
    else if (!/\.(map|br|gz|png|woff2?)$/.test(name)) yield file;
  }
}

it('built files contain no demo text, and web files contain no default colours', () => {
  const built = ['web', 'gateway', 'services/auth', 'services/events', 'services/admin', 'services/worker'];
  const files = built.flatMap((folder) => [...filesBelow(path.join(ROOT, folder, 'dist'))]);
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const isOfPages = file.startsWith(path.join(ROOT, 'web/dist'));
    const words = isOfPages ? ourWordsIn(text) : ourWordsIn(text).filter((word) => word !== 'Meetmark');
    const colours = isOfPages ? [...OURS].filter((colour) => text.includes(colour)) : [];
    const inStyles = file.endsWith('.css') ? ourColoursIn(text) : [];
    return [...words, ...colours, ...inStyles].map((what) => `${path.relative(ROOT, file)}: ${what}`);
  });
  expect(found).toEqual([]);
  expect(files.filter((file) => /dist\/help\/.*\.webp$/.test(file))).toEqual([]);
});

const createSquare = async (background: string) => {
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background } });
  return `data:image/png;base64,${(await picture.png().toBuffer()).toString('base64')}`;
};

const HOUR = 3_600_000;
const OWNER = { email: 'ola@tolmi.example', firstName: 'Ola', lastName: 'Silva', password: 'correct horse' };
const CAREFUL = { ...OWNER, email: 'eva@tolmi.example' };
const NOWHERE = '0190a000-0000-7000-8000-000000000001';

interface Screen {
  who: 'visitor' | 'member' | 'owner' | 'plain';
  at: string;
  name: string;
  prepare?: (page: Page) => Promise<unknown>;
}

interface Theirs extends Partial<Pick<CommunitySettings, 'secondColour' | 'font' | 'heroPattern'>> {
  name: string;
  locale: ProductLocale;
  readers: Screen['who'][];
  /** Names of the screens, if not all of the readers' screens are checked. */
  screens?: string[];
  brandColour: string;
  /** Colour of text on the brand colour. */
  ink: string;
}

const COMMUNITIES: Theirs[] = [
  {
    ...{ name: 'yellow', brandColour: '#f5c400', ink: '#161616' },
    ...{ locale: 'fr', readers: ['visitor', 'member', 'owner', 'plain'] },
  },
  {
    ...{ name: 'red', brandColour: '#d0021b', ink: '#ffffff' },
    ...{ secondColour: '#f5a800', font: 'lora', heroPattern: 2 },
    // Screens that visitors see first, and errors whose text the server writes.
    ...{ locale: 'de', readers: ['visitor'] },
    screens: ['landing', 'event', 'full', 'dialog', 'sign-in-refused', 'reset-refused'],
  },
  {
    ...{ name: 'black', brandColour: '#000000', ink: '#ffffff', locale: 'es', readers: ['member'] },
    screens: ['browse', 'own-event', 'my-events', 'profile', 'dashboard'],
  },
];
let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser();
});
afterAll(() => browser.close());

describe('Other communities', () => {
  let stack: TestStack;
  let owner: ApiClient;
  let events: Record<'next' | 'full' | 'cancelled' | 'draft' | 'waits' | 'tonight', Event>;
  let door: string;
  let member: typeof OWNER;
  let setup: { texts: string[]; words: string[] };

  beforeAll(async () => {
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
    stack = await startTestStack({ unowned: true });
    owner = new ApiClient(stack.url);
    const { hash } = new URL(stack.setupUrl!);
    setup = { texts: [], words: [] };
    for (const at of [`/setup${hash}`, '/setup']) {
      const { context, page } = await visit(browser, stack.url, { locale: 'de', viewport: PHONE });
      await page.goto(at);
      await page.getByRole('heading').first().waitFor();
      await page.waitForLoadState('networkidle');
      setup.texts.push(...(await page.evaluate(seen, false)).texts);
      setup.words.push(...ourWordsIn(await page.content()));
      await context.close();
    }
    const token = hash.slice(1);
    await owner.expect(200, 'POST', '/api/setup', { token, owner: OWNER });
    await owner.expect(200, 'PUT', '/api/admin/settings', {
      ...{ name: 'Tolmi Varan', headline: 'Brilo plimta kvazor', tagline: 'Zelmo trivan dorpi.' },
      ...{ supportEmail: 'saluto@tolmi.example', currency: 'EUR', timeZone: 'Europe/Lisbon' },
      ...{ terms: '## Plimta\n\nBrilo dorpi.', privacy: '## Dorpi\n\nZelmo trivan.', memberProposals: true },
      sponsors: [{ name: 'Grelmo', logoUrl: await createSquare('#777777'), url: 'https://grelmo.example' }],
    });
    const topic = await owner.expect<{ id: string }>(201, 'POST', '/api/topics', { name: 'Zelmo' });
    const made = (title: string, fields: Parameters<typeof eventFields>[0] = {}) =>
      owner.expect<Event>(
        201,
        'POST',
        '/api/events',
        eventFields({ title, description: 'Trivan dorpi.', location: 'Rua Zelmo 1, Porto', ...fields }),
      );
    const content = {
      agenda: [{ startsAt: new Date(Date.now() + 337 * HOUR).toISOString(), title: 'Plimta' }],
      speakers: [{ name: 'Rui Grelmo', role: 'Dorpi' }],
      questions: [{ kind: 'yesNo', label: 'Plimta?', required: false, options: [] }],
      topics: [topic.id],
    } as unknown as Parameters<typeof eventFields>[0];
    events = {
      next: await made('Brilo kvazor', { price: '12', capacity: 30, ...content }),
      full: await made('Dorpi zelmo', { capacity: 1, startsIn: 100 * HOUR }),
      cancelled: await made('Grelmo trivan', { startsIn: 200 * HOUR }),
      draft: await made('Plimta dorpi', { status: 'draft' }),
      waits: await made('Varan plimta', { capacity: 1, waitlistEnabled: true, startsIn: 120 * HOUR }),
      tonight: await made('Kvazor dorpi', { startsIn: HOUR }),
    };
    for (const event of [events.full, events.waits, events.tonight])
      await owner.expect(201, 'POST', `/api/admin/events/${event.id}/guests`, { name: 'Ana Kvazor' });
    door = (
      await owner.expect<{ token: string }>(201, 'POST', `/api/admin/events/${events.tonight.id}/door-links`)
    ).token;
    member = { email: 'ana@tolmi.example', firstName: 'Ana', lastName: 'Reis', password: 'correct horse' };
    const client = await verified(member);
    for (const event of [events.next, events.cancelled, events.tonight])
      await client.expect(201, 'POST', `/api/events/${event.id}/register`, {});
    await client.expect(201, 'POST', `/api/events/${events.waits.id}/register`, { waitlist: true });
    await owner.expect(200, 'POST', `/api/events/${events.cancelled.id}/cancel`, { reason: 'Zelmo dorpi.' });
    const propose = (title: string, day: string) =>
      client.expect<{ id: string }>(201, 'POST', '/api/proposals', {
        ...{ title, description: 'Trivan dorpi.' },
        ...{ startDate: `2031-05-${day}T17:00:00.000Z`, endDate: `2031-05-${day}T19:00:00.000Z` },
      });
    const declined = await propose('Varan brilo', '02');
    await owner.expect(200, 'POST', `/api/admin/proposals/${declined.id}/decline`, { words: 'Zelmo dorpi.' });
    await propose('Dorpi grelmo', '09');
    const careful = await verified(CAREFUL);
    const { body } = await careful.post<{ secret: string }>('/api/user/second-factors/totp');
    const factor = { name: 'Dorpi', code: generateCode(body.secret, -1) };
    await careful.expect(201, 'POST', '/api/user/second-factors/totp/confirm', factor);
  });
  afterAll(() => stack.stop());

  /** Changes the settings. This requires a recent sign-in. */
  async function setUp(settings: Partial<CommunitySettings>): Promise<void> {
    await owner.signIn(OWNER);
    await owner.expect(200, 'PUT', '/api/admin/settings', { ...settings, languages: null });
  }

  async function verified(account: typeof OWNER): Promise<ApiClient> {
    const client = new ApiClient(stack.url);
    const { id } = await client.signUp(account);
    await query(stack.databaseUrl, 'UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [id]);
    return client;
  }

  const screens = (): Screen[] => {
    const [next, tonight] = [events.next.id, events.tonight.id];
    const signIn = async (page: Page, { email, password }: Pick<typeof OWNER, 'email' | 'password'>) => {
      const form = page.locator('form:has(input[type=password])').first();
      const way = page.locator('main a[href="/?signin=1"]');
      if (!(await form.isVisible()) && (await way.isVisible())) await way.click();
      await form.locator('input[type=email]').fill(email);
      await form.locator('input[type=password]').fill(password);
      await form.locator('button[type=submit]').first().click();
      return form;
    };
    const signInWrongly = async (page: Page) => {
      const form = await signIn(page, { ...OWNER, password: 'wrong horse' });
      await form.getByRole('alert').first().waitFor();
    };
    const takeWrongStep = async (page: Page) => {
      await signIn(page, CAREFUL);
      const code = page.locator('input[autocomplete=one-time-code]');
      await code.fill('000000');
      await page.locator('form', { has: code }).getByRole('alert').first().waitFor();
    };
    const resetWrongly = async (page: Page) => {
      for (const [at, typed] of ['ola@tolmi.example', '000000', 'correct horse 2'].entries())
        await page.locator('main form input').nth(at).fill(typed);
      await page.locator('main form button[type=submit]').click();
      await page.locator('main form [role=alert]').first().waitFor();
    };
    const guests = (path: string) => `/admin/events/${next}${path}`;
    return [
      { who: 'visitor', name: 'landing', at: '/' },
      { who: 'visitor', name: 'event', at: eventPath(events.next) },
      { who: 'visitor', name: 'full', at: eventPath(events.full) },
      { who: 'visitor', name: 'dialog', at: `/?event=${next}` },
      { who: 'visitor', name: 'sign-in-refused', at: '/', prepare: signInWrongly },
      { who: 'visitor', name: 'second-step', at: '/', prepare: takeWrongStep },
      { who: 'visitor', name: 'sign-up', at: '/?signup=1' },
      { who: 'visitor', name: 'forgot-password', at: '/forgot-password' },
      { who: 'visitor', name: 'reset-refused', at: '/reset-password', prepare: resetWrongly },
      { who: 'visitor', name: 'terms', at: '/terms' },
      { who: 'visitor', name: 'help', at: '/help/members' },
      { who: 'visitor', name: 'not-found', at: '/no-such-page' },
      { who: 'visitor', name: 'no-event', at: `/events/${NOWHERE}` },
      { who: 'visitor', name: 'unsubscribe', at: '/unsubscribe?token=not-signed' },
      { who: 'visitor', name: 'subscribe', at: `/subscribe/confirm#${'x'.repeat(22)}` },
      { who: 'visitor', name: 'confirm', at: `/confirm#${'x'.repeat(22)}` },
      { who: 'visitor', name: 'door', at: `/door/${door}` },
      { who: 'member', name: 'browse', at: '/' },
      { who: 'member', name: 'events', at: '/events' },
      { who: 'member', name: 'agenda', at: '/events?view=agenda' },
      { who: 'member', name: 'proposals', at: '/proposals' },
      { who: 'member', name: 'own-event', at: eventPath(events.next) },
      { who: 'member', name: 'cancelled', at: eventPath(events.cancelled) },
      { who: 'member', name: 'my-events', at: '/my-events' },
      { who: 'member', name: 'profile', at: '/profile' },
      { who: 'member', name: 'notifications', at: '/profile/notifications' },
      { who: 'member', name: 'privacy', at: '/profile/privacy' },
      { who: 'member', name: 'security', at: '/profile/security' },
      { who: 'member', name: 'dashboard', at: '/dashboard' },
      { who: 'member', name: 'give-up', at: `/events/${tonight}/give-up` },
      { who: 'owner', name: 'admin', at: '/admin' },
      { who: 'owner', name: 'admin-events', at: '/admin/events' },
      { who: 'owner', name: 'admin-users', at: '/admin/users' },
      { who: 'owner', name: 'admin-proposals', at: '/admin/proposals' },
      { who: 'owner', name: 'admin-topics', at: '/admin/topics' },
      { who: 'owner', name: 'admin-system', at: '/admin/system' },
      { who: 'owner', name: 'admin-settings', at: '/admin/settings' },
      { who: 'owner', name: 'admin-audit', at: '/admin/audit' },
      {
        ...{ who: 'owner', name: 'form', at: '/events?create=1' },
        prepare: (page) => page.locator('[role=dialog] button[type=submit]').last().click(),
      },
      { who: 'owner', name: 'workspace', at: guests('') },
      { who: 'owner', name: 'guests', at: guests('/guests') },
      { who: 'owner', name: 'messages', at: guests('/messages') },
      { who: 'owner', name: 'workspace-settings', at: guests('/settings') },
      { who: 'owner', name: 'workspace-door', at: `/admin/events/${tonight}/door` },
      ...['/', eventPath(events.next), '/events', '/forgot-password', '/terms', '/no-such-page'].map(
        (at): Screen => ({ who: 'plain', name: `plain${at.replaceAll('/', '-')}`, at }),
      ),
    ];
  };

  /** Opens each screen that `who` sees and calls `look`. Passes exceptions and browser errors to `note`. */
  async function readBy(
    who: Screen['who'],
    { locale, screens: chosen }: Theirs,
    look: (page: Page, screen: Screen) => Promise<void>,
    note: (where: string, what: unknown[]) => void,
  ): Promise<void> {
    const viewport = who === 'owner' || who === 'plain' ? DESKTOP : PHONE;
    const { context, page, errors } = await visit(browser, stack.url, {
      ...{ locale, timezoneId: 'Europe/Lisbon', viewport },
      javaScriptEnabled: who !== 'plain',
    });
    const account = { visitor: undefined, member, owner: OWNER, plain: undefined }[who];
    if (account) {
      const { email, password } = account;
      const answer = await context.request.post('/api/login', { data: { email, password } });
      expect(answer.status()).toBe(200);
      await page.addInitScript(() => sessionStorage.setItem('profile-picture-prompt', 'shown'));
    }
    const seenBy = screens().filter((one) => one.who === who && (chosen?.includes(one.name) ?? true));
    const traffic = new Traffic(page);
    let previous: Screen | undefined;
    for (const screen of seenBy)
      try {
        // Loads the screens of visitors, whose title and description the server writes.
        const isMoved = account !== undefined && previous !== undefined && previous.prepare === undefined;
        await (isMoved ? moveTo(page, screen.at) : page.goto(screen.at));
        previous = screen;
        if (who !== 'plain') await page.getByRole('heading').first().waitFor();
        await traffic.settle();
        await screen.prepare?.(page);
        await traffic.settle();
        await look(page, screen);
      } catch (error) {
        note(screen.name, [String(error).slice(0, 300)]);
      }
    note(who, errors);
    await context.close();
  }

  async function fetchImages(name: string): Promise<[where: string, picture: Buffer][]> {
    const page = async (at: string) =>
      (await fetch(stack.url + at, { headers: { accept: 'text/html' } })).text();
    const drawn = (await page('/')) + (await page(eventPath(events.next)));
    const named = drawn.match(/\/media\/(?:patterns|share)\/[^"'&<\s)]+/g) ?? [];
    const { brandPalettes } = (await (await fetch(`${stack.url}/api/config`)).json()) as Community;
    const patterns = Array.from({ length: PATTERNS }, (_, at) =>
      patternUrl(at + 1, brandPalettes.both.covers),
    );
    const icons = ['/favicon.svg', '/icons/192.png', '/icons/maskable-512.png'];
    const square = `/media/share/${events.next.id}-${events.next.version}.jpg?shape=square`;
    const addresses = [...new Set([...named, ...patterns, ...icons, square])];
    expect(named.length).toBeGreaterThan(0);
    return Promise.all(
      addresses.map(async (at): Promise<[string, Buffer]> => {
        const answer = await fetch(stack.url + at);
        expect([at, answer.status]).toEqual([at, 200]);
        const picture = Buffer.from(await answer.arrayBuffer());
        expect([name, at, picture.length > 100]).toEqual([name, at, true]);
        return [at, picture];
      }),
    );
  }

  it('show only German text, without demo text, during a German setup', () => {
    expect(setup.texts.length).toBeGreaterThan(10);
    const strangers = strangersTo('de', knownIn('de'));
    // Until the owner names the community, screens show the product's name.
    expect(setup.words.filter((word) => word !== 'Meetmark')).toEqual([]);
    const said = setup.texts.flatMap((text) => [...strangers(text), ...foreignWordsIn(text, 'de')]);
    expect(said.filter((word) => word !== 'meetmark')).toEqual([]);
  });

  describe.each(COMMUNITIES)('with the brand colour $name, in $locale', (theirs) => {
    const { name, brandColour, secondColour = null, font = null, heroPattern = null, ink, locale } = theirs;

    beforeAll(() => setUp({ brandColour, secondColour, font, heroPattern, locale }));

    it.each(theirs.readers)('show the %s only their own colours and language', async (who) => {
      const saidWrong = wrongWordsIn(locale);
      const { wrong, note } = noted();

      async function look(page: Page, screen: Screen): Promise<void> {
        const width = page.viewportSize()!.width;
        const inScheme = async (scheme: 'light' | 'dark') => {
          const { colours, head, texts } = await page.evaluate(seen, true);
          expect([screen.at, Object.keys(colours).length > 5, texts.length > 3]).toEqual([
            screen.at,
            true,
            true,
          ]);
          for (const [colour, where] of Object.entries(colours))
            note(
              screen.name,
              ourColoursIn(colour).map((ours) => `${scheme}: ${ours} of ${where}`),
            );
          note(screen.name, saidWrongOn(screen, { head, texts }, locale, saidWrong));
          const taken = SCREENSHOTS && {
            path: `${SCREENSHOTS}/${name}-${screen.name}-${width}-${scheme}.png`,
          };
          if (SCREENSHOTS || (screen.at.length % 2 === 0) === (scheme === 'dark'))
            note(screen.name, await ourPixelsIn(await page.screenshot({ ...taken })));
        };
        if (screen.who !== 'plain')
          note(screen.name, await faultsInBothSchemes(page, inScheme, { coloured: true }));
        else
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await inScheme(colorScheme);
          }
        note(screen.name, ourWordsIn(await page.content()));
        if (screen.name === 'event') {
          const button = page.locator('main form button[type=submit]').first();
          const styles = await button.evaluate((it) => [
            ...[getComputedStyle(it).backgroundColor, getComputedStyle(it).color],
          ]);
          expect(styles).toEqual([brandColour, ink].map((hex) => `rgb(${toRgb(hex).join(', ')})`));
        }
        // The font that the community chose must replace the product's fonts.
        const fonts = await page.evaluate(() => ({
          family: getComputedStyle(document.body).fontFamily.split(',')[0]!.replaceAll(/["']/g, ''),
          files: performance
            .getEntriesByType('resource')
            .flatMap(({ name: at }) => /[^/]+\.woff2$/.exec(at) ?? []),
        }));
        const isChosen = ({ files }: typeof fonts) =>
          files.length > 0 && files.every((file) => file.startsWith(`${font}-latin`));
        const isOwn = ({ files }: typeof fonts) =>
          files.every((file) => /^(figtree|bricolage-grotesque)-/.test(file));
        if (
          font === null
            ? fonts.family !== 'Figtree Variable' || !isOwn(fonts)
            : fonts.family !== FONTS[font] || !isChosen(fonts)
        )
          note(screen.name, [fonts]);
        note(screen.name, await sideways(page));
      }

      await readBy(who, theirs, look, note);
      expect(wrong).toEqual({});
    });

    it('use their own colours and text in images and feeds', async () => {
      const { wrong, note } = noted();
      for (const [where, picture] of await fetchImages(name)) note(where, await ourPixelsIn(picture));
      // Feeds and other files for programs may contain the product's name, but no text of the demo community.
      for (const at of [
        '/robots.txt',
        '/sitemap.xml',
        '/feeds/events.rss',
        '/api/events/calendar.ics',
        '/api/config',
      ]) {
        const answer = await fetch(stack.url + at);
        expect([at, answer.status]).toEqual([at, 200]);
        note(
          at,
          ourWordsIn(await answer.text()).filter((word) => word !== 'Meetmark'),
        );
      }
      const manifest = await (await fetch(`${stack.url}/manifest.webmanifest`)).text();
      note('manifest', [...ourColoursIn(manifest), ...ourWordsIn(manifest)]);
      expect(wrong).toEqual({});
    });
  });
});

function noted() {
  const wrong: Record<string, unknown[]> = {};
  const note = (where: string, what: unknown[]) => {
    if (what.length > 0) wrong[where] = [...(wrong[where] ?? []), ...new Set(what)];
  };
  return { wrong, note };
}

/** Returns a function that finds words of another language or of the demo community. */
function wrongWordsIn(locale: ProductLocale): (text: string) => string[] {
  const strangers = strangersTo(locale, knownIn(locale));
  return (text) => [...new Set([...foreignWordsIn(text, locale), ...strangers(text), ...ourWordsIn(text)])];
}

function saidWrongOn(
  { name }: Screen,
  { head, texts }: Pick<ReturnType<typeof seen>, 'head' | 'texts'>,
  locale: ProductLocale,
  saidWrong: (text: string) => string[],
): string[] {
  // This screen may keep English terms.
  if (name === 'admin-system') return [];
  // In the body, `lang` marks the English parts. The title and description in the head can't have `lang`.
  const isInEnglish = name === 'help' && locale !== 'de';
  return (isInEnglish ? texts : [...head, ...texts]).flatMap((text) =>
    saidWrong(text).map((words) => `${words} in “${text.trim().slice(0, 120)}”`),
  );
}

async function sideways(page: Page): Promise<string[]> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return wider > 0 ? [`scrolls ${wider} px sideways`] : [];
}

function knownIn(locale: ProductLocale): string {
  const days = Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(2028, 0, 1 + day)));
  const calendar = (['long', 'short', 'narrow'] as const).flatMap((length) =>
    days.map((day) => day.toLocaleDateString(locale, { weekday: length, month: length })),
  );
  // Names of the two halves of a day, such as AM and PM.
  const hours = [0, 12].map((hour) => new Date(2028, 0, 1, hour).toLocaleTimeString(locale));
  const languages = 'American English, British English, Deutsch, français, español, Nederlands';
  const handbook = locale === 'de' ? filesBelow(path.join(ROOT, 'docs/handbook/de')) : [];
  return [
    ...new Set(calendar),
    ...hours,
    languages,
    ...[...handbook].map((file) => readFileSync(file, 'utf8')),
  ].join(' ');
}
