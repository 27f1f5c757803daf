import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.js';
import { ScreenOpener } from './open-screen.js';
import { SCREENS } from './screens.js';

/** Where to keep what every screen looks like; `npm run screenshots` asks for it. */
const { SCREENSHOTS } = process.env;

describe.each([
  ['1440', DESKTOP],
  ['390', PHONE],
])('At %s, light and dark', (width, viewport) => {
  let browser: Browser;
  let opener: ScreenOpener;

  beforeAll(async () => {
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
    browser = await openBrowser();
    opener = new ScreenOpener(browser, { viewport });
  });
  afterAll(() => browser.close());

  it.each(SCREENS)('$name is accessible and does not scroll sideways', async (screen) => {
    const { page, errors } = await opener.open(screen);
    const picture = async (scheme: string) => {
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${screen.name}-${width}-${scheme}.png` });
    };
    expect(await faultsInBothSchemes(page, picture)).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways).toBeLessThanOrEqual(0);
    expect(errors).toEqual([]);
  });
});
