import { openBrowser } from '@meetmark/testing/browser/open-browser';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Page,
  type ViewportSize,
} from 'playwright-core';
import { sharedBrowser } from './shared-stack.js';

const WITHOUT_OPTIMISING = '--js-flags=--no-maglev --no-opt';

/** Starts the shared browser. */
export const launchBrowser = (more: string[]): Promise<Browser> => openBrowser([WITHOUT_OPTIMISING, ...more]);

/** Connects to the browser that all stories share. To close the connection leaves that browser open. */
export const connectBrowser = (): Promise<Browser> => chromium.connect(sharedBrowser().url);

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface Visit {
  context: BrowserContext;
  page: Page;
  errors: string[];
}

/** Default timeout in milliseconds, long enough for the slowest machine. */
const SLOW_MACHINE_MS = 90_000;

const REFUSED_LOAD = /^Failed to load resource/;

/** Makes scroll methods return a promise, as in Chrome 150. The packaged Chromium is older. */
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
  context.setDefaultTimeout(SLOW_MACHINE_MS);
  await context.addInitScript(promiseFromScrolling);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED_LOAD.test(message.text())) errors.push(message.text());
  });
  return { context, page, errors };
}

export async function resize(page: Page, size: ViewportSize): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** Holds matching requests back until `release` is called. `asked` resolves with the first such request. */
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

/** Returns the bytes of a download. The shared browser, which isn't ours, has no path for it. */
export async function readDownload(download: Download): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Waits until a control has the focus. After a reload or the removal of a control, no control has it. */
export const keyboardHasPlace = (page: Page) =>
  page.waitForFunction('document.activeElement !== null && document.activeElement !== document.body');
