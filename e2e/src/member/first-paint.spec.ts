import { readdirSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { until } from '@meetmark/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { hold } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { submitPassword } from '../support/second-factor.js';
import { sharedStack } from '../support/shared-stack.js';

function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(pathname + search);
  });
  return calls;
}

/**
 * Fetches the page until it embeds the API's responses. The gateway omits them if they take more than half a
 * second.
 */
async function untilItCarries(page: Page): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === '/' || /^\/events(\/|$)/.test(pathname),
    async (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      const eventId = searchParams.get('event') ?? /^\/events\/(.+)/.exec(pathname)?.[1] ?? null;
      const answer = eventId === null ? '"/api/events/public?' : `"/api/events/${eventId}"`;
      let response = await route.fetch();
      while (!(await response.text()).includes(answer)) response = await route.fetch();
      await route.fulfill({ response });
    },
  );
}

const HOUR = 3_600_000;

describe('A page', () => {
  const { url } = sharedStack();
  const { visit } = browserForTests();
  let event: Event;

  beforeAll(async () => {
    event = await createdEvent(await administratorClient(), {
      title: `First <b>sight</b> ${Date.now()}`,
      description: 'What **one** sees first',
      descriptionFormat: 'markdown',
      location: 'Platform, Leeds',
      price: '7',
      startsIn: HOUR,
    });
  });

  it('gets component styles from its stylesheet, not from scripts', async () => {
    const { page } = await visit();
    for (const path of ['/', eventPath(event), '/login']) {
      await page.goto(path);
      await page.getByRole('button').first().waitFor();
      await page.waitForLoadState('networkidle');
      // antd may add only the variables for the community's colours.
      const made = await page.evaluate(() =>
        Array.from(document.querySelectorAll('style[data-css-hash]'), ({ textContent }) => textContent ?? ''),
      );
      expect(made.filter((styles) => !styles.startsWith('.css-var-'))).toEqual([]);
      expect(made.length).toBeGreaterThan(0);
      expect(
        await page
          .getByRole('button')
          .filter({ visible: true })
          .first()
          .evaluate((button) => getComputedStyle(button).cursor),
      ).toBe('pointer');
    }
  });

  it('marks its three large scripts for eager compilation, in each language', async () => {
    for (const [locale, path] of [
      ['en', '/'],
      ['de', eventPath(event)],
    ]) {
      const html = await (await fetch(url + path, { headers: { cookie: `locale=${locale}` } })).text();
      const files = [...new Set(html.match(/\/assets\/[^"]+\.js/g))];
      const large = files.filter((file) => !/rolldown-runtime|-screen-/.test(file));
      for (const file of large)
        expect((await (await fetch(url + file)).text()).split('\n', 1)).toEqual([
          '//# allFunctionsCalledOnLoad',
        ]);
      expect([files.length, large.length]).toEqual([5, 3]);
    }
  });

  it('shows the content of its screen without scripts or loading states', async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    await untilItCarries(page);
    const seen = async (path: string) => {
      await page.goto(path);
      expect(await page.getByRole('status').count()).toBe(0);
      return page.getByRole('main').innerText();
    };
    for (const path of [`/events/${event.id}`, `/?event=${event.id}`]) {
      const words = await seen(path);
      expect(words).toMatch(/When\n.*\d{4}(, | at )\d+:\d\d.* (GMT|BST)\n/);
      for (const text of [
        'Where\nPlatform, Leeds',
        'Price\n£7',
        'What one sees first',
        'Questions? Write to',
      ])
        expect(words).toContain(text);
      expect(await page.locator('strong', { hasText: /^one$/ }).count()).toBe(1);
      expect(await page.locator('a[href^="mailto:"]').count()).toBe(1);
    }
    for (const path of ['/', '/events']) {
      await seen(path);
      await page.getByRole('main').getByRole('link', { name: event.title, exact: true }).click();
      expect(new URL(page.url()).pathname).toBe(eventPath(event));
    }
  });

  it('requests stylesheets and fonts before scripts', async () => {
    const { page, context } = await visit();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    const asked: { path: string; priority: string }[] = [];
    devtools.on('Network.requestWillBeSent', ({ request, type }) => {
      if (type !== 'Document')
        asked.push({ path: new URL(request.url).pathname, priority: request.initialPriority });
    });
    const priorities = (path: RegExp) =>
      new Set(asked.filter((one) => path.test(one.path)).map(({ priority }) => priority));
    await page.goto('/');
    await page.getByText(/^\d+ events found$/).waitFor();
    const first = (path: RegExp) => asked.findIndex((one) => path.test(one.path));
    const scripts = first(/^\/assets\/.*\.js$/);
    expect(scripts).toBeGreaterThan(0);
    for (const seen of [/\.css$/, /\.woff2$/]) {
      expect([String(seen), first(seen) >= 0]).toEqual([String(seen), true]);
      expect(first(seen)).toBeLessThan(scripts);
    }
    expect(priorities(/\.css$/)).toEqual(new Set(['VeryHigh']));
    expect(priorities(/\.woff2$/)).toEqual(new Set(['High']));
  });

  it.each([
    ['once it has failed', 0, 1_000],
    ['1.5 s after the page when it does not come', 1_480, 1_700],
  ])('requests scripts after its cover image, %s', async (how, earliest, latest) => {
    const cover = sharp({ create: { width: 640, height: 320, channels: 3, background: '#777777' } }).png();
    const covered = await createdEvent(await administratorClient(), {
      title: `Covered ${Date.now()}`,
      bannerImageUrl: `data:image/png;base64,${(await cover.toBuffer()).toString('base64')}`,
    });
    const { page } = await visit();
    let asked = false;
    page.on('request', (request) => {
      asked ||= /^\/assets\/.*\.js$/.test(new URL(request.url()).pathname);
    });
    let fail = () => {};
    const failed = new Promise<void>((resolve) => (fail = resolve));
    await page.route(/\/media\/banners\//, (route) => failed.then(() => route.abort()));
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + HOUR);
    await page.goto(eventPath(covered), { waitUntil: 'commit' });
    await page.locator('#root img[fetchpriority]').waitFor({ state: 'attached' });
    await until('the style', 60_000, () => page.evaluate(() => document.readyState !== 'loading'));
    if (earliest === 0) fail();
    let passed = 0;
    for (; !asked && passed < latest; passed += 20) {
      await page.clock.runFor(20);
      await pause(20);
    }
    expect([how, asked, passed >= earliest]).toEqual([how, true, true]);
    fail();
  });

  it('switches to a late web font without changing the headline’s height', async () => {
    const { page, context } = await visit();
    const devtools = await context.newCDPSession(page);
    await devtools.send('DOM.enable');
    await devtools.send('CSS.enable');
    const { release } = await hold(page, /bricolage-grotesque-latin-wght-.*\.woff2$/);
    await page.goto('/', { waitUntil: 'commit' });
    const headline = page.getByRole('heading', { level: 1 });
    await page.getByText(/^\d+ events found$/).waitFor();
    const before = await headline.boundingBox();
    release();
    await page.evaluate(() => document.fonts.ready);
    const { root } = await devtools.send('DOM.getDocument');
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
    expect(fonts.map(({ familyName }) => familyName)).toEqual([expect.stringContaining('Bricolage')]);
    expect((await headline.boundingBox())?.height).toBe(before?.height);
  });

  it('creates its first formatter in a web worker', async () => {
    const { page } = await visit();
    const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto('/')]);
    expect(worker.url()).toMatch(/\/assets\/first-formatter\.worker-[^/]+\.js$/);
    await worker.waitForEvent('close');
  });

  it('has compressed copies of large files, except files that only the gateway reads', () => {
    const folder = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const [own, served] = [true, false].map((isOwn) =>
      files.filter((file) => file.startsWith('.vite/') === isOwn),
    ) as [string[], string[]];
    expect(own).toContain('.vite/manifest.json');
    expect(own.filter((file) => /\.(br|gz)$/.test(file))).toEqual([]);
    const long = served.filter(
      (file) => /\.(js|css|json|svg)$/.test(file) && statSync(folder + file).size >= 1_024,
    );
    expect(long.length).toBeGreaterThan(100);
    const compressed = long.flatMap((file) => [`${file}.br`, `${file}.gz`]);
    expect(compressed.filter((file) => !served.includes(file))).toEqual([]);
  });

  it('shows a visitor and crawlers its first screen without further API calls', async () => {
    const { page } = await visit();
    const calls = recordCalls(page);
    await untilItCarries(page);
    const agenda = page.getByRole('main').getByRole('article').first();
    for (const [path, shown] of [
      ['/', page.getByText(/^\d+ events found$/)],
      // A day shows three events at most, which may be those of other stories.
      ['/events', page.locator('main table[aria-busy="false"]')],
      ['/events?view=agenda', agenda],
      [`/events/${event.id}`, page.getByRole('button', { name: 'Login to Register' })],
      [`/?event=${event.id}`, page.getByRole('dialog').getByRole('heading', { name: event.title })],
    ] as const) {
      await page.goto(path);
      await shown.waitFor();
      await page.waitForLoadState('networkidle');
      expect([path, calls]).toEqual([path, []]);
    }
    await page.goto('/');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Event data has been updated').waitFor();
    expect(calls).toEqual(['/api/events/public?time=upcoming&limit=12']);
  });

  it('keeps the user signed in when the Back button restores the page', async () => {
    const { person } = await signedUp(url);
    const { page } = await visit();
    await page.goto('/');
    await submitPassword(page, person);
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    await page.goto('/robots.txt');
    await page.goBack();
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
  });
});
