import type { Event } from '@meetmark/contracts';
import type { Browser, Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying, visitAsAdministrator } from '../support/administrator.js';
import { createdEvent } from '../support/api-client.js';
import { openBrowser, visit } from '../support/browser.js';
import { openOptions } from '../support/event-form.js';
import { sharedStack } from '../support/shared-stack.js';

describe('The web app', () => {
  const { url } = sharedStack();
  const words = `Format${Date.now()}`;
  const online = `${words} from afar`;
  const hybrid = `${words} both ways`;
  const inPerson = `${words} in the room`;
  const abroad = `${words} abroad`;
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
    const api = await administratorClient();
    await createdEvent(api, { title: hybrid, format: 'hybrid', location: 'Leeds' });
    // In the community's time zone, the event starts at half past midnight.
    const times = { startDate: '2031-07-03T23:30:00.000Z', endDate: '2031-07-04T01:30:00.000Z' };
    await createdEvent(api, { title: inPerson, location: 'York', ...times });
  });
  afterAll(() => browser.close());

  const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });
  const choose = (page: Page, format: string) =>
    page
      .getByRole('radiogroup', { name: 'Format' })
      .getByRole('radio', { name: format, exact: true })
      .check();

  it('saves an event’s format, and filters the admin list by format', async () => {
    const { page, errors } = await visitAsAdministrator(browser);
    await page.goto(`/admin/events?q=${words}`);
    await page.getByRole('button', { name: 'Create Event' }).click();
    const dialog = page.getByRole('dialog');
    await openOptions(dialog, 'Where');
    await dialog.getByRole('radio', { name: 'In person', checked: true }).waitFor();
    await dialog.getByLabel('Event Title').fill(online);
    for (const [label, value] of [
      ['Start Date', '2031-07-03'],
      ['Start Time', '18:00'],
      ['End Date', '2031-07-03'],
      ['End Time', '20:00'],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('radio', { name: 'Online' }).check();
    await dialog.getByRole('button', { name: 'Create Event' }).click();
    await toastSaying(page, 'Event created successfully');
    await rowWith(page, online).getByText('Online', { exact: true }).waitFor();
    await rowWith(page, hybrid).getByText('Hybrid · Leeds').waitFor();

    await page.goto(`/admin/events?q=${words}&format=online`);
    await rowWith(page, online).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);

    await rowWith(page, online).getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByRole('radio', { name: 'Online', checked: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('shows the event’s format on cards, and filters cards by format', async () => {
    const { page, context, errors } = await visit(browser, url);
    const listed = page.getByRole('region', { name: 'Browse Events' }).getByRole('article');
    await page.goto('/');
    await page.getByRole('searchbox').fill(words);
    await page.getByText('3 events found').waitFor();
    await card(page, online).getByText('Online', { exact: true }).waitFor();
    await card(page, hybrid).getByText('Hybrid · Leeds', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Filters' }).click();
    await choose(page, 'Online');
    await page.getByText('1 event found').waitFor();
    await card(page, online).waitFor();
    expect(await listed.count()).toBe(1);
    await choose(page, 'In person');
    await card(page, inPerson).waitFor();
    expect(await listed.count()).toBe(1);
    await choose(page, 'All formats');
    await page.getByText('3 events found').waitFor();

    await card(page, online)
      .getByRole('link', { name: /^View Details/ })
      .click();
    const details = page.getByRole('dialog');
    await details.getByText('Online', { exact: true }).first().waitFor();
    await details.getByRole('link', { name: 'Open the event’s page' }).click();
    await page.waitForURL(/\/e\/[\w-]+$/);
    const source = await (await fetch(page.url())).text();
    expect(source).toContain('https://schema.org/OnlineEventAttendanceMode');
    expect(errors).toEqual([]);
    await context.close();
  });

  it('shows an event abroad in its time zone and in the reader’s', async () => {
    const { page, errors } = await visitAsAdministrator(browser);
    await page.goto(`/admin/events?q=${words}`);
    await page.getByRole('button', { name: 'Create Event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event Title').fill(abroad);
    for (const [label, value] of [
      ['Start Date', '2031-07-05'],
      ['Start Time', '19:00'],
      ['End Date', '2031-07-05'],
      ['End Time', '21:00'],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await openOptions(dialog, 'When');
    await dialog.getByRole('button', { name: 'Another time zone' }).click();
    await page.keyboard.type('new york');
    await dialog.getByTitle('America/New York · Eastern Time').click();
    await dialog.getByRole('button', { name: 'Create Event' }).click();
    await toastSaying(page, 'Event created successfully');
    await rowWith(page, abroad).waitFor();

    await page.goto(`/?q=${words}`);
    await card(page, abroad)
      .getByText(/^Sat, Jul 5, 2031, 7:00 – 9:00\sPM EDT \(Sun, Jul 6, 12:00 – 2:00\sAM BST\)$/)
      .waitFor();
    await card(page, abroad)
      .getByRole('link', { name: /^View Details/ })
      .click();
    await dialog.getByText('Saturday, July 5, 2031').waitFor();
    await dialog.getByText(/^Your time: Sun, Jul 6, 12:00 – 2:00\sAM BST$/).waitFor();
    await dialog.getByRole('link', { name: 'Open the event’s page' }).click();
    await page.waitForURL(/\/e\/[\w-]+$/);
    expect(await (await fetch(page.url())).text()).toContain('Saturday, July 5, 2031, 7:00 – 9:00 PM EDT');
    const found = (await (await page.request.get(`/api/events?q=${words}`)).json()) as Event[];
    const { id } = found.find(({ title }) => title === abroad)!;
    const ics = await (await page.request.get(`/api/events/${id}/calendar.ics`)).text();
    expect(ics).toContain('DTSTART;TZID=America/New_York:20310705T190000');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('shows in-person events in the venue’s time and online events in the reader’s', async () => {
    const { page, context, errors } = await visit(browser, url, { timezoneId: 'America/New_York' });
    await page.goto(`/?q=${words}`);
    await card(page, inPerson)
      .getByText(/^Fri, Jul 4, 2031, 12:30 – 2:30\sAM BST \(Thu, Jul 3, 7:30 – 9:30\sPM EDT\)$/)
      .waitFor();
    await card(page, online)
      .getByText(/^Thu, Jul 3, 2031, 1:00 – 3:00\sPM EDT \(6:00 – 8:00\sPM BST\)$/)
      .waitFor();
    await page.goto('/events?month=2031-07');
    const readDay = (title: string) =>
      page.getByRole('cell').filter({ hasText: title }).locator('span').first().innerText();
    expect([await readDay(inPerson), await readDay(online)]).toEqual(['4', '3']);
    await page.getByRole('link', { name: inPerson }).first().click();
    const details = page.getByRole('dialog');
    await details.getByText('Friday, July 4, 2031').waitFor();
    await details.getByText(/^12:30 – 2:30\sAM BST$/).waitFor();
    await details.getByText(/^Your time: Thu, Jul 3, 7:30 – 9:30\sPM EDT$/).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
