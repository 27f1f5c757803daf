import type { Browser } from 'playwright-core';
import { visitAsAdministrator } from '../support/administrator.js';
import { openBrowser } from '../support/browser.js';

describe('The administrator’s area', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

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
