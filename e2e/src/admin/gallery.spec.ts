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

/** A photo of one colour, as large as asked. */
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
  const words = (at: number) => page.getByLabel(`What picture ${at} shows`);
  const save = () => page.getByRole('button', { name: 'Save pictures' }).press('Enter');
  const galleryOf = async ({ id }: { id: string }) =>
    (await api.expect<EventPage>(200, 'GET', `/api/events/${id}`)).gallery!;
  const statusOf = async (address: string) => (await answered(url + address)).status;

  it('is filled by files and by dragging, seen by a visitor on a phone, and loses a picture for good', async () => {
    await page.setViewportSize(DESKTOP);
    const event = await past();
    await page.goto(`/admin/events/${event.id}`);
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose pictures' }).press('Enter');
    await (await choosing).setFiles([await file('hall', '#a33'), await file('talk', '#3a3')]);
    await words(2).waitFor();
    await save();
    await page.getByText('Say what the picture shows.').first().waitFor();
    expect(await words(1).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await galleryOf(event)).toEqual([]);
    await words(1).fill('The hall');
    await words(2).fill('The talk');
    await save();
    await toastSaying(page, 'The pictures were saved');

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
      .getByText('Drag pictures here, or choose them.')
      .dispatchEvent('drop', { dataTransfer: dropped });
    await words(3).fill('Farewell');
    await words(1).fill('The hall at noon');
    await save();
    const filled = JSON.stringify(['The hall at noon', 'The talk', 'Farewell']);
    await until('all three', 10_000, async () => {
      const gallery = await galleryOf(event);
      return JSON.stringify(gallery.map(({ alt }) => alt)) === filled;
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Move picture 3 up' }).press('Enter');
    await page.getByRole('button', { name: 'Move picture 2 down' }).press('Enter');
    await page.getByRole('button', { name: 'Move picture 1 down' }).press('Enter');
    await save();
    const turned = JSON.stringify(['The talk', 'The hall at noon', 'Farewell']);
    await until('the other order', 10_000, async () => {
      const gallery = await galleryOf(event);
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
    await opened.getByRole('button', { name: 'Next picture' }).click();
    await opened.getByRole('button', { name: 'Previous picture' }).click();
    await opened.getByText('Picture 3 of 3: Farewell').waitFor({ state: 'attached' });
    await visitor.page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    const talk = visitor.page.getByRole('button', { name: 'The talk' });
    expect(await talk.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await accessibilityFaults(visitor.page)).toEqual([]);
    // on paper no page ends within it, and no other event is announced
    const strip = visitor.page.getByRole('complementary', { name: 'Upcoming event' });
    await strip.waitFor();
    await visitor.page.emulateMedia({ media: 'print' });
    await strip.waitFor({ state: 'hidden' });
    expect(await visitor.page.locator('#pictures').evaluate((it) => getComputedStyle(it).breakInside)).toBe(
      'avoid',
    );
    await visitor.page.emulateMedia({ media: null });

    const [{ url: address } = { url: '' }] = await galleryOf(event);
    expect(await statusOf(address)).toBe(200);
    expect(await statusOf(`${address}?width=480`)).toBe(200);
    await page.getByRole('button', { name: 'Remove picture 1' }).press('Enter');
    await page.getByRole('dialog').getByText('Remove “The talk” from the event’s page?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await toastSaying(page, 'The picture was removed');
    expect(await galleryOf(event)).toHaveLength(2);
    await words(3).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    expect(await statusOf(address)).toBe(404);
    expect(await statusOf(`${address}?width=480`)).toBe(404);
    await visitor.page.reload();
    await visitor.page.getByRole('button', { name: 'Farewell' }).waitFor();
    expect(await visitor.page.getByRole('button', { name: 'The talk', exact: true }).count()).toBe(0);
    expect(visitor.errors).toEqual([]);
    await visitor.context.close();
  });

  it('is changed by two at once: each keeps what they wrote, and sees the words of the other before they are replaced', async () => {
    const event = await past();
    for (const [colour, alt] of [
      ['#a33', 'The hall'],
      ['#3a3', 'The talk'],
    ] as const) {
      const picture = `data:image/jpeg;base64,${(await photo(colour)).toString('base64')}`;
      await api.expect(201, 'POST', `/api/events/${event.id}/gallery`, { picture, alt });
    }
    const saved = async (...expected: string[]) =>
      expect((await galleryOf(event)).map(({ alt }) => alt)).toEqual(expected);
    const second = await signedUp(url);
    await api.expect(200, 'PUT', `/api/admin/users/${second.user.id}`, { isAdmin: true });
    const { page: other, context } = await visitAs(page.context().browser()!, second.person);
    const wordsOf = (tab: Page, at: number) => tab.getByLabel(`What picture ${at} shows`);
    const saveIn = (tab: Page) => tab.getByRole('button', { name: 'Save pictures' }).press('Enter');
    for (const tab of [page, other]) {
      await tab.goto(`/admin/events/${event.id}`);
      await wordsOf(tab, 2).waitFor();
    }
    await wordsOf(page, 1).fill('The hall by one');
    await wordsOf(other, 2).fill('The talk by another');
    await saveIn(page);
    await toastSaying(page, 'The pictures were saved');
    await saveIn(other);
    await toastSaying(other, 'The pictures were saved');
    await saved('The hall by one', 'The talk by another');

    await wordsOf(page, 2).fill('The talk by one');
    await saveIn(page);
    await page.getByText('Somebody wrote meanwhile: “The talk by another”.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await saved('The hall by one', 'The talk by another');
    expect(await wordsOf(page, 2).inputValue()).toBe('The talk by one');
    await saveIn(page);
    await until('the words that were seen to be replaced', 10_000, async () => {
      const [, talk] = await galleryOf(event);
      return talk?.alt === 'The talk by one';
    });
    await context.close();
  });

  it('of a cancelled event is filled and emptied, and ends with the event', async () => {
    const event = await createdEvent(api, { title: uniqueTitle('Called off') });
    await api.expect(200, 'POST', `/api/events/${event.id}/cancel`);
    const picture = `data:image/jpeg;base64,${(await photo('#a3a')).toString('base64')}`;
    await api.expect(201, 'POST', `/api/events/${event.id}/gallery`, { picture, alt: 'The empty hall' });
    await page.goto(`/admin/events/${event.id}`);
    await words(1).waitFor();
    const [{ url: address } = { url: '' }] = await galleryOf(event);
    await page.getByRole('button', { name: 'Remove picture 1' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await toastSaying(page, 'The picture was removed');
    expect(await statusOf(address)).toBe(404);
    await api.expect(201, 'POST', `/api/events/${event.id}/gallery`, { picture, alt: 'The empty hall' });
    expect(await statusOf(address)).toBe(200);
    await api.expect(204, 'DELETE', `/api/events/${event.id}`);
    expect(await statusOf(address)).toBe(404);
  });
});
