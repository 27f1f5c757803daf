import type { Browser } from 'playwright-core';
import { visitAs } from '../support/administrator.js';
import { openBrowser, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

const SCREENS = ['/admin', '/admin/users', '/admin/events', '/admin/audit', '/admin/system'];

describe('The administrator’s area', () => {
  const { url, member } = sharedStack();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is an empty main area for a member, between header and footer, and asks for nothing', async () => {
    const { page, context } = await visitAs(browser, member);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/(admin|events$|events\?)/.test(request.url())) calls.push(request.url());
    });
    for (const path of SCREENS) {
      await page.goto(path);
      await page.getByRole('contentinfo').waitFor();
      await page.getByRole('banner').waitFor();
      await page.waitForLoadState('networkidle');
      // the screen's own script comes after the header; whatever it shows then stays
      await page.waitForFunction(() => document.querySelector('main')?.innerText.trim() === '');
    }
    expect(calls).toEqual([]);
    await context.close();
  });

  it('sends a visitor to the login, with a word about it', async () => {
    const { page, context } = await visit(browser, url);
    let letGo: () => void = () => undefined;
    const toldOfIt = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    // Half a second is not long on a busy machine: the login waits until the word has been on the page.
    await page.route('**/api/login*', async (route) => {
      await toldOfIt;
      await route.continue();
    });
    await page.addInitScript(`new MutationObserver(() => {
      const toast = document.querySelector('.ant-notification-notice');
      if (toast) console.info('toast: ' + toast.innerText);
    }).observe(document, { childList: true, subtree: true })`);
    const told = page.waitForEvent('console', (message) =>
      /toast: Unauthorized\s+You are logged out\. Logging in again\.\.\./.test(message.text()),
    );
    await page.goto('/admin/users');
    await told;
    letGo();
    await page.waitForURL(/signin=1/);
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/admin/users');
    await context.close();
  });

  it('is left and entered by the toggle of the header, and any other path in it shows the dashboard', async () => {
    const { page, context, errors } = await visitAs(browser, sharedStack().administrator);
    await page.goto('/');
    await page.getByRole('link', { name: 'Admin Panel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Admin Dashboard' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Administration' });
    for (const [link, heading] of [
      ['Users', 'User Management'],
      ['Events', 'Event Management'],
      ['Audit', 'Audit'],
      ['System', 'System'],
      ['Dashboard', 'Admin Dashboard'],
    ] as const) {
      await navigation.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    }
    await page.goto('/admin/nothing-of-this-name');
    await page.getByRole('heading', { level: 1, name: 'Admin Dashboard' }).waitFor();
    await page.getByRole('link', { name: 'User View' }).click();
    await page.getByRole('heading', { level: 1, name: 'Browse Events' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
