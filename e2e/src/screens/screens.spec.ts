import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.js';
import { ScreenOpener } from './open-screen.js';
import { SCREENS } from './screens.js';

/** Git-ignored: what every screen looks like, to be looked at (`npm run screenshots`). */
const FOLDER = fileURLToPath(new URL('../../../screenshots/', import.meta.url));
describe.each([
  ['1440', DESKTOP],
  ['390', PHONE],
])('At %s, light and dark', (width, viewport) => {
  let browser: Browser;
  let opener: ScreenOpener;

  beforeAll(async () => {
    await mkdir(FOLDER, { recursive: true });
    browser = await openBrowser();
    // Our policy forbids scripts that are not files of ours; the checker is one.
    opener = new ScreenOpener(browser, { viewport, bypassCSP: true });
  });
  afterAll(() => browser.close());

  it.each(SCREENS)('$name is accessible and does not scroll sideways', async (screen) => {
    const { page, errors } = await opener.open(screen);
    const picture = (scheme: string) =>
      page.screenshot({ path: `${FOLDER}${screen.name}-${width}-${scheme}.png` });
    expect(await faultsInBothSchemes(page, picture)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
    expect(errors).toEqual([]);
  });
});
