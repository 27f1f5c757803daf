import { until } from '@meetmark/testing';
import type { Browser } from 'playwright-core';
import { administratorClient, visitAs } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { DESKTOP, openBrowser, PHONE, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

describe('The member area', () => {
  const { url } = sharedStack();
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('greets a member by name, counts events and links to other pages', async () => {
    const { client, person } = await signedUp(url);
    const event = await createdEvent(await administratorClient(), { location: 'Leeds' });
    await client.post(`/api/events/${event.id}/register`);
    const { page, context, errors } = await visitAs(browser, person);
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
    for (const name of ['Create Event', 'View Calendar', 'Manage Profile'])
      await main.getByRole('link', { name }).waitFor();
    await main.getByRole('button', { name: 'View All Recent Events' }).click();
    await page.waitForURL('/events');
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: `Welcome back, ${person.firstName}!` }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('remembers whether the calendar showed months or the agenda', async () => {
    const { page, context } = await visit(browser, url);
    await page.goto('/events');
    await page.getByRole('table').waitFor();
    await page.getByRole('radio', { name: 'Agenda' }).check({ force: true });
    await page.getByRole('article').first().waitFor();
    await page.goto('/events');
    await page.getByRole('radio', { name: 'Agenda', checked: true }).waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await context.close();
  });

  it('switches months and opens a day of the calendar on a phone', async () => {
    const event = await createdEvent(await administratorClient(), {});
    const { page, context } = await visit(browser, url, { viewport: PHONE });
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
    await context.close();
  });

  it('opens the event form for organisers, and shows members an error', async () => {
    const { person } = await signedUp(url);
    const member = await visitAs(browser, person);
    await member.page.goto('/events?create=1');
    await member.page.getByText('Only organizers can create events').waitFor();
    expect(await member.page.getByRole('button', { name: 'Create Event' }).count()).toBe(0);
    await member.context.close();

    const { page, context } = await visitAs(browser, sharedStack().administrator);
    await page.goto('/events?create=1');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event Title').fill(`Planned ${Date.now()}`);
    await dialog.getByLabel('Start Date').fill('2027-03-01');
    await dialog.getByLabel('Start Time').fill('18:00');
    await dialog.getByLabel('End Date').fill('2027-03-01');
    await dialog.getByLabel('End Time').fill('20:00');
    await dialog.getByRole('button', { name: 'Create Event' }).click();
    await page.getByText('Event created successfully').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await context.close();
  });
});
