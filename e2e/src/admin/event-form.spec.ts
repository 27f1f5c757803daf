import { isDeepStrictEqual } from 'node:util';
import type { Event } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { Locator, Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { query } from '../support/database.js';
import { openOptions } from '../support/event-form.js';
import { readColour, readShape, stripes } from '../support/phone-photo.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView, uniqueTitle } from './events-view.js';

const IN_ORDER = [
  ...['Event Title', 'Description', 'Start Date', 'Start Time', 'End Date', 'End Time'],
  ...['Location', 'Capacity (optional)', 'Choose an image', 'Pricing'],
  ...['More options', 'Waiting list', 'When', 'Where', 'Questions', 'Content', 'Cover', 'Who can see it'],
  ...['Cancel', 'Save draft', 'Create Event', 'Close'],
];
const ENOUGH_STOPS = 100;

describe('The event form', () => {
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
    await openOptions(view.dialog(), 'Where');
    await view.dialog().getByLabel('Accessibility (optional)').fill('Step-free entrance');
    await view.dialog().getByRole('button', { name: 'Create Event' }).click();
    await toastSaying(page, 'Event created successfully');
    await view.dialog().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/admin/events');
    await page.getByRole('button', { name: 'Open event' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.goBack();
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

  type Cover = Pick<Event, 'bannerImageUrl' | 'coverPattern' | 'coverSquare' | 'coverWide'>;

  async function sentCover(): Promise<Cover> {
    const sending = page.waitForRequest((request) => request.method() === 'PUT');
    await view.dialog().getByRole('button', { name: 'Update Event' }).click();
    const sent = (await sending).postDataJSON() as Cover;
    await toastSaying(page, 'Event updated successfully');
    return sent;
  }

  const ON_PAGE = 'On the page and in emails';
  const SHARED = 'On cards and when shared';

  /** Waits until the page shows the colour, because the browser may draw the image later than the page. */
  async function findColour(path: string, place: string, colour: number[]): Promise<void> {
    await page.goto(path);
    await until(`the right part of the image at ${path}`, 60_000, async () =>
      isDeepStrictEqual(await readColour(await page.locator(place).first().screenshot()), colour),
    );
  }
  const CARD = 'article:has-text("View Details") [class*=picture]';
  const COLUMN = '[class*=details] [class*=cover]';
  const getCardPath = ({ title }: Event) => `/?q=${encodeURIComponent(title)}#events`;

  async function drawn({ id }: Event, shape = ''): Promise<Buffer> {
    const answer = await page.request.get(`/media/share/${id}-1.jpg${shape}`);
    expect(answer.headers()['content-type']).toBe('image/jpeg');
    return answer.body();
  }

  it('crops an image separately for the page and for cards, by pointer and keyboard', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    const choosing = page.waitForEvent('filechooser');
    await view.dialog().getByRole('button', { name: 'Choose an image' }).click();
    // The stripes are red, green and blue from top to bottom, so green is in the middle.
    const buffer = await stripes(['#f00', '#0f0', '#00f']);
    await (await choosing).setFiles({ name: 'stripes.png', mimeType: 'image/png', buffer });
    await openOptions(view.dialog(), 'Cover');
    const [square, wide] = [ON_PAGE, SHARED].map((name) => view.dialog().getByRole('group', { name }));
    const shows = (frame: Locator, top: string) => frame.locator(`img[style*="top: ${top}"]`).waitFor();
    await shows(square!, '-25%');
    await square!.scrollIntoViewIfNeeded();
    const box = (await square!.boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 20 + 3 * box.height, { steps: 4 });
    await page.mouse.up();
    await shows(square!, '0%');
    await square!.focus();
    for (let press = 0; press < 21; press += 1) await page.keyboard.press('ArrowDown');
    await shows(square!, '-50%');
    await view.dialog().getByLabel(`Enlarge: ${ON_PAGE}`).fill('2');
    await wide!.focus();
    for (let press = 0; press < 21; press += 1) await page.keyboard.press('ArrowUp');
    await shows(wide!, '0%');
    const { bannerImageUrl, ...parts } = await sentCover();
    expect(await readShape(bannerImageUrl!)).toMatchObject({ width: 400, height: 600 });
    expect(parts).toMatchObject({
      coverSquare: { x: 0.5, y: 1, zoom: 2 },
      coverWide: { x: 0.5, y: 0, zoom: 1 },
    });
    const [blue, red] = [
      [0, 0, 1],
      [1, 0, 0],
    ];
    await findColour(`/events/${event.id}`, COLUMN, blue);
    expect(await readColour(await drawn(event, '?shape=square'))).toEqual(blue);
    await findColour(getCardPath(event), CARD, red);
    expect(await readColour(await drawn(event))).toEqual(red);
  });

  it('offers eight cover patterns and shows the chosen one on the page and on cards', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    await openOptions(view.dialog(), 'Cover');
    const patterns = view
      .dialog()
      .getByRole('group', { name: 'Or one of these patterns' })
      .getByRole('button');
    await patterns.last().waitFor();
    expect(await patterns.count()).toBe(8);
    await patterns.and(page.getByRole('button', { name: 'Stripes' })).click();
    await patterns.and(page.getByRole('button', { name: 'Stripes', pressed: true })).waitFor();
    const address = await patterns.nth(2).locator('img').getAttribute('src');
    expect(await sentCover()).toMatchObject({ bannerImageUrl: null, coverPattern: 3 });
    for (const [path, place] of [
      [`/events/${event.id}`, COLUMN],
      [getCardPath(event), CARD],
    ] as const) {
      await page.goto(path);
      expect(await page.locator(place).locator('img').getAttribute('src')).toBe(address);
    }
  });

  it.each([
    ['Create', 'Failed to create event'],
    ['Update', 'Failed to update event'],
  ])('reports when “%s Event” fails and keeps the form', async (button, words) => {
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

  it('keeps keyboard focus in the drawer and returns it to the button', async () => {
    const create = page.getByRole('button', { name: 'Create Event' }).first();
    const title = view.dialog().getByLabel('Event Title');
    const focused = page.locator(':focus');
    const press = (key: string) => page.keyboard.press(key);
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
    await create.click();
    await openOptions(view.dialog());
    await press('Escape');
    await view.dialog().waitFor({ state: 'detached' });
    await create.focus();
    await press('Enter');
    await title.and(focused).waitFor();
    const stops: (string | null)[] = [];
    do {
      const here = await stop();
      if (here !== stops.at(-1)) stops.push(here); // The parts of a date field count as one tab stop.
      await press('Tab');
    } while ((await stop()) !== stops[0] && stops.length < ENOUGH_STOPS);
    expect(stops).not.toContain('outside');
    expect(stops.filter((each) => each !== null && IN_ORDER.includes(each))).toEqual(IN_ORDER);

    await press('Escape');
    await view.dialog().waitFor({ state: 'detached' });
    await create.and(focused).waitFor();
  });
});
