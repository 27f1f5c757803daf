import type { EventPage } from '@meetmark/contracts';
import sharp from 'sharp';
import { administratorClient, toastSaying } from '../support/administrator.js';
import { answered, createdEvent } from '../support/api-client.js';
import { PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { sharedStack } from '../support/shared-stack.js';
import { uniqueTitle } from './events-view.js';

const photo = (background: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer();
const file = async (name: string, background: string) => ({
  name: `${name}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await photo(background),
});

describe('The gallery of an event', () => {
  const { visit, visitAsAdministrator } = browserForTests();
  const fetchStatus = async (address: string) => (await answered(sharedStack().url + address)).status;

  it('adds, reorders, shows and permanently removes images', async () => {
    const api = await administratorClient();
    const event = await createdEvent(api, {
      title: uniqueTitle('Remembered'),
      startDate: '2024-05-01T17:00:00.000Z',
      endDate: '2024-05-01T19:00:00.000Z',
    });
    const { page } = await visitAsAdministrator();
    const words = (at: number) => page.getByLabel(`Description of image ${at}`);
    const save = () => page.getByRole('button', { name: 'Save images' }).press('Enter');
    const fetchGallery = async () =>
      (await api.expect<EventPage>(200, 'GET', `/api/events/${event.id}`)).gallery!;
    const saveAs = async (...alts: string[]) => {
      await save();
      await page.getByRole('button', { name: 'Save images', disabled: true }).waitFor();
      expect((await fetchGallery()).map(({ alt }) => alt)).toEqual(alts);
    };
    await page.goto(`/admin/events/${event.id}`);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose images' }).press('Enter');
    await (await choosing).setFiles([await file('hall', '#a33'), await file('talk', '#3a3')]);
    await words(2).waitFor();
    await save();
    await page.getByText('Describe this image.').first().waitFor();
    expect(await words(1).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await fetchGallery()).toEqual([]);
    await words(1).fill('The hall');
    await words(2).fill('The talk');
    await saveAs('The hall', 'The talk');
    await toastSaying(page, 'Images saved');

    const dropped = await page.evaluateHandle(
      (base64) => {
        const given = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        given.items.add(new File([bytes], 'after.jpg', { type: 'image/jpeg' }));
        return given;
      },
      (await photo('#33a')).toString('base64'),
    );
    await page
      .getByText('Drag images here, or choose them.')
      .dispatchEvent('drop', { dataTransfer: dropped });
    await words(3).fill('Farewell');
    await words(1).fill('The hall at noon');
    await saveAs('The hall at noon', 'The talk', 'Farewell');
    await page.getByRole('button', { name: 'Move image 3 up' }).press('Enter');
    await page.getByRole('button', { name: 'Move image 2 down' }).press('Enter');
    await page.getByRole('button', { name: 'Move image 1 down' }).press('Enter');
    await saveAs('The talk', 'The hall at noon', 'Farewell');

    const visitor = await visit({ viewport: PHONE });
    await visitor.page.goto(`/events/${event.id}`);
    const opened = visitor.page.getByRole('dialog');
    await visitor.page.getByRole('button', { name: 'The talk' }).click();
    await opened.getByRole('img', { name: 'The talk' }).waitFor();
    await visitor.page.keyboard.press('ArrowRight');
    await opened.getByRole('img', { name: 'The hall at noon' }).waitFor();
    await visitor.page.keyboard.press('ArrowLeft');
    await visitor.page.keyboard.press('ArrowLeft');
    await opened.getByRole('img', { name: 'Farewell' }).waitFor();
    await opened.getByRole('button', { name: 'Next image' }).click();
    await opened.getByRole('button', { name: 'Previous image' }).click();
    await opened.getByText('Image 3 of 3: Farewell').waitFor({ state: 'attached' });
    await visitor.page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    const talk = visitor.page.getByRole('button', { name: 'The talk' });
    expect(await talk.evaluate((button) => button === document.activeElement)).toBe(true);
    // Printing keeps the images together on a page and hides the upcoming event.
    const strip = visitor.page.getByRole('complementary', { name: 'Upcoming event' });
    await strip.waitFor();
    await visitor.page.emulateMedia({ media: 'print' });
    await strip.waitFor({ state: 'hidden' });
    expect(await visitor.page.locator('#pictures').evaluate((it) => getComputedStyle(it).breakInside)).toBe(
      'avoid',
    );
    await visitor.page.emulateMedia({ media: null });

    const [{ url: address } = { url: '' }] = await fetchGallery();
    expect(await fetchStatus(address)).toBe(200);
    expect(await fetchStatus(`${address}?width=480`)).toBe(200);
    await page.getByRole('button', { name: 'Remove image 1' }).press('Enter');
    await page.getByRole('dialog').getByText('Remove “The talk” from the event’s page?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await toastSaying(page, 'Image removed');
    expect(await fetchGallery()).toHaveLength(2);
    await words(3).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    expect(await fetchStatus(address)).toBe(404);
    expect(await fetchStatus(`${address}?width=480`)).toBe(404);
    await visitor.page.reload();
    await visitor.page.getByRole('button', { name: 'Farewell' }).waitFor();
    expect(await visitor.page.getByRole('button', { name: 'The talk', exact: true }).count()).toBe(0);
  });
});
