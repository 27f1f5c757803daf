import type { Browser } from 'playwright-core';
import { visitAsAdministrator } from '../support/administrator.js';
import { openBrowser } from '../support/browser.js';

describe('The admin area', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('lets administrators open each screen and return to the site', async () => {
    const { page, context, errors } = await visitAsAdministrator(browser);
    await page.goto('/');
    await page.getByRole('link', { name: 'Admin Panel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Admin Dashboard' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Administration' });
    const shows = (heading: string) =>
      page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    for (const [link, heading] of [
      ['Users', 'User Management'],
      ['Events', 'Event Management'],
      ['Dashboard', 'Admin Dashboard'],
    ] as const) {
      await navigation.getByRole('link', { name: link, exact: true }).click();
      await shows(heading);
    }
    for (const name of ['Audit', 'System']) {
      await navigation.getByRole('button', { name: /^More/ }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await shows(name);
    }
    await page.getByRole('link', { name: 'User View' }).click();
    await page.getByRole('heading', { level: 1, name: 'Browse Events' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
