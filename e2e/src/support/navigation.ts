import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

const NOWHERE = '/no-such-page';

/**
 * Runs in the page. Opens `address` like the Back button and returns whether the 404 screen is shown, in any
 * language.
 */
function isElsewhere(address: string): boolean {
  if (location.pathname !== address) history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
  return document.querySelector('h1')?.textContent?.startsWith('404') === true;
}

/**
 * Opens a missing page without reloading, which resets the application's state. Retries until the 404 screen
 * appears, because the application may not listen to navigation yet.
 */
export const leaveScreen = (page: Page) => page.waitForFunction(isElsewhere, NOWHERE, { polling: 100 });

/** Opens a path without reloading. */
export async function moveTo(page: Page, path: string): Promise<void> {
  await leaveScreen(page);
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
    scrollTo(0, 0);
  }, path);
}

/** Milliseconds without a request after which a page counts as loaded. */
const QUIET_MS = 300;

/** Knows a page's open requests. Playwright's `networkidle` is about the requests of a page load only. */
export class Traffic {
  private readonly open = new Set<Request>();
  private lastAt = 0;

  constructor(page: Page) {
    page.on('request', (request) => this.note(() => this.open.add(request)));
    const end = (request: Request) => this.note(() => this.open.delete(request));
    page.on('requestfinished', end);
    page.on('requestfailed', end);
  }

  /** Waits until the page has sent its requests and received their responses. */
  async settle(): Promise<void> {
    this.lastAt = performance.now();
    while (this.open.size > 0 || performance.now() - this.lastAt < QUIET_MS) await pause(QUIET_MS / 6);
  }

  /** Forgets the open requests, which a page load is about to cancel. */
  forget(): void {
    this.open.clear();
  }

  private note(change: () => unknown): void {
    change();
    this.lastAt = performance.now();
  }
}

/** Opens a path and waits for its responses. Loads only the first page; the next ones open without reloading. */
export async function openPath(page: Page, path: string): Promise<void> {
  const traffic = new Traffic(page);
  await (page.url() === 'about:blank' ? page.goto(path) : moveTo(page, path));
  await traffic.settle();
}
