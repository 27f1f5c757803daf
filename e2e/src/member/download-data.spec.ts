import { buffer } from 'node:stream/consumers';
import { signedUp } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

describe('A member’s data', () => {
  const { url } = sharedStack();
  const { visitAs } = browserForTests();

  it('is prepared on request, announced by email and downloaded', async () => {
    const { person } = await signedUp(url);
    const { page } = await visitAs(person);
    await page.goto('/profile/privacy');
    await page.getByRole('button', { name: 'Prepare my download' }).click();
    await page.getByText(/^We’re preparing your download/).waitFor();
    const { text } = await mailTo(person.email, /^Your .* data is ready$/);
    const link = /https?:\S+\/profile\/privacy#download-data/.exec(text)![0];
    await page.goto(new URL(link).pathname);
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download ZIP file' }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe('my-data.zip');
    const bytes = await buffer(await download.createReadStream());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    expect(bytes.includes('registrations.json')).toBe(true);
  });
});
