import { until } from '@meetmark/testing';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { DESKTOP, PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { sharedStack } from '../support/shared-stack.js';

describe('The member area', () => {
  const { visit, visitAs } = browserForTests();

  it('greets a member by name, counts events and links to other pages', async () => {
    const { client, person } = await signedUp(sharedStack().url);
    const event = await createdEvent(await administratorClient(), { location: 'Leeds' });
    await client.post(`/api/events/${event.id}/register`);
    const { page } = await visitAs(person);
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: `Welcome back, ${person.firstName}!` }).waitFor();
    const main = page.getByRole('main');
    await main.getByText(/^\d+ created this month$/).waitFor();
    const card = main.getByRole('listitem').filter({ hasText: 'Still to come' });
    await until('the number of events to come', 60_000, async () => {
      const shown = await card.getByText(/^\d+$/).innerText();
      const { headers } = await client.get('/api/events?time=notEnded&limit=1');
      if (shown === headers.get('x-total-count')) return true;
      await page.reload();
      return false;
    });
    expect(await main.getByRole('article').count()).toBeLessThanOrEqual(6);
    await main.getByText('Completed').first().waitFor();
    const next = main.getByRole('region', { name: /^Your next event/ });
    await next.getByRole('link', { name: event.title }).waitFor();
    const last = (await main.getByRole('link', { name: 'Manage Profile' }).boundingBox())!;
    expect(last.y + last.height).toBeLessThan(DESKTOP.height);
    await next.getByRole('button', { name: 'Can’t make it?' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unregister' }).click();
    await next.waitFor({ state: 'detached' });
    await main.getByText('Three steps to get started').waitFor();
    await main.getByRole('button', { name: 'View All Recent Events' }).click();
    await page.waitForURL('/events');
    await page.goBack();
    await page.getByRole('heading', { name: `Welcome back, ${person.firstName}!` }).waitFor();
  });

  it('opens a day of the calendar on a phone, switches months and remembers the agenda', async () => {
    const event = await createdEvent(await administratorClient());
    const { page } = await visit({ viewport: PHONE });
    await page.goto(`/events?view=month&month=${event.startDate.slice(0, 7)}`);
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'Europe/London' });
    await page
      .getByRole('button', { name: new RegExp(`^${day.format(new Date(event.startDate))}: `) })
      .click();
    await page.getByRole('link', { name: event.title }).click();
    await page.getByRole('dialog').getByRole('heading', { name: event.title }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const before = await page.getByRole('heading', { level: 2 }).first().innerText();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.waitForFunction((text) => document.querySelector('h2')?.textContent !== text, before);

    await page.getByRole('radio', { name: 'Agenda' }).check({ force: true });
    await page.getByRole('article').first().waitFor();
    await page.goto('/events');
    await page.getByRole('radio', { name: 'Agenda', checked: true }).waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });
});
