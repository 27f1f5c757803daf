import type { Browser, Page } from 'playwright-core';
import { visitAsAdministrator } from '../support/administrator.js';
import { openBrowser, PHONE } from '../support/browser.js';

const settled = async (page: Page, path: string) => {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
};

/** In the dialog, or on its way round through the browser's own controls: never on the page behind. */
const focusInDialog = (page: Page) =>
  page.evaluate<boolean>(
    `document.activeElement === document.body || document.activeElement.closest('[role=dialog]') !== null`,
  );

describe('The administrator’s area for everybody', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('shows each row as a card on a phone, with what the columns would have said', async () => {
    const { page, context } = await visitAsAdministrator(browser, { viewport: PHONE });
    await settled(page, '/admin/events');
    const card = await page.getByRole('row').nth(1).boundingBox();
    expect(card?.width).toBeLessThanOrEqual(PHONE.width);
    expect(card?.height).toBeGreaterThan(150);
    await context.close();
  });

  it('is worked by keyboard alone, and the focus comes back', async () => {
    const { page, context } = await visitAsAdministrator(browser);
    await settled(page, '/admin/users');
    const add = page.getByRole('button', { name: 'Add User' });
    await add.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await focusInDialog(page)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await add.and(page.locator(':focus')).waitFor();

    const destroy = page.getByRole('button', { name: /^Delete/ }).first();
    await destroy.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await focusInDialog(page)).toBe(true);
    }
    await page.keyboard.press('Escape');
    await destroy.and(page.locator(':focus')).waitFor();
    await context.close();
  });
});
