import type { Page } from 'playwright-core';
import { administratorClient, rowWith } from '../support/administrator.js';
import { DESKTOP, PHONE, resize } from '../support/browser.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView, uniqueTitle } from './events-view.js';

const DAY = 86_400_000;
const [PAST, FUTURE] = [-40, 40].map((days) => new Date(Date.now() + days * DAY));
const stamp = (moment: Date) => `${moment.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

describe('Importing events', () => {
  let page: Page;
  let view: EventsView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new EventsView(page, await administratorClient());
  });

  const press = (name: string) => view.dialog().getByRole('button', { name, exact: true }).last().click();
  const says = (text: string) => view.dialog().getByText(text, { exact: true }).waitFor();
  const choose = (name: string, text: string) =>
    view
      .dialog()
      .getByLabel('File with events')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

  it('previews a file, imports it once, maps another file, and undoes an import', async () => {
    const [then, soon] = [uniqueTitle('Then'), uniqueTitle('Soon')];
    const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
    const calendar = [
      'BEGIN:VCALENDAR',
      ...event(`UID:${then}`, `SUMMARY:${then}`, `DTSTART:${stamp(PAST!)}`, 'DURATION:PT1H'),
      ...event(`UID:${soon}`, `SUMMARY:${soon}`, `DTSTART:${stamp(FUTURE!)}`),
      ...event(`UID:${then} broken`, `SUMMARY:No start ${then}`),
      'END:VCALENDAR',
    ].join('\r\n');
    const name = `${then}.ics`;

    await view.open('');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await choose(name, calendar);
    await says('2 new, 0 changed, 0 unchanged, 1 with problems');
    await rowWith(page, `No start ${then}`).getByText('Start: Please fill this in').waitFor();
    await rowWith(page, soon).getByText('The file has no end, so we assume two hours.').waitFor();
    await press('Import 2 events');
    await says('Imported: 2 created, 0 updated');
    await rowWith(page, soon).getByText('Created', { exact: true }).waitFor();
    await press('Close');
    await view.dialog().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Import', exact: true }).and(page.locator(':focus')).waitFor();
    await view.open(soon);
    await rowWith(page, soon).getByText('Draft', { exact: true }).waitFor();
    await view.open(then);
    await rowWith(page, then).getByText('Past', { exact: true }).waitFor();

    await resize(page, PHONE);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await choose(name, calendar);
    await says('0 new, 0 changed, 2 unchanged, 1 with problems');
    await press('Choose another file');
    await choose('talks.csv', `Talk;When;Where\n${uniqueTitle('Mapped')};03/04/2031 18:00;Hall`);
    await view.dialog().getByLabel('Title').selectOption('Talk');
    await view.dialog().getByLabel('Start', { exact: true }).selectOption('When');
    await view.dialog().getByRole('radio', { name: 'Day first' }).check({ force: true });
    await press('Check events');
    await says('1 new, 0 changed, 0 unchanged, 0 with problems');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    await resize(page, DESKTOP);

    await press('Choose another file');
    await press(name);
    await press('Undo import');
    await says('2 undone, 0 kept because someone edited or joined them');
    await press('Close');
    await view.open(then);
    await page.getByText('No events found.').waitFor();
  });
});
