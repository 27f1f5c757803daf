import type { Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { query } from '../support/database.js';
import { colourOf, phonePhoto, shapeOf, stripes } from '../support/phone-photo.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView, uniqueTitle } from './events-view.js';

/** Controls of a new event's form, as Tab reaches them; those in between are not named here. */
const IN_ORDER = [
  ...['Event Title', 'Description', 'All day', 'Start Date', 'Start Time', 'End Date', 'End Time'],
  ...['Format', 'Location', 'Capacity (optional)', 'Waiting list', 'Pricing', 'Visibility'],
  ...['Cancel', 'Save draft', 'Create Event', 'Close'],
];
const ENOUGH_STOPS = 100;

describe('The form of an event', () => {
  const { databaseUrl } = sharedStack();
  let page: Page;
  let view: EventsView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new EventsView(page, await administratorClient());
  });

  it('creates an event', async () => {
    const title = uniqueTitle('Fresh');
    await view.open(title);
    await page.getByRole('button', { name: 'Create Event' }).click();
    await view.dialog().getByText('Create New Event').waitFor();
    await view.dialog().getByLabel('Event Title').fill(title);
    await view.fillTimes(['2031-05-01', '18:00'], ['2031-05-01', '20:00']);
    await view.dialog().getByLabel('Accessibility (optional)').fill('Step-free entrance');
    await view.dialog().getByRole('button', { name: 'Create Event' }).click();
    await toastSaying(page, 'Event created successfully');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const box = (selector: string) => page.locator(selector).boundingBox();
    const [toast, link] = [await box('.ant-notification-notice'), await box('[data-keep-clear]')];
    expect(toast!.y >= link!.y + link!.height || toast!.y + toast!.height <= link!.y).toBe(true);
    await view.open(title);
    await rowWith(page, title).getByText('Upcoming', { exact: true }).waitFor();
    const [row] = await query<{ id: string; start_date: Date; price: string | null }>(
      databaseUrl,
      'SELECT id, start_date, price FROM events.events WHERE title = $1',
      [title],
    );
    expect(row).toMatchObject({ start_date: new Date('2031-05-01T17:00:00Z'), price: null });
    await page.goto(`/events/${row!.id}`);
    const section = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Accessibility' }) });
    await section.getByText('Step-free entrance').waitFor();
  });

  /** Saves the form, and what it sends as cover. */
  async function sentCover(): Promise<string> {
    const sending = page.waitForRequest((request) => request.method() === 'PUT');
    await view.dialog().getByRole('button', { name: 'Update Event' }).click();
    const { bannerImageUrl } = (await sending).postDataJSON() as { bannerImageUrl: string };
    await toastSaying(page, 'Event updated successfully');
    return bannerImageUrl;
  }

  it('takes a photo of a phone as banner, which is made smaller before it is sent', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    const choosing = page.waitForEvent('filechooser');
    await view.dialog().getByRole('button', { name: 'Choose an image' }).click();
    await (
      await choosing
    ).setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto() });
    await view.dialog().getByRole('group', { name: 'The part that becomes the cover' }).waitFor();
    const sent = await sentCover();
    expect(await shapeOf(sent)).toEqual({ width: 1_600, height: 800, exif: undefined });
  });

  it('takes the part of a picture that is moved into the frame by pointer or keys, and enlarged', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    const choosing = page.waitForEvent('filechooser');
    await view.dialog().getByRole('button', { name: 'Choose an image' }).click();
    // red above green above blue: the middle is green
    const buffer = await stripes(['#f00', '#0f0', '#00f']);
    await (await choosing).setFiles({ name: 'stripes.png', mimeType: 'image/png', buffer });
    const frame = view.dialog().getByRole('group', { name: 'The part that becomes the cover' });
    const shows = (top: string) => frame.locator(`img[style*="top: ${top}"]`).waitFor();
    await shows('-100%');
    await frame.scrollIntoViewIfNeeded();
    const box = (await frame.boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 20 + 3 * box.height, { steps: 4 });
    await page.mouse.up();
    await shows('0%');
    await frame.focus();
    for (let press = 0; press < 21; press += 1) await page.keyboard.press('ArrowDown');
    await shows('-200%');
    await view.dialog().getByLabel('Enlarge').fill('2');
    const sent = await sentCover();
    expect(await shapeOf(sent)).toMatchObject({ width: 200, height: 100 });
    expect(await colourOf(sent)).toEqual([0, 0, 1]);
  });

  it('proposes eight patterns as covers', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    const patterns = view
      .dialog()
      .getByRole('group', { name: 'Or one of these patterns' })
      .getByRole('button');
    await patterns.last().waitFor();
    expect(await patterns.count()).toBe(8);
    await patterns.nth(2).click();
    await view.dialog().locator('img[src^="data:"]').waitFor();
    expect(await patterns.nth(2).getAttribute('aria-pressed')).toBe('true');
    expect(await shapeOf(await sentCover())).toEqual({ width: 1_600, height: 800, exif: undefined });
  });

  it.each([
    ['Create', 'Failed to create event'],
    ['Update', 'Failed to update event'],
  ])('%s tells when saving fails and keeps the form', async (button, words) => {
    const event = await view.openEvent();
    const path = button === 'Create' ? '**/api/events' : `**/api/events/${event.id}`;
    await page.route(path, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 500, body: '' }),
    );
    if (button === 'Create') {
      await view.choose(event.title, 'Duplicate');
      await view.fillTimes(['2031-05-01', '18:00'], ['2031-05-01', '20:00']);
    } else await view.act(event.title, 'Edit');
    const title = await view.dialog().getByLabel('Event Title').inputValue();
    expect(title).toContain(event.title);
    await view
      .dialog()
      .getByRole('button', { name: `${button} Event` })
      .click();
    await toastSaying(page, words);
    expect(await view.dialog().getByLabel('Event Title').inputValue()).toBe(title);
    await page.unroute(path);
    await view.dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('duplicates an event as a new one', async () => {
    const event = await view.openEvent({
      capacity: 17,
      price: '12.50',
      paymentNote: 'Cash at the door',
      format: 'hybrid',
      location: 'York',
      accessibility: 'Lift on the left',
    });
    await view.choose(event.title, 'Duplicate');
    await view.dialog().getByText('Create New Event').waitFor();
    expect(await view.dialog().getByLabel('Event Title').inputValue()).toBe(`Copy of ${event.title}`);
    expect(await view.dialog().getByLabel('Start Date').inputValue()).toBe('');
    expect(await view.dialog().getByLabel('Accessibility (optional)').inputValue()).toBe('Lift on the left');
    const copy = uniqueTitle('Copied');
    await view.dialog().getByLabel('Event Title').fill(copy);
    await view.fillTimes(['2031-05-01', '18:00'], ['2031-05-01', '20:00']);
    await view.dialog().getByRole('button', { name: 'Create Event' }).click();
    await toastSaying(page, 'Event created successfully');
    await view.open(copy);
    const row = rowWith(page, copy);
    await row.getByText('0 of 17').waitFor();
    await row.getByText('£12.50').waitFor();
    await row.getByText('Hybrid · York').waitFor();
  });

  it('is worked by keyboard alone: in order, within its drawer, asking before typed text is lost', async () => {
    const create = page.getByRole('button', { name: 'Create Event' }).first();
    const title = view.dialog().getByLabel('Event Title');
    const focused = page.locator(':focus');
    const press = (key: string) => page.keyboard.press(key);
    /** The focused control as a screen reader names it; a group of choices is one stop. Null where the browser's own controls come. */
    const stop = () =>
      page.evaluate(() => {
        const control = document.activeElement as HTMLInputElement;
        if (control === document.body) return null;
        if (control.closest('[role=dialog]') === null) return 'outside';
        const group = control.matches('[type=radio]') && control.closest('[role=radiogroup]');
        if (group) return group.getAttribute('aria-label');
        return control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent ?? control.textContent;
      });

    await view.open(uniqueTitle('None'));
    await create.focus();
    await press('Enter');
    await title.and(focused).waitFor();
    const stops: (string | null)[] = [];
    do {
      const here = await stop();
      if (here !== stops.at(-1)) stops.push(here); // a date has a stop for each of its parts
      await press('Tab');
    } while ((await stop()) !== stops[0] && stops.length < ENOUGH_STOPS);
    expect(stops).not.toContain('outside');
    expect(stops.filter((each) => each !== null && IN_ORDER.includes(each))).toEqual(IN_ORDER);

    await press('Escape');
    await view.dialog().waitFor({ state: 'detached' });
    await create.and(focused).waitFor();

    await press('Enter');
    await title.and(focused).waitFor();
    await page.keyboard.type('Typed');
    await press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    await question.getByRole('button', { name: 'Keep editing' }).and(focused).waitFor();
    await press('Enter');
    await question.waitFor({ state: 'detached' });
    await title.and(focused).waitFor();
    expect(await title.inputValue()).toBe('Typed');

    await press('Escape');
    await question.getByRole('button', { name: 'Keep editing' }).and(focused).waitFor();
    await press('Tab');
    await question.getByRole('button', { name: 'Discard' }).and(focused).waitFor();
    await press('Enter');
    await view.dialog().first().waitFor({ state: 'detached' });
    await create.and(focused).waitFor();
  });
});
