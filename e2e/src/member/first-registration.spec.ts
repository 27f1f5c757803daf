import { administratorClient } from '../support/administrator.js';
import { createdEvent, newcomer } from '../support/api-client.js';
import { keyboardHasPlace } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { submitSignUp } from '../support/sign-up-form.js';

describe('A visitor who finds an event', () => {
  const { visit } = browserForTests();

  it('signs up, registers, finds the event in My Events and unregisters', async () => {
    const title = `Attribution breakfast ${Date.now()}`;
    const event = await createdEvent(await administratorClient(), { title });
    const { page } = await visit();
    const person = newcomer('Ada', 'Attendee');

    await page.goto('/');
    await page.getByRole('searchbox').fill(event.title);
    const card = page.getByRole('article').filter({ hasText: event.title });
    await card
      .getByRole('link', { name: 'Login to Register' })
      .or(card.getByRole('button', { name: 'Login to Register' }))
      .click();
    await page.waitForURL(/signin=1/);

    await submitSignUp(page, person);
    await page.getByRole('navigation').getByRole('link', { name: 'My Events' }).waitFor();

    await page.getByRole('searchbox').fill(event.title);
    await card.getByRole('button', { name: `Register: ${event.title}` }).click();
    await page.getByText('Successfully registered for event').waitFor();
    await card.getByRole('button', { name: 'Registered' }).waitFor();

    await page.getByRole('navigation').getByRole('link', { name: 'My Events' }).click();
    const place = page.getByRole('article').filter({ hasText: event.title });
    await place.waitFor();
    await place.getByRole('button', { name: 'Unregister' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay registered' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await place.getByRole('button', { name: 'Unregister' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unregister' }).click();
    await page.getByText('Successfully unregistered from event').waitFor();
    await place.waitFor({ state: 'detached' });
    await keyboardHasPlace(page);
  });
});
