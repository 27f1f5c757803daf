import type { Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { query } from '../support/database.js';
import { phonePhoto, shapeOf } from '../support/phone-photo.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView, uniqueTitle } from './events-view.js';

describe('The form of an event', () => {
  const { databaseUrl } = sharedStack();
  let page: Page;
  let view: EventsView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new EventsView(page, await administratorClient());
  });

  it('creates an event after every refusal of the form', async () => {
    const title = uniqueTitle('Fresh');
    await view.open(title);
    await page.getByRole('button', { name: 'Create Event' }).click();
    await view.dialog().getByText('Create New Event').waitFor();
    const create = view.dialog().getByRole('button', { name: 'Create Event' });
    await create.click();
    for (const refusal of [
      'Title is required',
      'Start date is required',
      'Start time is required',
      'End date is required',
      'End time is required',
    ])
      await view.dialog().getByText(refusal).waitFor();

    await view.dialog().getByLabel('Event Title').fill(title);
    await view.fillTimes(['2031-05-01', '18:00'], ['2031-05-01', '17:00']);
    await create.click();
    await toastSaying(page, 'Invalid Date Range');
    await toastSaying(page, 'End date and time must be after start date and time');

    await view.dialog().getByLabel('End Time').fill('20:00');
    await create.click();
    await toastSaying(page, 'Event created successfully');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await view.open(title);
    await rowWith(page, title).getByText('Upcoming', { exact: true }).waitFor();
    const [row] = await query<{ start_date: Date; price: string | null }>(
      databaseUrl,
      'SELECT start_date, price FROM events.events WHERE title = $1',
      [title],
    );
    expect(row).toMatchObject({ start_date: new Date('2031-05-01T17:00:00Z'), price: null });
  });

  it('takes a photo of a phone as banner, which is made smaller before it is sent', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    const choosing = page.waitForEvent('filechooser');
    await view.dialog().getByRole('button', { name: 'Choose an image' }).click();
    await (
      await choosing
    ).setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto() });
    await view.dialog().locator('img[src^="data:"]').waitFor();
    const sending = page.waitForRequest((request) => request.method() === 'PUT');
    await view.dialog().getByRole('button', { name: 'Update Event' }).click();
    const sent = (await sending).postDataJSON() as { bannerImageUrl: string };
    await toastSaying(page, 'Event updated successfully');
    expect(await shapeOf(sent.bannerImageUrl)).toEqual({ width: 1_600, height: 2_133, exif: undefined });
  });

  it('edits an event', async () => {
    const event = await view.openEvent({ location: 'Leeds' });
    await view.act(event.title, 'Edit');
    await view.dialog().getByText('Edit Event').waitFor();
    expect(await view.dialog().getByLabel('Event Title').inputValue()).toBe(event.title);
    await view.dialog().getByLabel('Location').fill('York');
    await view.dialog().getByRole('button', { name: 'Update Event' }).click();
    await toastSaying(page, 'Event updated successfully');
    await rowWith(page, event.title).getByText('York').waitFor();
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
    });
    await view.choose(event.title, 'Duplicate');
    await view.dialog().getByText('Create New Event').waitFor();
    expect(await view.dialog().getByLabel('Event Title').inputValue()).toBe(`Copy of ${event.title}`);
    expect(await view.dialog().getByLabel('Start Date').inputValue()).toBe('');
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
});
