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

  it('takes somebody without an account at a full event once a place is added, who is mailed, marked and removed', async () => {
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
    const full = page.getByRole('dialog', { name: 'No place is free' });
    await full.getByText('Nobody else waits for one.').waitFor();
    await full.getByRole('button', { name: 'Add a place' }).click();
    await toastSaying(page, 'Gwen Guest has a place now');
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
    expect(csv).toContain(`Gwen Guest,${guest.email},registered,`);

    await openGuest('Gwen Guest');
    await view.dialog().getByRole('button', { name: 'Remove' }).click();
    const asked = page.getByRole('dialog', { name: 'Remove from the guest list' });
    await asked.getByLabel('Reason').fill('The projector is here already.');
    await asked.getByRole('button', { name: 'Remove' }).click();
    await toastSaying(page, 'Gwen Guest is not on the guest list any more');
    // what somebody typed is mailed to proved addresses alone
    expect((await mailTo(guest.email, /^Your place was canceled/)).text).not.toContain('projector');
  });

  it('is filtered and searched on the server, and keeps that in the address', async () => {
    const event = await view.openEvent({ capacity: 1 });
    const [taken, waiting] = [newcomer('Tara', 'Taken'), newcomer('Wanda', 'Waiting')];
    for (const [person, body] of [
      [taken, {}],
      [waiting, { waitlist: true }],
    ] as const) {
      const { client } = await signedUp(url, person);
      await client.post(`/api/events/${event.id}/register`, body);
    }
    await view.openWorkspace(event);
    await page.getByRole('link', { name: /^Look at the waiting list/ }).click();
    await page.waitForURL(/state=waitlisted/);
    await rowWith(page, 'Wanda').waitFor();
    expect(await rowWith(page, 'Tara').count()).toBe(0);
    await page.goto(`/admin/events/${event.id}/guests`);
    await page.getByRole('searchbox').fill(taken.email);
    await rowWith(page, 'Wanda').waitFor({ state: 'detached' });
    await rowWith(page, 'Tara').waitFor();
    await page.getByRole('searchbox').fill('nobody is called this');
    await page.getByText('Nobody matches').waitFor();
    await page.reload();
    expect(await page.getByRole('searchbox').inputValue()).toBe('nobody is called this');
  });
});
