import type { Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { newcomer, signedUp } from '../support/api-client.js';
import { readDownload } from '../support/browser.js';
import { mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView } from './events-view.js';

describe('The guest list of an event', () => {
  const { url } = sharedStack();
  let page: Page;
  let view: EventsView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new EventsView(page, await administratorClient());
  });
  const openGuest = async (name: string) => {
    await rowWith(page, name).getByRole('button', { name, exact: true }).click();
    await view.dialog().waitFor();
  };

  it('adds a guest without an account to a full event, and edits, exports and removes them', async () => {
    const event = await view.openEvent({ capacity: 1, price: '15', paymentNote: 'Cash at the door' });
    const person = newcomer('Attila', `Attendee${Math.random().toString(36).slice(2)}`);
    const { client } = await signedUp(url, person);
    await client.post(`/api/events/${event.id}/register`);
    const guest = newcomer('Gwen', 'Guest');
    await view.openWorkspace(event, 'guests');
    await rowWith(page, person.email).getByText('Registered', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Add guest' }).click();
    await view.dialog().getByLabel('Name').fill('Gwen Guest');
    await view.dialog().getByLabel('Email').fill(guest.email);
    await view.dialog().getByRole('button', { name: 'Add guest' }).click();
    const full = page.getByRole('dialog', { name: 'No places left' });
    await full.getByText('Nobody else is waiting.').waitFor();
    await full.getByRole('button', { name: 'Add a place' }).click();
    await toastSaying(page, 'Gwen Guest is now registered');
    await mailTo(guest.email, /^You are registered/);

    await openGuest('Gwen Guest');
    await view.dialog().getByRole('switch', { name: 'Paid' }).click();
    await view.dialog().getByLabel('Note').fill('Brings the projector');
    await view.dialog().getByRole('button', { name: 'Save note' }).click();
    await toastSaying(page, 'Note saved');
    await page.keyboard.press('Escape');
    await view.dialog().waitFor({ state: 'detached' });
    await rowWith(page, 'Gwen Guest').getByText('Paid', { exact: true }).waitFor();
    await rowWith(page, 'Gwen Guest').getByText('Brings the projector').waitFor();

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    expect(String(await readDownload(await downloading))).toContain(
      `Gwen Guest,${guest.email},false,registered,`,
    );

    await openGuest('Gwen Guest');
    await view.dialog().getByRole('button', { name: 'Remove' }).click();
    const asked = page.getByRole('dialog', { name: 'Remove from the guest list' });
    await asked.getByLabel('Reason').fill('The projector is here already.');
    await asked.getByRole('button', { name: 'Remove' }).click();
    await toastSaying(page, 'Gwen Guest is no longer on the guest list');
    // Text that an organiser typed is only sent to verified email addresses.
    expect((await mailTo(guest.email, /^Your registration was canceled/)).text).not.toContain('projector');
  });
});
