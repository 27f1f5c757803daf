import chromiumPackage from '@sparticuz/chromium';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Chromium from an npm package: nothing has to be installed. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPackage.executablePath(),
    args: [
      // One process for everything is meant for tiny machines: the browser ends with the first context that is closed.
      ...chromiumPackage.args.filter((argument) => argument !== '--single-process'),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    headless: true,
  });
}

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
