import type { Browser, Page } from 'playwright-core';
import { visitAsAdministrator } from '../support/administrator.js';
import { openBrowser } from '../support/browser.js';

export function asAdministrator(begin: (page: Page) => unknown): void {
  let browser: Browser;
  let errors: string[];
  beforeAll(async () => {
    browser = await openBrowser();
    const visited = await visitAsAdministrator(browser);
    errors = visited.errors;
    await begin(visited.page);
  });
  afterEach(() => expect(errors).toEqual([]));
  afterAll(() => browser.close());
}
