import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.js';
import { toastSaying, visitAs } from '../support/administrator.js';
import { signedUp } from '../support/api-client.js';
import { openBrowser, PHONE, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

const PERIOD = 30_000;
/** The code of the authenticator now, or of the next step of thirty seconds when this one's was used. */
const codeOf = (key: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + steps * PERIOD });

describe('A second step at sign-in', () => {
  const { url } = sharedStack();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const dialog = (page: Page) => page.getByRole('dialog').last();
  const signOut = async (page: Page) => {
    await page.context().clearCookies();
    await page.goto('/?signin=1');
  };
  const firstStep = async (page: Page, person: { email: string; password: string }) => {
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  };
  /** A sign-in goes on from the landing screen's address. */
  const signedIn = (page: Page) => page.waitForURL(({ search }) => !search.includes('signin'));
  const openProfile = async (page: Page) => {
    await page.goto('/profile');
    const later = page.getByRole('button', { name: 'Maybe Later' });
    await page.locator('#security-title').waitFor();
    if (await later.isVisible()) await later.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // while a card loads, those below it move, and a press on them can miss
    await page.getByRole('switch', { name: /^Reminders/ }).waitFor();
    await page.getByRole('button', { name: 'Create a feed address' }).waitFor();
  };

  it('is added with an authenticator, and signs in by its code or by a recovery code', async () => {
    const { person } = await signedUp(url);
    const { page, context, errors } = await visitAs(browser, person);
    await openProfile(page);
    await page.getByText('Signing in takes your password alone.').waitFor();
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await dialog(page).getByRole('img', { name: 'QR code with the key' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const key = (await dialog(page).getByRole('status', { name: 'Key' }).textContent())!.replace(/\s/g, '');
    await dialog(page).getByLabel('Name').fill('My phone');
    await dialog(page).getByLabel('Code from the app').fill(codeOf(key, -1));
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await dialog(page)
      .getByRole('heading', { name: 'Your recovery codes' })
      .or(dialog(page).getByText('Your recovery codes'))
      .first()
      .waitFor();
    const recovery = (await dialog(page).getByRole('listitem').first().textContent())!;
    await dialog(page).getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('My phone').waitFor();

    await signOut(page);
    await firstStep(page, person);
    await page.getByText('Enter the six digits').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(key, 100));
    await page.getByText('This is not right. Please try again.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(codeOf(key)); // the sixth digit sends it
    await signedIn(page);

    await signOut(page);
    await firstStep(page, person);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recovery);
    await page.getByRole('button', { name: 'Continue' }).click();
    await signedIn(page);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('is taken with a passkey', async () => {
    const { person } = await signedUp(url);
    const { page, context, errors } = await visitAs(browser, person);
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
    await openProfile(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await dialog(page).getByLabel('Name').fill('My laptop');
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    await dialog(page).getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('My laptop').waitFor();

    await signOut(page);
    await firstStep(page, person);
    await page.getByText('Confirm with your passkey.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await signedIn(page);

    await openProfile(page);
    await page.getByRole('button', { name: 'Remove My laptop' }).click();
    await toastSaying(page, 'My laptop has been removed');
    await page.getByText('Signing in takes your password alone.').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('is changed only by somebody who has just shown who they are', async () => {
    const { person } = await signedUp(url);
    const { page, context } = await visitAs(browser, person, { viewport: PHONE });
    await openProfile(page);
    // As the server answers when the sign-in is older than ten minutes.
    await page.route(
      '**/api/user/second-factors/totp',
      (route) =>
        route.fulfill({
          status: 403,
          json: {
            statusCode: 403,
            code: 'FRESH_SIGN_IN_REQUIRED',
            message: 'Confirm that it is you to do this',
          },
        }),
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await dialog(page).getByLabel('Password', { exact: true }).fill('wrong');
    await dialog(page).getByRole('button', { name: 'Confirm' }).click();
    await dialog(page).getByText('Current password is incorrect').waitFor();
    await dialog(page).getByLabel('Password', { exact: true }).fill(person.password);
    await dialog(page).getByRole('button', { name: 'Confirm' }).click();
    await dialog(page).getByRole('img', { name: 'QR code with the key' }).waitFor();
    await context.close();
  });

  it('has a list of browsers beside it: one that is signed out there is out', async () => {
    const { person } = await signedUp(url);
    const mine = await visitAs(browser, person);
    const other = await visit(browser, url);
    await other.page.goto('/?signin=1');
    await firstStep(other.page, person);
    await signedIn(other.page);
    await openProfile(mine.page);
    await mine.page.getByText('This browser').waitFor();
    await mine.page
      .getByRole('button', { name: /^Sign out / })
      .first()
      .click();
    await toastSaying(mine.page, 'Signed out there');
    await other.page.goto('/my-events');
    await other.page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    await mine.context.close();
    await other.context.close();
  });
});
