import type { Event } from '@meetmark/contracts';
import type { Page } from 'playwright-core';
import { administratorClient, toastSaying } from '../support/administrator.js';
import { createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { sharedStack } from '../support/shared-stack.js';

const getCard = (page: Page, event: Event) => page.getByRole('article').filter({ hasText: event.title });

describe('Registration for an event', () => {
  const { url } = sharedStack();
  const { visitAs } = browserForTests();

  it('lets members with an unconfirmed email address register and see attendees', async () => {
    const event = await createdEvent(await administratorClient(), { capacity: 5 });
    const ada = { ...newcomer(), linkedInUrl: 'https://www.linkedin.com/in/ada' };
    const coming = await signedUp(url, ada);
    await coming.client.post(`/api/events/${event.id}/register`);
    const { person } = await signedUp(url, newcomer(), false);
    const { page } = await visitAs(person);
    await page.goto(`/?event=${event.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Register', exact: true }).click();
    await toastSaying(page, 'Successfully registered for event');
    const name = `${coming.person.firstName} ${coming.person.lastName}`;
    await dialog.getByText(name, { exact: true }).waitFor();
    await dialog.getByRole('link', { name: `${name} on LinkedIn` }).waitFor();
    // The member counts immediately, but the name appears only after the email address is verified.
    await dialog.getByText('Attendees (2)').waitFor();
    await dialog.getByText('and 1 other').waitFor();
    await page.goto('/');
    await page.getByRole('searchbox').fill(event.title);
    await getCard(page, event).getByRole('button', { name: 'Registered' }).waitFor();
  });

  it('refuses members when the event is full and has no waiting list', async () => {
    const event = await createdEvent(await administratorClient(), { capacity: 1 });
    const { client: first } = await signedUp(url);
    await first.expect(201, 'POST', `/api/events/${event.id}/register`);
    const { person } = await signedUp(url);
    const { page } = await visitAs(person);
    await page.goto('/');
    await page.getByRole('searchbox').fill(event.title);
    const button = getCard(page, event).getByRole('button', { name: 'Event Full' });
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await page.goto(`/events/${event.id}`);
    await page
      .getByText('This event is at full capacity. Registration is no longer available.', { exact: true })
      .waitFor();
  });
});
