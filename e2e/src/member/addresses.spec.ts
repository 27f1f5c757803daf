import { until } from '@meetmark/testing';
import { administratorClient, toastSaying } from '../support/administrator.js';
import { ApiClient, createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';
import { submitSignUp } from '../support/sign-up-form.js';

/** Maximum milliseconds to wait for an email, which usually takes far less. */
const PATIENCE = 20_000;
const linkIn = ({ text }: { text: string }) => /https?:\S+\/(?:confirm|revert-email)#\S+/.exec(text)![0];

describe('A member', () => {
  const { url } = sharedStack();
  const { visit, visitAs } = browserForTests();

  it('gets the held-back email after confirming their email address by code', async () => {
    const event = await createdEvent(await administratorClient(), { title: `Held back ${Date.now()}` });
    const person = newcomer();
    const { page } = await visit({ viewport: PHONE });
    await page.goto('/?signin=1');
    await submitSignUp(page, person);
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
    const notice = page.getByRole('complementary', { name: 'Email address' });
    expect(await notice.count()).toBe(0);
    await page.goto(`/events/${event.id}`);
    await notice.getByText(/^Confirm your email address/).waitFor();
    await page.request.post(`${url}/api/events/${event.id}/register`, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });

    await notice.getByRole('button', { name: 'Confirm my email' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your email address' });
    const code = codeIn(await mailTo(person.email, /Confirm your email address/));
    await dialog.getByLabel('6-digit code').fill(code === '000000' ? '000001' : '000000');
    await dialog.getByText('Invalid or expired code').waitFor();
    await dialog.getByRole('button', { name: 'Send a new code' }).click();
    await toastSaying(page, 'A new code is on its way');
    const newer = await codeOtherThan(person.email, code);
    await dialog.getByLabel('6-digit code').fill(newer);
    await toastSaying(page, 'Your email address is confirmed');
    await notice.waitFor({ state: 'detached' });
    await mailTo(person.email, new RegExp(event.title));
  });

  it('signs in by emailed code, or by emailed link on another device', async () => {
    const { person } = await signedUp(url);
    const { page } = await visit();
    await page.goto('/');
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByRole('button', { name: 'Email me a sign-in code' }).click();
    await page.getByLabel('6-digit code').waitFor();
    const mail = await mailTo(person.email, /sign-in code/);

    const other = await visit({ viewport: PHONE });
    await other.page.goto(linkIn(mail));
    await other.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await other.page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
    await other.page.getByRole('heading', { name: 'You’re signed in' }).waitFor();
    await other.page.getByRole('button', { name: /^Account menu/ }).waitFor();
    await page.getByText('Confirmed on another device').waitFor();
    await other.page.goto(linkIn(mail));
    await other.page.reload();
    await other.page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
    await other.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();

    await page.getByRole('button', { name: 'Sign in with a password' }).click();
    await page.getByRole('button', { name: 'Email me a sign-in code' }).click();
    await page
      .getByLabel('6-digit code')
      .fill(await codeOtherThan(person.email, codeIn(mail), /sign-in code/));
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
  });

  it('changes their email address by code and restores the old one by link', async () => {
    const { client, person } = await signedUp(url);
    const next = newcomer().email;
    const { page } = await visitAs(person);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Maybe Later' }).click();
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await page.getByLabel('Email', { exact: true }).fill(next);
    await page.getByLabel('Current Password').fill('not the password');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByText('Current password is incorrect').waitFor();
    await page.getByLabel('Current Password').fill(person.password);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await toastSaying(page, 'Profile updated');
    await toastSaying(page, `We sent a code to ${next}. Enter it to confirm your new email address.`);
    const pending = page.getByRole('region', { name: `${next} isn’t confirmed yet` });
    await pending.getByText(`Enter the code we sent to ${next}.`).waitFor();
    await pending
      .getByLabel('6-digit code')
      .fill(codeIn(await mailTo(next, /Confirm your new email address/)));
    await toastSaying(page, 'Your new email is confirmed');
    await page.getByRole('main').getByText(next).first().waitFor();
    expect((await new ApiClient(url).signIn({ email: next, password: person.password })).email).toBe(next);

    const owner = await visit({ viewport: PHONE });
    await owner.page.goto(linkIn(await mailTo(person.email, /email address was changed/)));
    await owner.page.getByRole('button', { name: 'Restore my address' }).click();
    await owner.page.getByRole('heading', { name: 'Your email address is restored' }).waitFor();
    await owner.page.getByLabel('New Password').fill('a better horse');
    await owner.page.getByRole('button', { name: 'Reset Password' }).click();
    await owner.page.getByText('Password Reset Successful').waitFor();
    expect((await client.get('/api/user')).status).toBe(401);
    await new ApiClient(url).signIn({ email: person.email, password: 'a better horse' });
  });

  it('sets a new password, because confirming by link disabled the old one', async () => {
    const person = newcomer();
    await signedUp(url, person, false);
    const { page } = await visit();
    await page.goto(linkIn(await mailTo(person.email, /Confirm your email address/)));
    await page.getByRole('button', { name: 'Confirm my email' }).click();
    await page.getByText(/Your earlier password no longer works/).waitFor();
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Change Password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Password' });
    await dialog.getByRole('button', { name: 'Set a password' }).click();
    await dialog.getByLabel('Reset Code').fill(codeIn(await mailTo(person.email, /reset code/)));
    await dialog.getByLabel('New Password').fill('my own horse');
    await dialog.getByRole('button', { name: 'Set Password' }).click();
    await toastSaying(page, 'Password set');
    await new ApiClient(url).signIn({ email: person.email, password: 'my own horse' });
    await page.reload();
    await page.getByRole('button', { name: /^Account menu/ }).waitFor();
  });
});

async function codeOtherThan(
  address: string,
  code: string,
  subject = /Confirm your email address/,
): Promise<string> {
  let newest = code;
  await until('a newer code', PATIENCE, async () => {
    newest = codeIn(await mailTo(address, subject));
    return newest !== code;
  });
  return newest;
}
