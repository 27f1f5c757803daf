import type { Page } from 'playwright-core';
import { rowWith, toastSaying } from '../support/administrator.js';
import { ApiClient, newcomer } from '../support/api-client.js';
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

  it('adds a user, who can sign in', async () => {
    const person = newcomer('Added', 'Person');
    await view.open();
    await page.getByRole('button', { name: 'Add User' }).click();
    await view.dialog().getByRole('button', { name: 'Create User' }).click();
    for (const refusal of [
      'Invalid email address',
      'First name is required',
      'Last name is required',
      'Password must be at least 6 characters',
    ])
      await view.dialog().getByText(refusal).waitFor();

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

  it('deletes a user after asking', async () => {
    const { id, email } = await view.openSomeone('Delia');
    await view.choose('Delia', 'Delete');
    await view.dialog().getByText('Delete User Account').waitFor();
    await view.dialog().getByText(email).waitFor();
    await view.dialog().getByRole('button', { name: 'Cancel' }).click();
    await view.dialog().waitFor({ state: 'detached' });
    await rowWith(page, 'Delia').waitFor();

    await view.choose('Delia', 'Delete');
    await view.dialog().getByRole('button', { name: 'Delete User' }).click();
    await toastSaying(page, 'User deleted successfully');
    await page.getByText('No users found.').waitFor();
    expect(await query(databaseUrl, 'SELECT id FROM auth.users WHERE id = $1', [id])).toEqual([]);
  });
});
