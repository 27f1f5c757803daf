import type { Browser, Page } from 'playwright-core';
import { visitAs } from '../support/administrator.js';
import { connectBrowser, type Visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

/** Opens one page for all tests of a `describe` block, with the administrator's session. */
export function asAdministrator(begin: (page: Page) => unknown): void {
  let browser: Browser;
  let visited: Visit;
  beforeAll(async () => {
    browser = await connectBrowser();
    visited = await visitAs(browser, sharedStack().administrator);
    await begin(visited.page);
  });
  afterEach(() => expect(visited.errors).toEqual([]));
  afterAll(async () => {
    await visited.context.close();
    await browser.close();
  });
}
