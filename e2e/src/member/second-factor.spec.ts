import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.js';
import { toastSaying } from '../support/administrator.js';
import { signedUp } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import {
  addAuthenticator,
  generateCode,
  keepRecoveryCodes,
  keyOfAuthenticator,
  openSecurity,
  submitPassword,
} from '../support/second-factor.js';
import { sharedStack } from '../support/shared-stack.js';

describe('A member in the security settings', () => {
  const { url } = sharedStack();
  const { visit, visitAs } = browserForTests();

  const dialog = (page: Page) => page.getByRole('dialog').last();
  const signOut = async (page: Page) => {
    await page.context().clearCookies();
    await page.goto('/?signin=1');
  };
  const signedIn = (page: Page) => page.waitForURL(({ search }) => !search.includes('signin'));

  it('adds an authenticator app, and signs in by its code or a recovery code', async () => {
    const { person } = await signedUp(url);
    const { page } = await visitAs(person);
    await openSecurity(page);
    await page.getByText('You sign in with your password only.').waitFor();
    const key = await keyOfAuthenticator(page);
    // No screen of the screens' stories shows these dialogs, because they need a fresh sign-in.
    expect(await accessibilityFaults(page)).toEqual([]);
    await addAuthenticator(page, key, 'My phone');
    const recovery = (await dialog(page).getByRole('listitem').first().textContent())!;
    await keepRecoveryCodes(page);
    await page.getByText('My phone').waitFor();

    await signOut(page);
    await submitPassword(page, person);
    await page.getByText('Enter the six digits').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill(generateCode(key, 100));
    await page.getByText('That’s not right. Please try again.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(generateCode(key)); // Typing the sixth digit submits the form.
    await signedIn(page);

    await signOut(page);
    await submitPassword(page, person);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recovery);
    await page.getByRole('button', { name: 'Continue' }).click();
    await signedIn(page);
  });

  it('adds a passkey, signs in with it and removes it', async () => {
    const { person } = await signedUp(url);
    const { page, context } = await visitAs(person);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await openSecurity(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog(page).getByLabel('Name').fill('My laptop');
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    await dialog(page).getByRole('button', { name: 'I’ve saved them' }).click();
    await page.getByText('My laptop').waitFor();

    await signOut(page);
    await submitPassword(page, person);
    await page.getByText('Confirm with your passkey.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await signedIn(page);

    await openSecurity(page);
    await page.getByRole('button', { name: 'Remove My laptop' }).click();
    await toastSaying(page, 'My laptop has been removed');
    await page.getByText('You sign in with your password only.').waitFor();
  });

  it('signs out another browser', async () => {
    const { person } = await signedUp(url);
    const mine = await visitAs(person);
    const other = await visit();
    await other.page.goto('/?signin=1');
    await submitPassword(other.page, person);
    await signedIn(other.page);
    await openSecurity(mine.page);
    await mine.page.getByText('This browser').waitFor();
    await mine.page
      .getByRole('button', { name: /^Sign out / })
      .first()
      .click();
    await toastSaying(mine.page, 'Browser signed out');
    await other.page.goto('/my-events');
    await other.page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
  });
});
