import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import type { Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

const { url } = sharedStack();

describe('The waiting list of a full event', () => {
  const { visit, visitAs, visitAsAdministrator } = browserForTests();
  let event: Event;
  beforeEach(async () => {
    event = await createdEvent(await administratorClient(), { capacity: 1, waitlistEnabled: true });
  });

  const button = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true });

  it('promotes the next person each time a place becomes free', async () => {
    const path = eventPath(event);
    const first = await signedUp(url);
    await first.client.post(`/api/events/${event.id}/register`);

    const visitor = await visit({ viewport: PHONE });
    await visitor.page.goto(path);
    await button(visitor.page, 'Join the waiting list').first().waitFor();
    await button(visitor.page, 'Login to Register').click();
    await visitor.page.waitForURL(/[?&]signin/);
    expect(new URL(visitor.page.url()).searchParams.get('returnTo')).toBe(path);

    const ada = await signedUp(url);
    const { page } = await visitAs(ada.person, { viewport: PHONE });
    await page.goto(path);
    await page.getByRole('main').getByText('Fully Booked', { exact: true }).waitFor();
    await button(page, 'Join the waiting list').click();
    await toastSaying(page, 'You are on the waiting list');
    await page.getByRole('heading', { name: 'You are number 1', exact: true }).waitFor();
    const grace = await signedUp(url);
    await grace.client.post(`/api/events/${event.id}/register`, { waitlist: true });
    await page.goto('/my-events');
    await page.getByText('Waiting list', { exact: true }).waitFor();

    await first.client.delete(`/api/events/${event.id}/register`);
    const mail = await mailTo(ada.person.email, /You have a place/);
    const [link] = /https?:\/\/\S+\/give-up/.exec(mail.text) ?? [];
    await page.goto(new URL(link ?? '').pathname);
    await page.getByText(`You’re registered for “${event.title}”`).waitFor();
    await page.getByRole('button', { name: 'Give up my place' }).click();
    await page.getByText('Your place is now free for someone else.').waitFor();
    await mailTo(grace.person.email, /You have a place/);

    await page.goto(path);
    await button(page, 'Join the waiting list').click();
    await page.getByRole('heading', { name: 'You are number 1', exact: true }).waitFor();
    await button(page, 'Leave the waiting list').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the waiting list' }).click();
    await toastSaying(page, 'You’ve left the waiting list');
    await button(page, 'Join the waiting list').waitFor();
  });

  it('lets organisers promote or remove people, and turn the waiting list off', async () => {
    const [taken, ada, grace, linus] = [
      await signedUp(url),
      await signedUp(url),
      await signedUp(url),
      await signedUp(url),
    ];
    await taken.client.post(`/api/events/${event.id}/register`);
    for (const { client } of [ada, grace, linus])
      await client.post(`/api/events/${event.id}/register`, { waitlist: true });
    const { page } = await visitAsAdministrator();
    await page.goto(`/admin/events?q=${encodeURIComponent(event.title)}`);
    await rowWith(page, event.title).getByText('3 waiting').waitFor();
    await rowWith(page, event.title).getByRole('link', { name: event.title }).click();
    await page.getByRole('link', { name: 'Guests', exact: true }).click();
    await rowWith(page, linus.person.email).getByText('Waiting', { exact: true }).waitFor();
    await rowWith(page, linus.person.email)
      .getByRole('button', { name: /^Register: / })
      .click();
    await page
      .getByRole('dialog', { name: 'No places left' })
      .getByRole('button', { name: 'Add a place' })
      .click();
    await rowWith(page, linus.person.email).getByText('Registered', { exact: true }).waitFor();
    await mailTo(linus.person.email, /You have a place/);
    await rowWith(page, ada.person.email).getByRole('button').first().click();
    const name = `${ada.person.firstName} ${ada.person.lastName}`;
    const drawer = page.getByRole('dialog', { name });
    await drawer.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog', { name: 'Remove from the guest list' })
      .getByRole('button', { name: 'Remove' })
      .click();
    await rowWith(page, ada.person.email).getByText('Not coming', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit Event' });
    await form.getByRole('switch', { name: 'Waiting list' }).click();
    await form.getByRole('button', { name: 'Update Event' }).click();
    await form.getByText('Choose what happens to people on the waiting list').waitFor();
    await form.getByRole('radio', { name: 'They get a place' }).check();
    await form.getByRole('button', { name: 'Update Event' }).click();
    await rowWith(page, grace.person.email).getByText('Registered', { exact: true }).waitFor();
    await mailTo(grace.person.email, /You have a place/);
  });
});
