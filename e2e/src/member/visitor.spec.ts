import type { Event } from '@meetmark/contracts';
import type { Browser, Page } from 'playwright-core';
import { administratorClient, toastSaying } from '../support/administrator.js';
import { createdEvent } from '../support/api-client.js';
import { askForEverything, openBrowser, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

/** What the banner asks for. */
const NEXT_EVENT = /\/api\/events\/public\?time=upcoming&limit=1$/;

async function answerNextEvent(page: Page, events: Event[]): Promise<void> {
  await askForEverything(page);
  await page.route(NEXT_EVENT, (route) => route.fulfill({ json: events }));
}

describe('A visitor', () => {
  const { url } = sharedStack();
  let browser: Browser;
  let event: Event;

  beforeAll(async () => {
    browser = await openBrowser();
    event = await createdEvent(await administratorClient(), { title: `Copy clinic ${Date.now()}` });
  });
  afterAll(() => browser.close());

  it('meets the community, the way in and its events', async () => {
    const { page, context, errors } = await visit(browser, url);
    await page.goto('/');
    await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
    await page.getByRole('heading', { name: 'Browse Events' }).waitFor();
    await page.getByText(/^\d+ events? found$/).waitFor();
    await page.getByRole('heading', { name: 'Our Sponsors' }).waitFor();
    expect(await page.getByRole('contentinfo').getByRole('img').count()).toBe(4);
    expect(await page.getByRole('contentinfo').innerText()).toContain('2024');
    expect(errors).toEqual([]);
    await context.close();
  });

  it('reads an event’s details by its link, without the names of who is coming', async () => {
    const { page, context } = await visit(browser, url);
    await page.goto(`/?event=${event.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: event.title }).waitFor();
    for (const text of [
      'Open for Registration',
      'Free Event',
      'Attendees (0)',
      'Sign in to see who is coming',
    ])
      await dialog.getByText(text).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });

  it('finds nothing for words that no event has', async () => {
    const { page, context } = await visit(browser, url);
    await page.goto('/');
    await page.getByRole('searchbox').fill('no event has these words');
    await page.getByText('No events found').waitFor();
    await page.getByText('0 events found').waitFor();
    await context.close();
  });

  it('refreshes the list, and reads whether that worked', async () => {
    const { page, context } = await visit(browser, url);
    await page.goto('/');
    await page.getByRole('article').first().waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await toastSaying(page, 'Event data has been updated');
    await page.route('**/api/events/public?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Refresh' }).click();
    await toastSaying(page, 'Failed to update event data. Please try again.');
    await context.close();
  });

  it('sees the landing screen where members see their own, and is led from the dashboard to the login', async () => {
    const { page, context } = await visit(browser, url);
    for (const path of ['/my-events', '/profile']) {
      await page.goto(path);
      await page.getByRole('tab', { name: 'Sign In' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    }
    // A busy machine may look when the half second is over: the page itself remembers the toast.
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const toast = document.querySelector('.ant-notification-notice');
        if (toast) sessionStorage.setItem('toast', toast.textContent ?? '');
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto('/dashboard');
    await page.waitForURL(/signin=1/);
    expect(await page.evaluate(() => sessionStorage.getItem('toast'))).toBe(
      'UnauthorizedYou are logged out. Logging in again...',
    );
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/dashboard');
    await context.close();
  });

  it('reads on an unknown address that there is nothing', async () => {
    const { page, context } = await visit(browser, url);
    await page.goto('/no-such-page');
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor();
    await page.getByText('Did you forget to add the page to the router?').waitFor();
    await context.close();
  });
});

describe('The upcoming-event banner', () => {
  const { url } = sharedStack();
  let browser: Browser;
  let event: Event;

  beforeAll(async () => {
    browser = await openBrowser();
    event = await createdEvent(await administratorClient(), {});
  });
  afterAll(() => browser.close());

  const next = (changes: Partial<Event>): Event => ({
    ...event,
    title: 'SEO Breakfast',
    startDate: '2098-12-05T09:00:00.000Z',
    endDate: '2098-12-05T11:00:00.000Z',
    ...changes,
  });

  it.each([
    [
      'with location and price',
      { location: 'Leeds', price: '12.50' },
      'Next Event: SEO Breakfast • Fri, Dec 5, 09:00 AM • Leeds • £12.50 • Register Now!',
    ],
    [
      'without either',
      { location: null, price: null },
      'Next Event: SEO Breakfast • Fri, Dec 5, 09:00 AM • Free • Register Now!',
    ],
  ])('tells the next event %s', async (_, changes, text) => {
    const { page, context } = await visit(browser, url);
    await answerNextEvent(page, [next(changes)]);
    await page.goto('/');
    await page.getByText(text, { exact: true }).waitFor();
    await context.close();
  });

  it('is not there when nothing is to come', async () => {
    const { page, context } = await visit(browser, url);
    await answerNextEvent(page, []);
    await page.goto('/');
    await page.getByText(/events? found/).waitFor();
    expect(await page.getByText('Next Event:').count()).toBe(0);
    await context.close();
  });
});
