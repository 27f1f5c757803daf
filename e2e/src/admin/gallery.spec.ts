import type { EventPage } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { accessibilityFaults } from '../support/accessibility.js';
import { administratorClient, toastSaying, visitAs } from '../support/administrator.js';
import { answered, createdEvent, signedUp, type ApiClient } from '../support/api-client.js';
import { DESKTOP, PHONE, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { uniqueTitle } from './events-view.js';

const photo = (background: string, width = 900) =>
  sharp({ create: { width, height: Math.round(width / 1.5), channels: 3, background } })
    .jpeg()
    .toBuffer();
const file = async (name: string, background: string) => ({
  name: `${name}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await photo(background),
});

describe('The gallery of an event', () => {
  const { url } = sharedStack();
  let page: Page;
  let api: ApiClient;
  asAdministrator(async (opened) => {
    page = opened;
    api = await administratorClient();
  });
  const past = () =>
    createdEvent(api, {
      title: uniqueTitle('Remembered'),
      startDate: '2024-05-01T17:00:00.000Z',
      endDate: '2024-05-01T19:00:00.000Z',
    });
  const words = (at: number) => page.getByLabel(`Description of image ${at}`);
  const save = () => page.getByRole('button', { name: 'Save images' }).press('Enter');
  const fetchGallery = async ({ id }: { id: string }) =>
    (await api.expect<EventPage>(200, 'GET', `/api/events/${id}`)).gallery!;
  const fetchStatus = async (address: string) => (await answered(url + address)).status;

  it('adds, reorders, shows and permanently removes images', async () => {
    await page.setViewportSize(DESKTOP);
    const event = await past();
    await page.goto(`/admin/events/${event.id}`);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose images' }).press('Enter');
    await (await choosing).setFiles([await file('hall', '#a33'), await file('talk', '#3a3')]);
    await words(2).waitFor();
    await save();
    await page.getByText('Describe this image.').first().waitFor();
    expect(await words(1).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await fetchGallery(event)).toEqual([]);
    await words(1).fill('The hall');
    await words(2).fill('The talk');
    await save();
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
    await save();
    const filled = JSON.stringify(['The hall at noon', 'The talk', 'Farewell']);
    await until('all three', 60_000, async () => {
      const gallery = await fetchGallery(event);
      return JSON.stringify(gallery.map(({ alt }) => alt)) === filled;
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Move image 3 up' }).press('Enter');
    await page.getByRole('button', { name: 'Move image 2 down' }).press('Enter');
    await page.getByRole('button', { name: 'Move image 1 down' }).press('Enter');
    await save();
    const turned = JSON.stringify(['The talk', 'The hall at noon', 'Farewell']);
    await until('the other order', 60_000, async () => {
      const gallery = await fetchGallery(event);
      return JSON.stringify(gallery.map(({ alt }) => alt)) === turned;
    });

    const visitor = await visit(page.context().browser()!, url, { viewport: PHONE });
    await visitor.page.goto(`/events/${event.id}`);
    const opened = visitor.page.getByRole('dialog');
    await visitor.page.getByRole('button', { name: 'The talk' }).click();
    await opened.getByRole('img', { name: 'The talk' }).waitFor();
    expect(await accessibilityFaults(visitor.page)).toEqual([]);
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
    expect(await accessibilityFaults(visitor.page)).toEqual([]);
    // Printing keeps the images together on a page and hides the upcoming event.
    const strip = visitor.page.getByRole('complementary', { name: 'Upcoming event' });
    await strip.waitFor();
    await visitor.page.emulateMedia({ media: 'print' });
    await strip.waitFor({ state: 'hidden' });
    expect(await visitor.page.locator('#pictures').evaluate((it) => getComputedStyle(it).breakInside)).toBe(
      'avoid',
    );
    await visitor.page.emulateMedia({ media: null });

    const [{ url: address } = { url: '' }] = await fetchGallery(event);
    expect(await fetchStatus(address)).toBe(200);
    expect(await fetchStatus(`${address}?width=480`)).toBe(200);
    await page.getByRole('button', { name: 'Remove image 1' }).press('Enter');
    await page.getByRole('dialog').getByText('Remove “The talk” from the event’s page?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await toastSaying(page, 'Image removed');
    expect(await fetchGallery(event)).toHaveLength(2);
    await words(3).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    expect(await fetchStatus(address)).toBe(404);
    expect(await fetchStatus(`${address}?width=480`)).toBe(404);
    await visitor.page.reload();
    await visitor.page.getByRole('button', { name: 'Farewell' }).waitFor();
    expect(await visitor.page.getByRole('button', { name: 'The talk', exact: true }).count()).toBe(0);
    expect(visitor.errors).toEqual([]);
    await visitor.context.close();
  });

  it('merges concurrent edits and warns before replacing another person’s description', async () => {
    const event = await past();
    for (const [colour, alt] of [
      ['#a33', 'The hall'],
      ['#3a3', 'The talk'],
    ] as const) {
      const picture = `data:image/jpeg;base64,${(await photo(colour)).toString('base64')}`;
      await api.expect(201, 'POST', `/api/events/${event.id}/gallery`, { picture, alt });
    }
    const saved = async (...expected: string[]) =>
      expect((await fetchGallery(event)).map(({ alt }) => alt)).toEqual(expected);
    const second = await signedUp(url);
    await api.expect(200, 'PUT', `/api/admin/users/${second.user.id}`, { isAdmin: true });
    const { page: other, context } = await visitAs(page.context().browser()!, second.person);
    const getDescription = (tab: Page, at: number) => tab.getByLabel(`Description of image ${at}`);
    const saveIn = (tab: Page) => tab.getByRole('button', { name: 'Save images' }).press('Enter');
    for (const tab of [page, other]) {
      await tab.goto(`/admin/events/${event.id}`);
      await getDescription(tab, 2).waitFor();
    }
    await getDescription(page, 1).fill('The hall by one');
    await getDescription(other, 2).fill('The talk by another');
    await saveIn(page);
    await toastSaying(page, 'Images saved');
    await saveIn(other);
    await toastSaying(other, 'Images saved');
    await saved('The hall by one', 'The talk by another');

    await getDescription(page, 2).fill('The talk by one');
    await saveIn(page);
    await page.getByText('Someone else changed this to “The talk by another”.').waitFor();
    await saved('The hall by one', 'The talk by another');
    expect(await getDescription(page, 2).inputValue()).toBe('The talk by one');
    await saveIn(page);
    await until('the words that were seen to be replaced', 60_000, async () => {
      const [, talk] = await fetchGallery(event);
      return talk?.alt === 'The talk by one';
    });
    await context.close();
  });

  it('allows image changes after cancellation, and deletes images with the event', async () => {
    const event = await createdEvent(api, { title: uniqueTitle('Called off') });
    await api.expect(200, 'POST', `/api/events/${event.id}/cancel`);
    const picture = `data:image/jpeg;base64,${(await photo('#a3a')).toString('base64')}`;
    await api.expect(201, 'POST', `/api/events/${event.id}/gallery`, { picture, alt: 'The empty hall' });
    await page.goto(`/admin/events/${event.id}`);
    await words(1).waitFor();
    const [{ url: address } = { url: '' }] = await fetchGallery(event);
    await page.getByRole('button', { name: 'Remove image 1' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await toastSaying(page, 'Image removed');
    expect(await fetchStatus(address)).toBe(404);
    await api.expect(201, 'POST', `/api/events/${event.id}/gallery`, { picture, alt: 'The empty hall' });
    expect(await fetchStatus(address)).toBe(200);
    await api.expect(204, 'DELETE', `/api/events/${event.id}`);
    expect(await fetchStatus(address)).toBe(404);
  });
});
