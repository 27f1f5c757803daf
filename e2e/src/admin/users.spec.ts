import type { Page } from 'playwright-core';
import { rowWith, toastSaying } from '../support/administrator.js';
import { ApiClient, newcomer, signedUp } from '../support/api-client.js';
import { readDownload } from '../support/browser.js';
import { query } from '../support/database.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { UsersView } from './users-view.js';

describe('User Management', () => {
  const { url, databaseUrl } = sharedStack();
  let page: Page;
  let view: UsersView;
  asAdministrator((opened) => {
    page = opened;
    view = new UsersView(page);
  });

  it('loads pages of users from the server, and keeps a search after a reload', async () => {
    await view.open();
    await page.getByText(/^1–20 of \d+$/).waitFor();
    const names = () => page.getByRole('cell').locator('p').allInnerTexts();
    const first = await names();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/^21–40 of \d+$/).waitFor();
    await page.locator('table[aria-busy=false]').waitFor();
    expect(await names()).not.toEqual(first);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText(/^1–20 of \d+$/).waitFor();
    await page.getByRole('searchbox').fill('nobody is called this');
    await page.getByText('No users found.').waitFor();
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('nobody is called this');
  });

  it('exports users as CSV and escapes formulas', async () => {
    const formula = newcomer('=1+1', 'Formula');
    await signedUp(url, formula);
    await view.open();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export Users' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^users-export-\d{4}-\d{2}-\d{2}\.csv$/);
    await toastSaying(page, 'Users exported successfully');
    const csv = String(await readDownload(download));
    const lines = csv.trimEnd().split('\r\n');
    expect(lines[0]).toBe('\uFEFFID,Email,First Name,Last Name,Admin,Created At');
    const [{ users = 0 } = {}] = await query<{ users: number }>(
      databaseUrl,
      'SELECT count(*)::integer AS users FROM auth.users',
    );
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.length).toBeLessThanOrEqual(users + 1);
    expect(lines.find((line) => line.includes(formula.email))).toContain(`,'=1+1,Formula,`);
  });

  it('adds a user who can sign in', async () => {
    const person = newcomer('Added', 'Person');
    await view.open();
    await page.getByRole('button', { name: 'Add User' }).click();
    await view.dialog().getByLabel('Email').fill(person.email);
    await view.dialog().getByLabel('First Name').fill(person.firstName);
    await view.dialog().getByLabel('Last Name').fill(person.lastName);
    await view.dialog().getByLabel('Password', { exact: true }).fill(person.password);
    await view.dialog().getByRole('button', { name: 'Create User' }).click();
    await toastSaying(page, 'User created successfully');
    await view.dialog().waitFor({ state: 'detached' });
    await rowWith(page, person.email).waitFor();
    expect((await new ApiClient(url).signIn(person)).isAdmin).toBe(false);
  });

  it('edits a user', async () => {
    const { email, lastName } = await view.openSomeone('Edith');
    await view.act('Edith', 'Edit');
    expect(await view.dialog().getByLabel('Email').inputValue()).toBe(email);
    await view.dialog().getByLabel('First Name').fill('Judith');
    await view.dialog().getByRole('button', { name: 'Update User' }).click();
    await toastSaying(page, 'User updated successfully');
    await rowWith(page, `Judith ${lastName}`).waitFor();
  });

  it('deletes a user after confirmation', async () => {
    const { id, email } = await view.openSomeone('Delia');
    await view.act('Delia', 'Delete');
    await view.dialog().getByText('Delete User Account').waitFor();
    await view.dialog().getByText(email).waitFor();
    await view.dialog().getByRole('button', { name: 'Cancel' }).click();
    await view.dialog().waitFor({ state: 'detached' });
    await rowWith(page, 'Delia').waitFor();

    await view.act('Delia', 'Delete');
    await view.dialog().getByRole('button', { name: 'Delete User' }).click();
    await toastSaying(page, 'User deleted successfully');
    await page.getByText('No users found.').waitFor();
    expect(await query(databaseUrl, 'SELECT id FROM auth.users WHERE id = $1', [id])).toEqual([]);
  });

  it('promotes a user to administrator and demotes them again', async () => {
    const { firstName, lastName, id } = await view.openSomeone('Rolf');
    await view.actAfterAsking('Rolf', 'Make Admin');
    await toastSaying(page, `${firstName} ${lastName} promoted to admin successfully.`);
    await rowWith(page, 'Rolf').getByText('Admin', { exact: true }).waitFor();
    await view.actAfterAsking('Rolf', 'Remove Admin');
    await toastSaying(page, `${firstName} ${lastName} removed from admin successfully.`);
    const [row] = await query<{ is_admin: boolean }>(
      databaseUrl,
      'SELECT is_admin FROM auth.users WHERE id = $1',
      [id],
    );
    expect(row?.is_admin).toBe(false);
  });
});
