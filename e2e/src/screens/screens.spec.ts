import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.js';
import { ScreenOpener } from './open-screen.js';
import { type Screen, SCREENS } from './screens.js';

/** Where to keep what every screen looks like; `npm run screenshots` asks for it. */
const { SCREENSHOTS } = process.env;

/** The smallest phones, which stand at doors. */
const SMALL = { width: 320, height: 640 };

describe('At 1440 and 390, the door at 320 as well, light and dark', () => {
  let browser: Browser;
  let openers: [width: string, opener: ScreenOpener][];

  beforeAll(async () => {
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
    browser = await openBrowser();
    openers = [
      ['1440', new ScreenOpener(browser, { viewport: DESKTOP })],
      ['390', new ScreenOpener(browser, { viewport: PHONE })],
      ['320', new ScreenOpener(browser, { viewport: SMALL })],
    ];
  });
  afterAll(() => browser.close());

  /** What is wrong with a screen. */
  async function faultsOf(screen: Screen, width: string, opener: ScreenOpener): Promise<unknown[]> {
    const { page, errors } = await opener.open(screen);
    const picture = async (scheme: string) => {
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${screen.name}-${width}-${scheme}.png` });
    };
    const faults = await faultsInBothSchemes(page, picture);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    return [...faults, ...(sideways > 0 ? [`scrolls ${sideways} px sideways`] : []), ...errors];
  }

  // All at once: most of the time a screen waits for what it shows.
  it.each(SCREENS)('$name is accessible and does not scroll sideways', async (screen) => {
    const widths = openers.slice(0, screen.who === 'phone' ? 3 : 2);
    const faults = widths.map(async ([width, opener]) => [width, await faultsOf(screen, width, opener)]);
    expect(await Promise.all(faults)).toEqual(widths.map(([width]) => [width, []]));
  });
});
