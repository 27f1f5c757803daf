import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { administratorClient, toastSaying } from '../support/administrator.js';
import { newcomer, signedUp } from '../support/api-client.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView } from './events-view.js';

describe('The attendees of an event', () => {
  const { url } = sharedStack();
  let page: Page;
  let view: EventsView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new EventsView(page, await administratorClient());
  });

  it('lists and exports the attendees of an event', async () => {
    const event = await view.openEvent();
    const person = newcomer('Attila', 'Attendee');
    const { client } = await signedUp(url, person);
    await client.post(`/api/events/${event.id}/register`);
    await view.act(event.title, 'Attendees');
    await view.dialog().getByText(person.email).waitFor();
    await view.dialog().getByText('1 registered').waitFor();
    const downloading = page.waitForEvent('download');
    await view.dialog().getByRole('button', { name: 'Export Attendees' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^attendees-planned-\w+-\d{4}-\d{2}-\d{2}\.csv$/);
    const [header, line] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(header).toBe('\uFEFFFirst Name,Last Name,Email,Registered At');
    expect(line).toContain(`Attila,Attendee,${person.email},`);
    await toastSaying(page, 'Attendees exported successfully');
    await page.keyboard.press('Escape');
    await view.dialog().waitFor({ state: 'detached' });
  });

  it('says when an event has no attendees', async () => {
    const event = await view.openEvent();
    await view.act(event.title, 'Attendees');
    await view.dialog().getByText('No attendees yet').waitFor();
    await view.dialog().getByRole('button', { name: 'Close' }).click();
    await view.dialog().waitFor({ state: 'detached' });
  });
});
