import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import type { Account } from './shared-stack.js';

const PERIOD = 30_000;
export const generateCode = (key: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + steps * PERIOD });

const dialog = (page: Page) => page.getByRole('dialog').last();

export async function submitPassword(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

export async function openSecurity(page: Page): Promise<void> {
  await page.goto('/profile/security');
  await page.locator('#security-title').waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

export async function keyOfAuthenticator(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await dialog(page).getByRole('img', { name: 'QR code with the key' }).waitFor();
  return (await dialog(page).getByRole('status', { name: 'Key' }).textContent())!.replace(/\s/g, '');
}

export async function addAuthenticator(page: Page, key: string, name: string): Promise<void> {
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByLabel('Code from the app').fill(generateCode(key, -1));
  await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
  await dialog(page)
    .getByRole('heading', { name: 'Your recovery codes' })
    .or(dialog(page).getByText('Your recovery codes'))
    .first()
    .waitFor();
}

export const keepRecoveryCodes = (page: Page) =>
  dialog(page).getByRole('button', { name: 'I’ve saved them' }).click();
