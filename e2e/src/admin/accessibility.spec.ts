import type { Browser, Page } from 'playwright-core';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { visitAsAdministrator } from '../support/administrator.js';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.js';

const SCREENS = ['/admin', '/admin/users', '/admin/events', '/admin/audit', '/admin/system'];
const DIALOGS = [
  ['/admin/users', /^Add User/],
  ['/admin/users', /^Delete/],
  ['/admin/events', /^Create Event/],
  ['/admin/events', /^Attendees/],
] as const;
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

  describe.each([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ])('on %s, light and dark', (_, viewport) => {
    let page: Page;
    beforeAll(async () => {
      ({ page } = await visitAsAdministrator(browser, { viewport }));
    });
    afterAll(() => page.context().close());

    it.each(SCREENS)('has no fault at %s and does not scroll sideways', async (path) => {
      await settled(page, path);
      expect(await faultsInBothSchemes(page)).toEqual([]);
      expect(
        await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
      ).toBeLessThanOrEqual(0);
    });

    it.each(DIALOGS)('has no fault at %s behind %s', async (path, opener) => {
      await settled(page, path);
      await page.getByRole('button', { name: opener }).first().click();
      await page.getByRole('dialog').getByRole('button').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await faultsInBothSchemes(page)).toEqual([]);
    });
  });

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
