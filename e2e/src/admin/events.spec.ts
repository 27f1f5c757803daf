import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying, visitAsAdministrator } from '../support/administrator.js';
import { type ApiClient, createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { openBrowser } from '../support/browser.js';
import { query } from '../support/database.js';
import { sharedStack } from '../support/shared-stack.js';

const HOUR = 3_600_000;
const uniqueTitle = (words: string) => `${words} ${Math.random().toString(36).slice(2)}`;

describe('Event Management', () => {
  const { url, databaseUrl } = sharedStack();
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let api: ApiClient;
  beforeAll(async () => {
    browser = await openBrowser();
    api = await administratorClient();
    ({ page, errors } = await visitAsAdministrator(browser));
  });
  afterEach(() => expect(errors).toEqual([]));
  afterAll(() => browser.close());

  const dialog = () => page.getByRole('dialog');
  const open = async (search: string) => {
    await page.goto(`/admin/events?q=${encodeURIComponent(search)}`);
    await page.getByRole('row').nth(1).or(page.getByText('No events found.')).first().waitFor();
  };
  const openEvent = async (overrides: Parameters<typeof createdEvent>[1] = {}) => {
    const event = await createdEvent(api, { title: uniqueTitle('Planned'), ...overrides });
    await open(event.title);
    return event;
  };
  const act = (title: string, action: string) =>
    rowWith(page, title)
      .getByRole('button', { name: new RegExp(`^${action}`) })
      .click();
  const fillTimes = async (start: [string, string], end: [string, string]) => {
    await dialog().getByLabel('Start Date').fill(start[0]);
    await dialog().getByLabel('Start Time').fill(start[1]);
    await dialog().getByLabel('End Date').fill(end[0]);
    await dialog().getByLabel('End Time').fill(end[1]);
  };

  it('creates an event after every refusal of the form', async () => {
    const title = uniqueTitle('Fresh');
    await open(title);
    await page.getByRole('button', { name: 'Create Event' }).click();
    await dialog().getByText('Create New Event').waitFor();
    const create = dialog().getByRole('button', { name: 'Create Event' });
    await create.click();
    for (const refusal of [
      'Title is required',
      'Start date is required',
      'Start time is required',
      'End date is required',
      'End time is required',
    ])
      await dialog().getByText(refusal).waitFor();

    await dialog().getByLabel('Event Title').fill(title);
    await fillTimes(['2031-05-01', '18:00'], ['2031-05-01', '17:00']);
    await create.click();
    await toastSaying(page, 'Invalid Date Range');
    await toastSaying(page, 'End date and time must be after start date and time');

    await dialog().getByLabel('End Time').fill('20:00');
    await create.click();
    await toastSaying(page, 'Event created successfully');
    await dialog().waitFor({ state: 'detached' });
    await rowWith(page, title).getByText('Upcoming', { exact: true }).waitFor();
    const [row] = await query<{ start_date: Date; price: string | null }>(
      databaseUrl,
      'SELECT start_date, price FROM events.events WHERE title = $1',
      [title],
    );
    expect(row).toMatchObject({ start_date: new Date('2031-05-01T17:00:00Z'), price: null });
  });

  it('edits an event', async () => {
    const event = await openEvent({ location: 'Leeds' });
    await act(event.title, 'Edit');
    await dialog().getByText('Edit Event').waitFor();
    expect(await dialog().getByLabel('Event Title').inputValue()).toBe(event.title);
    await dialog().getByLabel('Location').fill('York');
    await dialog().getByRole('button', { name: 'Update Event' }).click();
    await toastSaying(page, 'Event updated successfully');
    await rowWith(page, event.title).getByText('York').waitFor();
  });

  it.each([
    ['Create', 'Failed to create event'],
    ['Update', 'Failed to update event'],
  ])('%s tells when saving fails and keeps the form', async (button, words) => {
    const event = await openEvent();
    const path = button === 'Create' ? '**/api/events' : `**/api/events/${event.id}`;
    await page.route(path, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 500, body: '' }),
    );
    await act(event.title, button === 'Create' ? 'Duplicate' : 'Edit');
    await dialog()
      .getByRole('button', { name: `${button} Event` })
      .click();
    await toastSaying(page, words);
    expect(await dialog().getByLabel('Event Title').inputValue()).toBe(event.title);
    await page.unroute(path);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('duplicates an event as a new one', async () => {
    const event = await openEvent({ capacity: 17, price: '12.50', format: 'hybrid', location: 'York' });
    await act(event.title, 'Duplicate');
    await dialog().getByText('Create New Event').waitFor();
    const copy = uniqueTitle('Copied');
    await dialog().getByLabel('Event Title').fill(copy);
    await dialog().getByRole('button', { name: 'Create Event' }).click();
    await toastSaying(page, 'Event created successfully');
    await open(copy);
    const row = rowWith(page, copy);
    await row.getByText('0 of 17').waitFor();
    await row.getByText('£12.50').waitFor();
    await row.getByText('Hybrid · York').waitFor();
  });

  it('deletes an event after the warning, its registrations with it', async () => {
    const event = await openEvent();
    const { client } = await signedUp(url);
    await client.post(`/api/events/${event.id}/register`);
    await open(event.title);
    await act(event.title, 'Delete');
    await dialog()
      .getByText(/All registrations for this event \(1\) are also removed/)
      .waitFor();
    await dialog()
      .getByText(/cannot be undone/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Delete Event' }).click();
    await toastSaying(page, 'Event deleted successfully');
    await page.getByText('No events found.').waitFor();
    expect(
      await query(databaseUrl, 'SELECT id FROM events.event_registrations WHERE event_id = $1', [event.id]),
    ).toEqual([]);
  });

  it('brings the row of a deleted event back when the call fails', async () => {
    const event = await openEvent();
    let fail: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route(`**/api/events/${event.id}`, async (route) => {
      await held;
      await route.fulfill({ status: 503, body: '' });
    });
    await act(event.title, 'Delete');
    await dialog().getByRole('button', { name: 'Delete Event' }).click();
    await rowWith(page, event.title).waitFor({ state: 'detached' });
    fail();
    await toastSaying(page, 'Failed to delete event');
    await rowWith(page, event.title).waitFor();
    await page.unroute(`**/api/events/${event.id}`);
  });

  it('tells what is past from what is planned, and filters by it and by the price', async () => {
    const words = uniqueTitle('Filtered').replace(' ', '');
    await createdEvent(api, { title: `${words} past`, startsIn: -48 * HOUR });
    await createdEvent(api, { title: `${words} planned`, price: '5' });
    await open(words);
    const titles = async () => {
      const rows = await page.getByRole('row').allInnerTexts();
      return rows.slice(1).map((row) => /\b(past|planned)\b/.exec(row)?.[1]);
    };
    await rowWith(page, `${words} past`).getByText('Past', { exact: true }).waitFor();
    expect(await titles()).toEqual(['planned', 'past']);
    for (const [group, choice, gone] of [
      ['Time', 'Upcoming', 'past'],
      ['Time', 'Past', 'planned'],
      ['Time', 'All', null],
      ['Price', 'Free', 'planned'],
      ['Price', 'Paid', 'past'],
    ] as const) {
      await page.getByRole('radiogroup', { name: group }).getByRole('radio', { name: choice }).click();
      if (gone) await rowWith(page, `${words} ${gone}`).waitFor({ state: 'detached' });
      else await rowWith(page, `${words} planned`).waitFor();
    }
  });

  it('lists and exports the attendees of an event', async () => {
    const event = await openEvent();
    const person = newcomer('Attila', 'Attendee');
    const { client } = await signedUp(url, person);
    await client.post(`/api/events/${event.id}/register`);
    await act(event.title, 'Attendees');
    await dialog().getByText(person.email).waitFor();
    await dialog().getByText('1 registered').waitFor();
    const downloading = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Export Attendees' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^attendees-planned-\w+-\d{4}-\d{2}-\d{2}\.csv$/);
    const [header, line] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(header).toBe('\uFEFFFirst Name,Last Name,Email,Registered At');
    expect(line).toContain(`Attila,Attendee,${person.email},`);
    await toastSaying(page, 'Attendees exported successfully');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('says when an event has no attendees', async () => {
    const event = await openEvent();
    await act(event.title, 'Attendees');
    await dialog().getByText('No attendees yet').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    await dialog().waitFor({ state: 'detached' });
  });
});
