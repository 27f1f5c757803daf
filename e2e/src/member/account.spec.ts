import { toastSaying } from '../support/administrator.js';
import { ApiClient, signedUp } from '../support/api-client.js';
import { keyboardHasPlace } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { readResetCode } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

describe('A member', () => {
  const { url } = sharedStack();
  const { visit, visitAs } = browserForTests();

  it('sees an error for a wrong password, then signs in to the requested page', async () => {
    const { person } = await signedUp(url);
    const { page } = await visit();
    await page.goto('/api/login?returnTo=%2Fmy-events');
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('Incorrect email or password. Please try again.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('heading', { level: 1, name: 'My Events' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/my-events');
    await keyboardHasPlace(page);
  });

  it('changes their password', async () => {
    const { person } = await signedUp(url);
    const { page } = await visitAs(person);
    await page.goto('/');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Change Password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Current Password').fill(person.password);
    await dialog.getByLabel('New Password', { exact: true }).fill('a new password');
    await dialog.getByLabel('Confirm New Password').fill('a new password');
    await dialog.getByRole('button', { name: 'Change Password' }).click();
    await toastSaying(page, 'Your password has been successfully updated.');
    await dialog.waitFor({ state: 'detached' });
    await new ApiClient(url).signIn({ email: person.email, password: 'a new password' });
  });

  it('resets a forgotten password by emailed code, then sees the home page', async () => {
    const { person } = await signedUp(url);
    const { page } = await visit();
    await page.goto('/');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByText('Contact your administrator to request a password reset').waitFor();
    await page.getByRole('button', { name: 'Email Administrator' }).click();
    for (const text of ['First name is required', 'Last name is required', 'Email is required'])
      await page.getByText(text).waitFor();
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByRole('button', { name: 'Email me a reset code' }).click();
    await page.waitForURL('/reset-password');

    await page.getByLabel('Reset Code').fill('000000');
    await page.getByLabel('New Password').fill('another one');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await page.getByText('Invalid or expired reset code').waitFor();

    await page.getByLabel('Reset Code').fill(await readResetCode(person.email));
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await page.getByText('Password Reset Successful').waitFor();
    await page.getByText('Redirecting to home page in 3 seconds...').waitFor();
    await page.waitForURL('/');
    await new ApiClient(url).signIn({ email: person.email, password: 'another one' });
  });
});
