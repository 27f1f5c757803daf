import type { Browser, BrowserContextOptions } from 'playwright-core';
import { visitAs } from './administrator.js';
import { connectBrowser, type Visit, visit } from './browser.js';
import { type Account, sharedStack } from './shared-stack.js';

/**
 * Returns functions that open pages in the shared browser. After each test, closes the pages that it opened and
 * expects no errors in them, except those that `expected` matches.
 */
export function browserForTests({ expected = /^$/ }: { expected?: RegExp } = {}) {
  const { url, administrator } = sharedStack();
  let browser: Browser;
  let visits: Visit[] = [];

  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterEach(async () => {
    const ended = visits;
    visits = [];
    await Promise.all(ended.map(({ context }) => context.close()));
    expect(ended.flatMap(({ errors }) => errors).filter((error) => !expected.test(error))).toEqual([]);
  });
  afterAll(() => browser.close());

  const keep = async (opening: Promise<Visit>): Promise<Visit> => {
    const visited = await opening;
    visits.push(visited);
    return visited;
  };
  return {
    visit: (options?: BrowserContextOptions) => keep(visit(browser, url, options)),
    visitAs: (account: Account, options?: BrowserContextOptions) => keep(visitAs(browser, account, options)),
    visitAsAdministrator: (options?: BrowserContextOptions) => keep(visitAs(browser, administrator, options)),
  };
}
