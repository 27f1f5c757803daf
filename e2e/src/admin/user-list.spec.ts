import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { answerTo, toastSaying } from '../support/administrator.js';
import { newcomer, signedUp } from '../support/api-client.js';
import { query } from '../support/database.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { UsersView } from './users-view.js';

describe('The list of users', () => {
  const { url, databaseUrl } = sharedStack();
  let page: Page;
  let view: UsersView;
  asAdministrator((opened) => {
    page = opened;
    view = new UsersView(page);
  });

  it('pages on the server', async () => {
    await view.open();
    const list = { method: 'GET', path: '/api/admin/users' };
    await page.getByText(/^1–20 of \d+$/).waitFor();
    const firstNames = await page.getByRole('cell').locator('p').allInnerTexts();
    const paged = await answerTo(page, list, () => page.getByRole('button', { name: 'Next' }).click());
    expect(new URL(paged.url()).searchParams.has('cursor')).toBe(true);
    await page.getByText(/^21–40 of \d+$/).waitFor();
    await page.locator('table[aria-busy=false]').waitFor();
    expect(await page.getByRole('cell').locator('p').allInnerTexts()).not.toEqual(firstNames);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText(/^1–20 of \d+$/).waitFor();
  });

  it('searches, filters and sorts on the server, and keeps that in the address', async () => {
    await view.open();
    const role = page.getByRole('radiogroup', { name: 'Role' });
    await role.getByRole('radio', { name: 'Admins' }).click();
    await page.waitForURL(/role=admin/);
    await role.getByRole('radio', { name: 'All' }).click();
    await page.getByRole('combobox', { name: 'Sort by' }).click();
    const sorted = await answerTo(page, { method: 'GET', path: '/api/admin/users' }, () =>
      page.getByTitle('Email A to Z').last().click(),
    );
    expect(new URL(sorted.url()).searchParams.get('sort')).toBe('email');
    await page.getByRole('searchbox').fill('nobody is called this');
    await page.getByText('No users found.').waitFor();
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('nobody is called this');
  });

  it('exports everybody, and no formula', async () => {
    const formula = newcomer('=1+1', 'Formula');
    await signedUp(url, formula);
    await view.open();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export Users' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^users-export-\d{4}-\d{2}-\d{2}\.csv$/);
    await toastSaying(page, 'Users exported successfully');
    const csv = await readFile(await download.path(), 'utf8');
    const lines = csv.trimEnd().split('\r\n');
    expect(lines[0]).toBe('\uFEFFID,Email,First Name,Last Name,Admin,Created At');
    const [{ users = 0 } = {}] = await query<{ users: number }>(
      databaseUrl,
      'SELECT count(*)::integer AS users FROM auth.users',
    );
    // Other stories may have added people since.
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length).toBeLessThanOrEqual(users + 1);
    expect(lines.find((line) => line.includes(formula.email))).toContain(`"'=1+1"`);
  });
});
