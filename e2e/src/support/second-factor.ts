import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import type { Account } from './shared-stack.js';

const PERIOD = 30_000;
/** The code of the authenticator now, or of the next step of thirty seconds when this one's was used. */
export const codeOf = (key: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + steps * PERIOD });

const dialog = (page: Page) => page.getByRole('dialog').last();

/** Fills in the panel of the landing screen and sends it. */
export async function submitPassword(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** The profile, once nothing of it moves. It asks for a picture as soon as it is drawn: here it has asked before. */
export async function openSecurity(page: Page): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('profile-picture-prompt', 'shown'));
  await page.goto('/profile');
  await page.locator('#security-title').waitFor();
  // while a card loads, those below it move, and a press on them can miss
  await page.getByRole('button', { name: 'Create a feed address' }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** Opens the dialog that shows the key of an authenticator to be added. */
export async function keyOfAuthenticator(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await dialog(page).getByRole('img', { name: 'QR code with the key' }).waitFor();
  return (await dialog(page).getByRole('status', { name: 'Key' }).textContent())!.replace(/\s/g, '');
}

/** Adds it; the dialog shows the recovery codes then. */
export async function addAuthenticator(page: Page, key: string, name: string): Promise<void> {
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByLabel('Code from the app').fill(codeOf(key, -1));
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await dialog(page)
    .getByRole('heading', { name: 'Your recovery codes' })
    .or(dialog(page).getByText('Your recovery codes'))
    .first()
    .waitFor();
}

export const keepRecoveryCodes = (page: Page) =>
  dialog(page).getByRole('button', { name: 'I have kept them' }).click();
