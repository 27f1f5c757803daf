import type { User } from '@meetmark/contracts';
import type { Browser } from 'playwright-core';
import { administratorClient, toastSaying, visitAs } from '../support/administrator.js';
import { answered, createdEvent, signedUp } from '../support/api-client.js';
import { openBrowser } from '../support/browser.js';
import { mailTo } from '../support/mailbox.js';
import { phonePhoto, readShape } from '../support/phone-photo.js';
import { sharedStack } from '../support/shared-stack.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('A member’s profile', () => {
  const { url } = sharedStack();
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('prompts for a photo once per session and saves it', async () => {
    const { person } = await signedUp(url);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/profile');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add Profile Picture' }).click();
    await (await choosing).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG });
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await toastSaying(page, 'Profile updated');
    const picture = page.getByRole('main').locator('img').first();
    expect(await picture.getAttribute('src')).toMatch(/^\/media\/avatars\/[0-9a-f]{64}\.webp$/);
    await page.reload();
    await page.getByRole('button', { name: 'Edit Profile' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });

  it('scales a phone photo down before uploading it', async () => {
    const { person } = await signedUp(url);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/profile');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add Profile Picture' }).click();
    await (
      await choosing
    ).setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto() });
    await page.getByRole('main').locator('img[src^="data:"]').waitFor();
    const sending = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const sent = (await sending).postDataJSON() as { profileImageUrl: string };
    await toastSaying(page, 'Profile updated');
    expect(await readShape(sent.profileImageUrl)).toEqual({ width: 1_600, height: 2_133, exif: undefined });
    await context.close();
  });

  it('does not repeat the photo prompt after Maybe Later', async () => {
    const { person } = await signedUp(url);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Maybe Later' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Edit Profile' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });

  it('discards edits on Cancel and keeps them on Save Changes', async () => {
    const { person } = await signedUp(url);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Maybe Later' }).click();
    const edit = page.getByRole('button', { name: 'Edit Profile' });
    await edit.click();
    await page.getByLabel('First Name').fill('Somebody');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await edit.click();
    expect(await page.getByLabel('First Name').inputValue()).toBe(person.firstName);
    await page.getByLabel('About Me').fill('I write adverts.\nShort ones.');
    await page.getByLabel('LinkedIn URL').fill('https://www.linkedin.com/in/somebody');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await toastSaying(page, 'Profile updated');
    await edit.waitFor();
    await page.reload();
    await page.getByText('I write adverts.').waitFor();
    await context.close();
  });

  it('does not reveal whether another email address is taken', async () => {
    const { person: other } = await signedUp(url);
    const { client, person } = await signedUp(url);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/profile');
    await page.getByRole('button', { name: 'Maybe Later' }).click();
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await page.getByLabel('Email', { exact: true }).fill(other.email);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await toastSaying(page, 'Profile updated');
    const { body } = await client.get<User>('/api/user');
    expect([body.email, body.pendingEmail]).toEqual([person.email, other.email]);
    await context.close();
  });

  it('sets email preferences, a calendar feed and the member’s language', async () => {
    const { client, person } = await signedUp(url);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/profile/notifications');
    await page.getByRole('switch', { name: /^Reminders/ }).click();
    await toastSaying(page, 'Email settings saved');
    const { body } = await client.get('/api/user/mail-preferences');
    expect(body).toEqual({
      eventUpdates: true,
      reminders: false,
      messages: true,
      announcements: true,
      digest: true,
    });

    await page.getByRole('button', { name: 'Create a feed link' }).click();
    const address = await page.getByRole('status', { name: 'Feed link' }).innerText();
    const feed = await answered(address);
    expect(feed.headers.get('content-type')).toContain('text/calendar');
    await page.getByRole('button', { name: 'Remove the feed' }).click();
    await toastSaying(page, 'The feed has been removed');
    expect((await answered(address)).status).toBe(404);

    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('heading', { level: 1, name: 'Benachrichtigungen' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const { id } = await createdEvent(await administratorClient());
    await page.goto(`/events/${id}`);
    await page.getByRole('main').getByRole('button', { name: 'Teilnehmen', exact: true }).first().click();
    await page.getByText(`Sie sind dabei, ${person.firstName}`).waitFor();
    const mail = await mailTo(person.email, /^Sie sind dabei/);
    expect(mail.text).toContain(`Guten Tag ${person.firstName}!`);
    expect(mail.html).toContain('<html lang="de">');
    await page.goto('/profile/notifications');
    const other = await visitAs(browser, person);
    await other.page.goto('/profile/notifications');
    await other.page.getByRole('combobox', { name: 'Sprache' }).waitFor();
    await other.context.close();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('');
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    await context.close();
  });
});
