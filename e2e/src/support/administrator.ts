import type { User } from '@meetmark/contracts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ApiClient } from './api-client.js';
import { type Visit, visit } from './browser.js';
import { type Account, sharedStack } from './shared-stack.js';

export async function administratorClient(): Promise<ApiClient> {
  const { url, administrator } = sharedStack();
  const client = new ApiClient(url);
  await client.signIn(administrator);
  return client;
}

export async function visitAs(
  browser: Browser,
  account: Account,
  options: BrowserContextOptions = {},
): Promise<Visit & { user: User }> {
  const visited = await visit(browser, sharedStack().url, options);
  const answer = await visited.context.request.post('/api/login', {
    data: { email: account.email, password: account.password },
  });
  if (!answer.ok()) throw new Error(`sign-in answers ${answer.status()} ${await answer.text()}`);
  return { ...visited, user: (await answer.json()) as User };
}

export const visitAsAdministrator = (browser: Browser, options: BrowserContextOptions = {}) =>
  visitAs(browser, sharedStack().administrator, options);

export const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

export const toastSaying = (page: Page, text: string) =>
  page.locator('.ant-notification-notice').filter({ hasText: text }).waitFor();
