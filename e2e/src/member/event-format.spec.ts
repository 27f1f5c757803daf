import type { Event } from '@meetmark/contracts';
import type { Page } from 'playwright-core';
import { toastSaying } from '../support/administrator.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { openOptions } from '../support/event-form.js';

describe('The web app', () => {
  const { visitAsAdministrator } = browserForTests();
  const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });

  it('shows an event abroad in its time zone and in the reader’s', async () => {
    const title = `Abroad ${Date.now()}`;
    const { page } = await visitAsAdministrator();
    await page.goto('/events?create=1');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event Title').fill(title);
    for (const [label, value] of [
      ['Start Date', '2031-07-05'],
      ['Start Time', '19:00'],
      ['End Date', '2031-07-05'],
      ['End Time', '21:00'],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await openOptions(dialog, 'When', 'Where');
    await dialog.getByRole('button', { name: 'Another time zone' }).click();
    await page.keyboard.type('new york');
    await dialog.getByTitle('America/New York · Eastern Time').click();
    await dialog.getByRole('radio', { name: 'Hybrid' }).check();
    await dialog.getByLabel('Location').fill('Brooklyn');
    await dialog.getByRole('button', { name: 'Create Event' }).click();
    await toastSaying(page, 'Event created successfully');

    await page.goto(`/?q=${encodeURIComponent(title)}`);
    await card(page, title).getByText('Hybrid · Brooklyn', { exact: true }).waitFor();
    await card(page, title)
      .getByText(/^Sat, Jul 5, 2031, 7:00 – 9:00\sPM EDT \(Sun, Jul 6, 12:00 – 2:00\sAM BST\)$/)
      .waitFor();
    await card(page, title)
      .getByRole('link', { name: /^View Details/ })
      .click();
    await dialog.getByText('Saturday, July 5, 2031').waitFor();
    await dialog.getByText(/^Your time: Sun, Jul 6, 12:00 – 2:00\sAM BST$/).waitFor();
    await dialog.getByRole('link', { name: 'Open the event’s page' }).click();
    await page.waitForURL(/\/e\/[\w-]+$/);
    const source = await (await fetch(page.url())).text();
    expect(source).toContain('Saturday, July 5, 2031, 7:00 – 9:00 PM EDT');
    expect(source).toContain('https://schema.org/MixedEventAttendanceMode');
    const [found] = (await (
      await page.request.get(`/api/events?q=${encodeURIComponent(title)}`)
    ).json()) as Event[];
    const ics = await (await page.request.get(`/api/events/${found!.id}/calendar.ics`)).text();
    expect(ics).toContain('DTSTART;TZID=America/New_York:20310705T190000');
  });
});
