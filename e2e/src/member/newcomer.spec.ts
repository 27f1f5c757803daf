import type { Browser } from 'playwright-core';
import { administratorClient } from '../support/administrator.js';
import { ApiClient, createdEvent, newcomer } from '../support/api-client.js';
import { keyboardHasPlace, openBrowser, visit } from '../support/browser.js';
import { mailTo, resetCodeOf } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';
import { submitSignUp } from '../support/sign-up-form.js';

// Every process and server has a part in this; `npm run test:containers` runs it through the containers too.
describe('A newcomer', () => {
  const { url } = sharedStack();
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('signs up, registers, is mailed, and resets a forgotten password by the code in a mail', async () => {
    const event = await createdEvent(await administratorClient(), {
      title: `Analytics evening ${Date.now()}`,
    });
    const person = newcomer();

    const { page, errors, context } = await visit(browser, url);
    await page.goto('/');
    await submitSignUp(page, person);
    await page.getByRole('navigation').getByRole('link', { name: 'My Events' }).waitFor();
    await keyboardHasPlace(page);

    await page.getByRole('searchbox').fill(event.title);
    const card = page.getByRole('article').filter({ hasText: event.title });
    await card.getByRole('button', { name: `Register: ${event.title}` }).click();
    await page.getByText('Successfully registered for event').waitFor();
    // Until the address is verified, only the code for that goes there.
    const verification = await mailTo(person.email, /Confirm your email address/);
    await page.goto(/http:\S+\/confirm#\S+/.exec(verification.text)![0]);
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await page.getByText('Your address is confirmed').waitFor();
    const { text } = await mailTo(person.email, /registered/i);
    expect(text).toContain(event.title);
    expect(text).toMatch(/http:\/\/localhost:\d+\//);

    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Email Administrator' }).click();
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByRole('button', { name: 'Email me a reset code' }).click();
    await page.waitForURL('/reset-password');
    await page.getByLabel('Reset Code').fill(await resetCodeOf(person.email));
    await page.getByLabel('New Password').fill('battery staple');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await page.getByText('Password Reset Successful').waitFor();
    await page.waitForURL('/');

    const again = new ApiClient(url);
    await expect(again.signIn(person)).rejects.toThrow(/401/);
    await again.signIn({ email: person.email, password: 'battery staple' });
    expect(errors).toEqual([]);
    await context.close();
  });
});
