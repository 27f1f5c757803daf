import type { Event } from '@meetmark/contracts';
import type { Browser } from 'playwright-core';
import { administratorClient } from '../support/administrator.js';
import { createdEvent } from '../support/api-client.js';
import { openBrowser, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

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
