import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.js';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.js';
import { ScreenOpener } from './open-screen.js';
import { SCREENS } from './screens.js';

/** Git-ignored: what every screen looks like, to be looked at (`npm run screenshots`). */
const FOLDER = fileURLToPath(new URL('../../../screenshots/', import.meta.url));
const LOOKS = [
  { look: '1440-light', viewport: DESKTOP, colorScheme: 'light' },
  { look: '1440-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { look: '390-light', viewport: PHONE, colorScheme: 'light' },
  { look: '390-dark', viewport: PHONE, colorScheme: 'dark' },
] as const;

describe.each(LOOKS)('At $look', ({ look, viewport, colorScheme }) => {
  let browser: Browser;
  let opener: ScreenOpener;

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    browser = await openBrowser();
    opener = new ScreenOpener(browser);
  });
  afterAll(() => browser.close());

  it.each(SCREENS)('$name is accessible and does not scroll sideways', async (screen) => {
    // Our policy forbids scripts that are not files of ours; the checker is one.
    const { page, context, errors } = await opener.open(screen, { viewport, colorScheme, bypassCSP: true });
    await page.screenshot({ path: `${FOLDER}${screen.name}-${look}.png` });
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });
});
