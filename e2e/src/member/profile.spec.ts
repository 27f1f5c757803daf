import { toastSaying } from '../support/administrator.js';
import { answered, signedUp } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { phonePhoto, readShape } from '../support/phone-photo.js';
import { sharedStack } from '../support/shared-stack.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe('A member’s profile', () => {
  const { url } = sharedStack();
  const { visitAs } = browserForTests();

  it('prompts for a photo once per session and saves it', async () => {
    const { person } = await signedUp(url);
    const { page } = await visitAs(person);
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
  });

  it('scales a phone photo down before uploading it', async () => {
    const { person } = await signedUp(url);
    const { page } = await visitAs(person);
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
  });

  it('discards edits on Cancel and keeps them on Save Changes', async () => {
    const { person } = await signedUp(url);
    const { page } = await visitAs(person);
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
  });

  it('sets email preferences, a calendar feed and the member’s language', async () => {
    const { client, person } = await signedUp(url);
    const { page } = await visitAs(person);
    await page.goto('/profile/notifications');
    await page.getByRole('switch', { name: /^Reminders/ }).click();
    await toastSaying(page, 'Email settings saved');
    const { body } = await client.get('/api/user/mail-preferences');
    expect(body).toMatchObject({ eventUpdates: true, reminders: false });

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
    const other = await visitAs(person);
    await other.page.goto('/profile/notifications');
    await other.page.getByRole('combobox', { name: 'Sprache' }).waitFor();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('');
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
  });
});
