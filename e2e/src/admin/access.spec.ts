import type { Browser } from 'playwright-core';
import { visitAsAdministrator } from '../support/administrator.js';
import { hold, openBrowser, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

describe('The administrator’s area', () => {
  const { url } = sharedStack();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('sends a visitor to the login, with a word about it', async () => {
    const { page, context } = await visit(browser, url);
    // Half a second is not long on a busy machine: the login waits until the word has been on the page.
    const login = await hold(page, '**/api/login*');
    await page.addInitScript(`new MutationObserver(() => {
      const toast = document.querySelector('.ant-notification-notice');
      if (toast) console.info('toast: ' + toast.innerText);
    }).observe(document, { childList: true, subtree: true })`);
    const told = page.waitForEvent('console', (message) =>
      /toast: Unauthorized\s+You are logged out\. Logging in again\.\.\./.test(message.text()),
    );
    await page.goto('/admin/users');
    await told;
    login.release();
    await page.waitForURL(/signin=1/);
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/admin/users');
    await context.close();
  });

  it('is left and entered by the toggle of the header', async () => {
    const { page, context, errors } = await visitAsAdministrator(browser);
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
    await page.getByRole('link', { name: 'User View' }).click();
    await page.getByRole('heading', { level: 1, name: 'Browse Events' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
