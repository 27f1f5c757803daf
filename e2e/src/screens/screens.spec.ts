import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.js';
import { ScreenOpener } from './open-screen.js';
import { type Screen, SCREENS } from './screens.js';

/** Where to keep what every screen looks like; `npm run screenshots` asks for it. */
const { SCREENSHOTS } = process.env;

const IN_PSEUDO_LOCALE = ['landing', 'event-page', 'dashboard', 'my-events', 'profile', 'workspace-guests'];

/** A language that nobody speaks: each word is two fifths longer, has accents, and the page runs from right to left. Runs in the page. */
function speakPseudo(): void {
  const accents: Record<string, string> = { a: 'åá', e: 'éê', i: 'ïî', o: 'öô', u: 'ûü' };
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node !== null; node = words.nextNode())
    if (!node.parentElement?.closest('script, style'))
      node.nodeValue = (node.nodeValue ?? '').replace(/[aeiou]/g, (vowel) => accents[vowel]!);
  document.documentElement.dir = 'rtl';
}

/** What such words do not fit into. Runs in the page. */
function layoutFaults(): string[] {
  const sideways = document.documentElement.scrollWidth - window.innerWidth;
  const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
    const { overflowX, textOverflow, visibility } = getComputedStyle(element);
    const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
    const isShown = element.clientWidth > 1 && visibility === 'visible';
    const isCut =
      overflowX !== 'visible' && overflowX !== 'auto' && element.scrollWidth > element.clientWidth + 1;
    return hasWords && isShown && isCut && textOverflow !== 'ellipsis';
  });
  return [
    ...(sideways > 0 ? [`scrolls ${sideways} px sideways`] : []),
    ...cut.map((element) => `cuts off: ${element.textContent}`),
  ];
}

describe('At 1440 and 390, light and dark', () => {
  let browser: Browser;
  let openers: [width: string, opener: ScreenOpener][];

  beforeAll(async () => {
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
    browser = await openBrowser();
    openers = [
      ['1440', new ScreenOpener(browser, { viewport: DESKTOP })],
      ['390', new ScreenOpener(browser, { viewport: PHONE })],
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

  // Both at once: most of the time a screen waits for what it shows.
  it.each(SCREENS)('$name is accessible and does not scroll sideways', async (screen) => {
    const faults = openers.map(async ([width, opener]) => [width, await faultsOf(screen, width, opener)]);
    expect(await Promise.all(faults)).toEqual(openers.map(([width]) => [width, []]));
  });

  it.each(SCREENS.filter(({ name }) => IN_PSEUDO_LOCALE.includes(name)))(
    '$name holds longer words, written from right to left, on a phone',
    async (screen) => {
      const { page } = await openers[1]![1].open(screen);
      await page.evaluate(speakPseudo);
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${screen.name}-390-pseudo.png`, fullPage: true });
      expect(await page.evaluate(layoutFaults)).toEqual([]);
    },
  );
});
