import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { newcomer, signedUp } from '../support/api-client.js';
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
    await view.dialog().getByRole('button', { name: 'Add guest' }).click();
    await view.dialog().getByText('Name is required').waitFor();
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
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv).toContain(`Gwen Guest,${guest.email},false,registered,`);

    await openGuest('Gwen Guest');
    await view.dialog().getByRole('button', { name: 'Remove' }).click();
    const asked = page.getByRole('dialog', { name: 'Remove from the guest list' });
    await asked.getByLabel('Reason').fill('The projector is here already.');
    await asked.getByRole('button', { name: 'Remove' }).click();
    await toastSaying(page, 'Gwen Guest is no longer on the guest list');
    // Text that an organiser typed is only sent to verified email addresses.
    expect((await mailTo(guest.email, /^Your registration was canceled/)).text).not.toContain('projector');
  });

  it('marks, filters and removes members with an unconfirmed email address', async () => {
    const event = await view.openEvent();
    const members = [newcomer('Uma', 'First'), newcomer('Ulf', 'Second')];
    for (const member of members)
      await (await signedUp(url, member, false)).client.post(`/api/events/${event.id}/register`);
    const { client, person } = await signedUp(url);
    await client.post(`/api/events/${event.id}/register`);
    await view.openWorkspace(event, 'guests');
    await rowWith(page, members[0]!.email).getByText('Email not confirmed').waitFor();
    await page.getByRole('combobox', { name: 'Email confirmed' }).click();
    await page.getByText('Not confirmed', { exact: true }).click();
    await rowWith(page, person.email).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Remove (2)' }).click();
    const asked = page.getByRole('dialog', { name: 'Remove from the guest list' });
    await asked.getByRole('button', { name: 'Remove' }).click();
    await toastSaying(page, '2 people were removed from the guest list');
    const { body } = await client.get<{ count: number }>(`/api/events/${event.id}/count`);
    expect(body.count).toBe(1);
  });

  it('filters and searches guests, and keeps the search after a reload', async () => {
    const event = await view.openEvent({ capacity: 1, waitlistEnabled: true });
    const [taken, waiting] = [newcomer('Tara', 'Taken'), newcomer('Wanda', 'Waiting')];
    for (const [person, body] of [
      [taken, {}],
      [waiting, { waitlist: true }],
    ] as const) {
      const { client } = await signedUp(url, person);
      await client.post(`/api/events/${event.id}/register`, body);
    }
    await view.openWorkspace(event);
    await page.getByRole('link', { name: /^Check the waiting list/ }).click();
    await page.waitForURL(/state=waitlisted/);
    await rowWith(page, 'Wanda').waitFor();
    expect(await rowWith(page, 'Tara').count()).toBe(0);
    await page.goto(`/admin/events/${event.id}/guests`);
    await page.getByRole('searchbox').fill(taken.email);
    await rowWith(page, 'Wanda').waitFor({ state: 'detached' });
    await rowWith(page, 'Tara').waitFor();
    await page.getByRole('searchbox').fill('nobody is called this');
    await page.getByText('No matching guests').waitFor();
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('nobody is called this');
  });
});
