import { isDeepStrictEqual } from 'node:util';
import type { Event } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { Locator, Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { query } from '../support/database.js';
import { openOptions } from '../support/event-form.js';
import { readColour, computeDifference, phonePhoto, readShape, stripes } from '../support/phone-photo.js';
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
/** Maximum difference between two images of the same pattern, on a scale of 0 to 255. */
const ALIKE = 12;

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
    await view.openWorkspace({ id: row!.id, title });
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await view.dialog().getByRole('button', { name: 'Update Event' }).click();
    await toastSaying(page, 'Event updated successfully');
    await view.dialog().waitFor({ state: 'detached' });
    const box = (selector: string) => page.locator(selector).boundingBox();
    const [toast, link] = [await box('.ant-notification-notice'), await box('[data-keep-clear]')];
    expect(toast!.y >= link!.y + link!.height || toast!.y + toast!.height <= link!.y).toBe(true);
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

  async function upload(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const choosing = page.waitForEvent('filechooser');
    await view.dialog().getByRole('button', { name: 'Choose an image' }).click();
    await (await choosing).setFiles(file);
  }

  const ON_PAGE = 'On the page and in emails';
  const SHARED = 'On cards and when shared';

  /** Waits until the page shows the right image, because the browser may draw it later than the page. */
  async function findPicture(
    path: string,
    place: string,
    isRight: (picture: Buffer) => Promise<boolean>,
  ): Promise<void> {
    await page.goto(path);
    const [share, details] = [
      page.getByRole('button', { name: 'Share' }),
      page.getByRole('link', { name: /^View Details/ }),
    ];
    await share.or(details).first().waitFor();
    await until(`the right picture at ${path}`, 60_000, async () =>
      isRight(await page.locator(place).first().screenshot()),
    );
  }
  const isColour = (colour: number[]) => async (shown: Buffer) =>
    isDeepStrictEqual(await readColour(shown), colour);
  const isLike = (other: Buffer) => async (shown: Buffer) => (await computeDifference(shown, other)) < ALIKE;
  const CARD = 'article:has-text("View Details") [class*=picture]';
  const COLUMN = '[class*=details] [class*=cover]';
  const getCardPath = ({ title }: Event) => `/?q=${encodeURIComponent(title)}#events`;

  async function drawn({ id }: Event, shape = ''): Promise<Buffer> {
    const answer = await page.request.get(`/media/share/${id}-1.jpg${shape}`);
    expect(answer.headers()['content-type']).toBe('image/jpeg');
    return answer.body();
  }

  it('scales a phone photo down before uploading it as the banner', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    await upload({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto() });
    await openOptions(view.dialog(), 'Cover');
    await view.dialog().getByRole('group', { name: ON_PAGE }).waitFor();
    const { bannerImageUrl, ...rest } = await sentCover();
    expect(await readShape(bannerImageUrl!)).toEqual({ width: 1_600, height: 2_133, exif: undefined });
    expect(rest).toHaveProperty('coverSquare', null);
  });

  it('crops an image separately for the page and for cards, by pointer and keyboard', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Edit');
    // The stripes are red, green and blue from top to bottom, so green is in the middle.
    await upload({
      ...{ name: 'stripes.png', mimeType: 'image/png' },
      buffer: await stripes(['#f00', '#0f0', '#00f']),
    });
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
    await findPicture(`/events/${event.id}`, COLUMN, isColour(blue));
    expect(await readColour(await drawn(event, '?shape=square'))).toEqual(blue);
    await findPicture(getCardPath(event), CARD, isColour(red));
    expect(await readColour(await drawn(event))).toEqual(red);

    await view.open(event.title);
    await view.act(event.title, 'Edit');
    await shows(wide!, '0%');
    await wide!.focus();
    await page.keyboard.press('ArrowDown');
    expect(await sentCover()).toMatchObject({ coverWide: { x: 0.5, y: 0.05, zoom: 1 } });
  });

  it('offers eight cover patterns and shows the chosen one on page, card and share image', async () => {
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
    const original = await (await page.request.get(address!)).body();
    expect(await computeDifference(original, await drawn(event, '?shape=square'))).toBeLessThan(ALIKE);
    await findPicture(`/events/${event.id}`, COLUMN, isLike(original));
    expect(await page.locator(COLUMN).locator('img').getAttribute('src')).toBe(address);
    await page.goto(getCardPath(event));
    expect(await page.locator(CARD).locator('img').getAttribute('src')).toBe(address);
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

  it('keeps keyboard focus in the drawer and asks before discarding typed text', async () => {
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
