import type { BrowserContext, Page, Route } from 'playwright-core';
import { newcomer, signedUp } from '../support/api-client.js';
import { hold } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { sharedStack } from '../support/shared-stack.js';

const CRASHED = 'Something went wrong on this page';
const NOT_LOADED = 'This couldn’t be loaded';
const OFFLINE = /^You’re offline\./;

describe('The web app on a bad connection', () => {
  const { visitAs } = browserForTests({ expected: /^PartUnavailable:/ });
  const member = newcomer();
  let context: BrowserContext;
  let page: Page;

  beforeAll(() => signedUp(sharedStack().url, member));
  beforeEach(async () => {
    ({ context, page } = await visitAs(member));
    await page.addInitScript(() => sessionStorage.setItem('profile-picture-prompt', 'shown'));
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const menu = () => page.getByRole('button', { name: /^Account menu/ });
  const myEvents = () =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Events' }).click();
  const abort = (route: Route) => route.abort();

  it('works without the account menu, and loads it on retry', async () => {
    await page.route(/user-menu-.*\.js$/, abort);
    await page.goto('/');
    await heading('Browse Events').waitFor();
    const again = page.getByRole('button', { name: /^The account menu couldn’t be loaded/ });
    await again.waitFor();
    expect(await page.getByText(CRASHED).count()).toBe(0);
    await page.unroute(/user-menu-.*\.js$/);
    await again.click();
    await menu().waitFor();
  });

  it('shows an offline notice, and loads the failed screen when back online', async () => {
    await page.goto('/');
    await menu().waitFor();
    expect(await page.getByText(OFFLINE).count()).toBe(0);
    await context.setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await myEvents();
    await page.getByText(NOT_LOADED).waitFor();
    await page.getByText('Check your connection and try again.').waitFor();
    await context.setOffline(false);
    await heading('My Events').waitFor();
    await page.getByText(OFFLINE).waitFor({ state: 'detached' });
    expect(await page.getByText(NOT_LOADED).count()).toBe(0);
  });

  it('announces results even if the toast script fails to load', async () => {
    await page.route(/toast-outlet-.*\.js$/, abort);
    await page.goto('/');
    await page.getByRole('article').first().waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('status').filter({ hasText: 'Event data has been updated' }).waitFor();
  });

  it('reloads only once when a deployment has removed a screen’s file', async () => {
    await page.goto('/');
    await menu().waitFor();
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'document') loads.push(new URL(request.url()).pathname);
    });
    await page.route(/my-events-screen-.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }));
    // Simulates the next release, whose page loads another entry script.
    await page.route(
      (address) => address.pathname === '/',
      (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<script type="module" src="/assets/index-next.js"></script>',
        }),
    );
    await myEvents();
    await page.getByText(NOT_LOADED).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForResponse((response) => response.url().includes('my-events-screen'));
    expect(loads).toEqual(['/my-events']);
    await page.unroute(/my-events-screen-.*\.js$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading('My Events').waitFor();
  });

  it('keeps the current screen until the next one has loaded', async () => {
    await page.goto('/');
    await heading('Browse Events').waitFor();
    const held = await hold(page, /my-events-screen-.*\.js$/);
    await myEvents();
    await held.asked;
    await page.getByRole('status').filter({ hasText: 'Loading…' }).waitFor();
    await heading('Browse Events').waitFor();
    held.release();
    await heading('My Events').waitFor();
    expect(await page.getByText('Loading…').count()).toBe(0);
  });

  it('keeps the initially painted header until the screen has loaded', async () => {
    // Checks in every frame whether the header disappears.
    await page.addInitScript(() => {
      const seen = { gaps: 0, header: false };
      Object.assign(window, { seen });
      const look = () => {
        const header = document.querySelector('header')?.checkVisibility() ?? false;
        if (seen.header && !header) seen.gaps += 1;
        seen.header ||= header;
        requestAnimationFrame(look);
      };
      look();
    });
    const user = await hold(page, /\/api\/user$/);
    const screen = await hold(page, /browse-screen-.*\.js$/);
    await page.goto('/', { waitUntil: 'commit' });
    await Promise.all([user.asked, screen.asked]);
    await page.locator('header').waitFor();
    user.release();
    await page.waitForResponse(/\/api\/user$/);
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 500))),
    );
    screen.release();
    await heading('Browse Events').waitFor();
    expect(await page.evaluate(() => (window as unknown as { seen: object }).seen)).toEqual({
      gaps: 0,
      header: true,
    });
  });
});
