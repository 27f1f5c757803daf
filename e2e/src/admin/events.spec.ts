import type { Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { query } from '../support/database.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView, uniqueTitle } from './events-view.js';

const HOUR = 3_600_000;

describe('Event Management', () => {
  const { url, databaseUrl } = sharedStack();
  let page: Page;
  let view: EventsView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new EventsView(page, await administratorClient());
  });

  it('deletes an event and its registrations after a warning', async () => {
    const event = await view.openEvent();
    const { client } = await signedUp(url);
    await client.post(`/api/events/${event.id}/register`);
    await view.open(event.title);
    await view.act(event.title, 'Delete');
    await view
      .dialog()
      .getByText(/All registrations for this event \(1\) are also removed/)
      .waitFor();
    await view
      .dialog()
      .getByText(/cannot be undone/)
      .waitFor();
    await view.dialog().getByRole('button', { name: 'Delete Event' }).click();
    await toastSaying(page, 'Event deleted successfully');
    await page.getByText('No events found.').waitFor();
    expect(
      await query(databaseUrl, 'SELECT id FROM events.event_registrations WHERE event_id = $1', [event.id]),
    ).toEqual([]);
  });

  it('filters events by time and price, and opens an event by a press on its row', async () => {
    const words = uniqueTitle('Filtered').replace(' ', '');
    const [past, planned] = [`${words} past`, `${words} planned`];
    await createdEvent(view.api, { title: past, startsIn: -48 * HOUR });
    await createdEvent(view.api, { title: planned, price: '5', paymentNote: 'Cash at the door' });
    await view.open(words);
    await rowWith(page, past).getByText('Past', { exact: true }).waitFor();
    for (const [group, choice, gone] of [
      ['Time', 'Past', planned],
      ['Time', 'All', null],
      ['Price', 'Paid', past],
    ] as const) {
      await page.getByRole('radiogroup', { name: group }).getByRole('radio', { name: choice }).click();
      if (gone) await rowWith(page, gone).waitFor({ state: 'detached' });
      else await rowWith(page, planned).waitFor();
    }
    const cell = await rowWith(page, planned).getByRole('cell').nth(2).boundingBox();
    await page.mouse.click(cell!.x + cell!.width / 2, cell!.y + cell!.height / 2);
    await page.getByRole('heading', { level: 1, name: planned }).waitFor();
  });
});
