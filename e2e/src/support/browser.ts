import { openBrowser as open } from '@meetmark/testing/browser/open-browser';
import type { Browser, BrowserContext, BrowserContextOptions, Page, ViewportSize } from 'playwright-core';

/** A page of a story lives for seconds: the time to optimise its script never comes back. What is measured has a browser with it. */
const WITHOUT_OPTIMISING = '--js-flags=--no-maglev --no-opt';

/** @param more arguments of its command line */
export const openBrowser = (more: string[] = []): Promise<Browser> => open([WITHOUT_OPTIMISING, ...more]);

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Messages of uncaught errors and of console.error. */
  errors: string[];
}

/** What Chromium itself writes when a call is refused: stories provoke that. */
const REFUSED_LOAD = /^Failed to load resource/;

/** Chrome from 150 on returns a promise from every method that scrolls. The packaged Chromium is older: the stories give it that, too. */
function promiseFromScrolling(): void {
  for (const owner of [window, Element.prototype] as object[]) {
    for (const name of ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView', 'scrollIntoViewIfNeeded']) {
      const scroll: unknown = Reflect.get(owner, name);
      if (typeof scroll !== 'function') continue;
      const value = function (this: unknown, ...parameters: unknown[]) {
        return Promise.resolve(scroll.apply(this, parameters));
      };
      Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    }
  }
}

/** A fresh visitor: no cookie, nothing stored. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: DESKTOP,
    locale: 'en-US',
    timezoneId: 'Europe/London',
    reducedMotion: 'reduce',
    ...options,
  });
  await context.addInitScript(promiseFromScrolling);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED_LOAD.test(message.text())) errors.push(message.text());
  });
  return { context, page, errors };
}

/** Resolves once what the page shows at the size is drawn. */
export async function resize(page: Page, size: ViewportSize): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** Holds requests like this back until `release`; `asked` resolves with the first. */
export async function hold(
  page: Page,
  path: string | RegExp,
): Promise<{ release: () => void; asked: Promise<void> }> {
  let release = () => undefined as void;
  let ask = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked = new Promise<void>((resolve) => (ask = resolve));
  await page.route(path, async (route) => {
    ask();
    await released;
    await route.continue();
  });
  return { release, asked };
}

/** Waits until the keyboard has a place on the page: a reload or a vanished control leaves it on the document itself. */
export const keyboardHasPlace = (page: Page) =>
  page.waitForFunction('document.activeElement !== null && document.activeElement !== document.body');
