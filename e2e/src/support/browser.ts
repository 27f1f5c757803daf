import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export { openBrowser } from '@meetmark/bench/support/open-browser';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Messages of uncaught errors and of console.error. */
  errors: string[];
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
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  return { context, page, errors };
}
