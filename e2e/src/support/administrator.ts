import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ApiClient, signedIn } from './api-client.js';
import { type Visit, visit } from './browser.js';
import { type Account, sharedStack } from './shared-stack.js';

export const administratorClient = (): Promise<ApiClient> => signedIn(sharedStack().administrator);

/** Opens a page with the session of the account's client. With `newSession`, signs in again. */
export async function visitAs(
  browser: Browser,
  account: Account,
  { newSession = false, ...options }: BrowserContextOptions & { newSession?: boolean } = {},
): Promise<Visit> {
  const { url, cookies } = await (newSession ? signInAgain(account) : signedIn(account));
  const visited = await visit(browser, url, options);
  await visited.context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true, sameSite: 'Lax' })),
  );
  return visited;
}

async function signInAgain(account: Account): Promise<ApiClient> {
  const client = new ApiClient(sharedStack().url);
  await client.signIn(account);
  return client;
}

export const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

export const toastSaying = (page: Page, text: string) =>
  page.locator('.ant-notification-notice').filter({ hasText: text }).waitFor();
