import type { Event, EventPage } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { Browser, Page } from 'playwright-core';
import { administratorClient, toastSaying, visitAs } from '../support/administrator.js';
import { accessibilityFaults } from '../support/accessibility.js';
import { ApiClient, createdEvent, signedUp } from '../support/api-client.js';
import { openBrowser, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

const cardOf = (page: Page, event: Event) => page.getByRole('article').filter({ hasText: event.title });

describe('A member at the events', () => {
  const { url } = sharedStack();
  let browser: Browser;
  let administrator: ApiClient;

  beforeAll(async () => {
    browser = await openBrowser();
    administrator = await administratorClient();
  });
  afterAll(() => browser.close());

  it('is among the attendees after registering, with one request for a double click', async () => {
    const event = await createdEvent(administrator, {});
    const { person } = await signedUp(url);
    const { page, context } = await visitAs(browser, person);
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/register')) calls.push(request.method());
    });
    await page.goto(`/?event=${event.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No attendees yet').waitFor();
    await dialog.getByText('Be the first to register!').waitFor();
    await dialog.getByRole('button', { name: 'Register', exact: true }).dblclick();
    await toastSaying(page, 'Successfully registered for event');
    await dialog.getByText('Attendees (1)').waitFor();
    await dialog.getByText(`${person.firstName} ${person.lastName}`).waitFor();
    expect(calls).toEqual(['POST']);

    // visitors see a guest only if the setting allows it and the guest chose it for this place
    const name = `${person.firstName} ${person.lastName}`;
    const visitor = new ApiClient(url);
    const seen = async () => (await visitor.get<EventPage>(`/api/events/${event.id}`)).body.publicAttendees;
    const offered = (publicAttendees: boolean) =>
      administrator.expect(200, 'PUT', '/api/admin/settings', { publicAttendees });
    await offered(true);
    expect(await seen()).toEqual([]);
    const toVisitors = page.getByRole('option', { name: 'My name and picture, to visitors too' });
    await until('the setting', 10_000, async () => {
      await page.goto(`/events/${event.id}`);
      await page.getByLabel('Other people who are coming see').waitFor();
      return (await toVisitors.count()) === 1;
    });
    await page.getByLabel('Other people who are coming see').selectOption('public');
    await toastSaying(page, 'Saved');
    const { width, height } = page.viewportSize()!;
    await page.setViewportSize({ width: 320, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await page.setViewportSize({ width, height });
    const stranger = await visit(browser, page.url());
    await stranger.page.goto(page.url());
    await stranger.page.getByRole('region', { name: 'Attendees (1)' }).getByText(name).waitFor();
    expect(await accessibilityFaults(stranger.page)).toEqual([]);
    expect(Object.keys((await seen())![0]!)).toEqual(['firstName', 'lastName', 'profileImageUrl']);
    expect((await visitor.get(`/api/events/${event.id}/attendees`)).status).toBe(401);
    await offered(false);
    await until('the faces are gone', 10_000, async () => (await seen())!.length === 0);
    await stranger.context.close();
    await context.close();
  });

  it('sees upcoming and completed events under My Events, and where to find more when there are none', async () => {
    const event = await createdEvent(administrator, {});
    const { client, person } = await signedUp(url);
    await client.post(`/api/events/${event.id}/register`);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/my-events');
    await cardOf(page, event).getByText('Upcoming', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Past' }).check({ force: true });
    await page.getByText('No past events').waitFor();
    await page.getByRole('button', { name: 'Browse Events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Browse Events' }).waitFor();
    await context.close();
  });

  it('keeps the place when the question before unregistering is answered with no', async () => {
    const event = await createdEvent(administrator, {});
    const { client, person } = await signedUp(url);
    await client.post(`/api/events/${event.id}/register`);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/my-events');
    await cardOf(page, event).getByRole('button', { name: 'Unregister' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep my place' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await client.get<{ count: number }>(`/api/events/${event.id}/count`);
    expect(body.count).toBe(1);
    await context.close();
  });
});
