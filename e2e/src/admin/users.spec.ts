import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import {
  administratorClient,
  answerTo,
  rowWith,
  toastSaying,
  visitAsAdministrator,
} from '../support/administrator.js';
import { ApiClient, newcomer, signedUp } from '../support/api-client.js';
import { openBrowser } from '../support/browser.js';
import { query } from '../support/database.js';
import { sharedStack } from '../support/shared-stack.js';

interface MailboxEntry {
  to: string;
  subject: string;
}

describe('User Management', () => {
  const { url, databaseUrl, mailboxUrl, administrator } = sharedStack();
  let browser: Browser;
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    browser = await openBrowser();
    ({ page, errors } = await visitAsAdministrator(browser));
    // A browser without a mail program does nothing with a draft: the story keeps it.
    await page.addInitScript(`{
      window.drafts = [];
      const { click } = HTMLAnchorElement.prototype;
      HTMLAnchorElement.prototype.click = function () {
        if (this.href.startsWith('mailto:')) window.drafts.push(this.href);
        else click.call(this);
      };
    }`);
  });
  afterEach(() => expect(errors).toEqual([]));
  afterAll(() => browser.close());

  const dialog = () => page.getByRole('dialog');
  const open = async (search = '') => {
    await page.goto(`/admin/users${search && `?q=${encodeURIComponent(search)}`}`);
    await page.getByRole('row').nth(1).or(page.getByText('No users found.')).first().waitFor();
  };
  const act = (name: string, action: string) =>
    rowWith(page, name)
      .getByRole('button', { name: new RegExp(`^${action}`) })
      .click();
  /** Someone with a surname that nobody else has, found by it. */
  const openSomeone = async (firstName: string) => {
    const someone = newcomer(firstName, `S${Math.random().toString(36).slice(2)}`);
    const { user } = await signedUp(url, someone);
    await open(someone.lastName);
    return { ...someone, id: user.id };
  };

  it('adds a user, who can sign in', async () => {
    const person = newcomer('Added', 'Person');
    await open();
    await page.getByRole('button', { name: 'Add User' }).click();
    await dialog().getByRole('button', { name: 'Create User' }).click();
    for (const refusal of [
      'Invalid email address',
      'First name is required',
      'Last name is required',
      'Password must be at least 6 characters',
    ])
      await dialog().getByText(refusal).waitFor();

    await dialog().getByLabel('Email').fill(person.email);
    await dialog().getByLabel('First Name').fill(person.firstName);
    await dialog().getByLabel('Last Name').fill(person.lastName);
    await dialog().getByLabel('Password', { exact: true }).fill(person.password);
    await dialog().getByRole('button', { name: 'Create User' }).click();
    await toastSaying(page, 'User created successfully');
    await dialog().waitFor({ state: 'detached' });
    await rowWith(page, person.email).waitFor();
    expect((await new ApiClient(url).signIn(person)).isAdmin).toBe(false);
  });

  it('explains an address that is taken, and keeps the form', async () => {
    await open();
    await page.getByRole('button', { name: 'Add User' }).click();
    await dialog().getByLabel('Email').fill(administrator.email.toUpperCase());
    await dialog().getByLabel('First Name').fill('Second');
    await dialog().getByLabel('Last Name').fill('Admin');
    await dialog().getByLabel('Password', { exact: true }).fill('secret1');
    await dialog().getByRole('button', { name: 'Create User' }).click();
    const alert = dialog().filter({ hasText: 'Unable to Complete Action' });
    await alert
      .getByText('A user with this email address already exists. Please use a different email address.')
      .waitFor();
    await alert.getByRole('button', { name: 'OK' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(await dialog().getByLabel('First Name').inputValue()).toBe('Second');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('edits a user, and explains an address that is taken', async () => {
    const { email, lastName } = await openSomeone('Edith');
    await act('Edith', 'Edit');
    expect(await dialog().getByLabel('Email').inputValue()).toBe(email);
    await dialog().getByLabel('Email').fill(administrator.email);
    await dialog().getByRole('button', { name: 'Update User' }).click();
    const alert = dialog().filter({ hasText: 'Unable to Complete Action' });
    await alert
      .getByText(
        'This email address is already in use by another account. Please use a different email address.',
      )
      .waitFor();
    await alert.getByRole('button', { name: 'OK' }).click();
    await dialog().getByLabel('Email').fill(email);
    await dialog().getByLabel('First Name').fill('Judith');
    await dialog().getByRole('button', { name: 'Update User' }).click();
    await toastSaying(page, 'User updated successfully');
    await rowWith(page, `Judith ${lastName}`).waitFor();
  });

  it('makes an administrator and takes it back', async () => {
    const { firstName, lastName, id } = await openSomeone('Rolf');
    await act('Rolf', 'Make Admin');
    await toastSaying(page, `${firstName} ${lastName} promoted to admin successfully.`);
    await rowWith(page, 'Rolf').getByText('Admin', { exact: true }).waitFor();
    await act('Rolf', 'Remove Admin');
    await toastSaying(page, `${firstName} ${lastName} removed from admin successfully.`);
    const [row] = await query<{ is_admin: boolean }>(
      databaseUrl,
      'SELECT is_admin FROM auth.users WHERE id = $1',
      [id],
    );
    expect(row?.is_admin).toBe(false);
  });

  it('resets a password and drafts the mail that tells it', async () => {
    const { email } = await openSomeone('Reto');
    await act('Reto', 'Reset Email');
    await toastSaying(page, 'Password reset successfully. Email draft opened.');
    const [draft = ''] = await page.evaluate<string[]>('window.drafts');
    expect(draft.startsWith(`mailto:${email}?subject=`)).toBe(true);
    expect(draft).not.toMatch(/[\s"<>]/);
    const password = decodeURIComponent(draft).match(/^[A-Za-z0-9]{8}$/m)?.[0] ?? '';
    await new ApiClient(url).signIn({ email, password });
  });

  it('sends a reset code', async () => {
    const { email } = await openSomeone('Cody');
    await act('Cody', 'Send reset code');
    await toastSaying(page, `Reset code sent to ${email}`);
    const arrived = async () =>
      ((await (await fetch(`${mailboxUrl}/api/messages`)).json()) as MailboxEntry[]).some(
        ({ to, subject }) => JSON.stringify(to).includes(email) && /code/i.test(subject),
      );
    while (!(await arrived())) await new Promise((retry) => setTimeout(retry, 250));
  });

  it('deletes a user after asking', async () => {
    const { id, email } = await openSomeone('Delia');
    await act('Delia', 'Delete');
    await dialog().getByText('Delete User Account').waitFor();
    await dialog().getByText(email).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    await rowWith(page, 'Delia').waitFor();

    await act('Delia', 'Delete');
    await dialog().getByRole('button', { name: 'Delete User' }).click();
    await toastSaying(page, 'User deleted successfully');
    await page.getByText('No users found.').waitFor();
    expect(await query(databaseUrl, 'SELECT id FROM auth.users WHERE id = $1', [id])).toEqual([]);
  });

  it.each(['an error of the server', 'a network that is away'])(
    'brings the row of a deleted user back after %s',
    async (failure) => {
      const { id } = await openSomeone('Phoenix');
      let fail: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        fail = resolve;
      });
      await page.route(`**/api/admin/users/${id}`, async (route) => {
        await held;
        if (failure.includes('network')) await route.abort('internetdisconnected');
        else await route.fulfill({ status: 500, body: '' });
      });
      await act('Phoenix', 'Delete');
      await dialog().getByRole('button', { name: 'Delete User' }).click();
      await rowWith(page, 'Phoenix').waitFor({ state: 'detached' });
      fail();
      await toastSaying(page, 'Failed to delete user');
      await rowWith(page, 'Phoenix').waitFor();
      await page.unroute(`**/api/admin/users/${id}`);
    },
  );

  it('tells the server’s words, or else its own, when an action fails', async () => {
    const { id } = await openSomeone('Fay');
    await page.route(`**/api/admin/users/${id}/*`, (route) => route.abort('internetdisconnected'));
    await act('Fay', 'Make Admin');
    await toastSaying(page, 'Failed to update user permissions');
    await act('Fay', 'Reset Email');
    await toastSaying(page, 'Failed to reset password');
    await page.unroute(`**/api/admin/users/${id}/*`);
    await (await administratorClient()).delete(`/api/admin/users/${id}`);
    await act('Fay', 'Make Admin');
    await toastSaying(page, 'User not found');
  });

  it('offers oneself nothing but Edit, without the role', async () => {
    await open(administrator.email);
    const mine = rowWith(page, administrator.email);
    expect(await mine.getByRole('button').allInnerTexts()).toEqual(['Edit']);
    await mine.getByRole('button').click();
    expect(await dialog().getByRole('switch').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await mine.locator('button:focus').waitFor();
  });

  it('pages on the server', async () => {
    await open();
    const list = { method: 'GET', path: '/api/admin/users' };
    await page.getByText(/^1–20 of \d+$/).waitFor();
    const firstNames = await page.getByRole('cell').locator('p').allInnerTexts();
    const paged = await answerTo(page, list, () => page.getByRole('button', { name: 'Next' }).click());
    expect(new URL(paged.url()).searchParams.has('cursor')).toBe(true);
    await page.getByText(/^21–40 of \d+$/).waitFor();
    expect(await page.getByRole('cell').locator('p').allInnerTexts()).not.toEqual(firstNames);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText(/^1–20 of \d+$/).waitFor();
  });

  it('searches, filters and sorts on the server, and keeps that in the address', async () => {
    await open();
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
    await open();
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

  it('has nothing to export when there is nobody', async () => {
    await page.route('**/api/admin/users', (route) => route.fulfill({ json: [] }));
    await open();
    await page.getByRole('button', { name: 'Export Users' }).click();
    await toastSaying(page, 'No Data');
    await toastSaying(page, 'No users to export');
    await page.unroute('**/api/admin/users');
  });
});
