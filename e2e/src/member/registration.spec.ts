import type { Attendee, ErrorBody, Event, EventPage } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { Browser, Page } from 'playwright-core';
import { administratorClient, toastSaying, visitAs } from '../support/administrator.js';
import { ApiClient, createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { openBrowser, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

const getCard = (page: Page, event: Event) => page.getByRole('article').filter({ hasText: event.title });

describe('Registration for an event', () => {
  const { url } = sharedStack();
  let browser: Browser;
  let administrator: ApiClient;

  beforeAll(async () => {
    browser = await openBrowser();
    administrator = await administratorClient();
  });
  afterAll(() => browser.close());

  it('sends one request on a double click and lists the member as an attendee', async () => {
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
    const card = dialog.getByRole('region', { name: 'Registration' });
    await card.getByRole('button', { name: 'Register', exact: true }).dblclick();
    await toastSaying(page, 'Successfully registered for event');
    await dialog.getByText('Attendees (1)').waitFor();
    await dialog.getByText(`${person.firstName} ${person.lastName}`).waitFor();
    expect(calls).toEqual(['POST']);

    // Visitors see a name only if the community allows it and the guest agreed for this registration.
    const name = `${person.firstName} ${person.lastName}`;
    const visitor = new ApiClient(url);
    const seen = async () => (await visitor.get<EventPage>(`/api/events/${event.id}`)).body.publicAttendees;
    const offered = (publicAttendees: boolean) =>
      administrator.expect(200, 'PUT', '/api/admin/settings', { publicAttendees });
    await offered(true);
    expect(await seen()).toEqual([]);
    const toVisitors = page.getByRole('option', { name: 'My name and photo, for visitors too' });
    await until('the setting', 60_000, async () => {
      await page.goto(`/events/${event.id}`);
      await page.getByLabel('What other guests can see').waitFor();
      return (await toVisitors.count()) === 1;
    });
    await page.getByLabel('What other guests can see').selectOption('public');
    await toastSaying(page, 'Saved');
    const { width, height } = page.viewportSize()!;
    await page.setViewportSize({ width: 320, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await page.setViewportSize({ width, height });
    const stranger = await visit(browser, page.url());
    await stranger.page.goto(page.url());
    await stranger.page.getByRole('region', { name: 'Attendees (1)' }).getByText(name).waitFor();
    expect(Object.keys((await seen())![0]!)).toEqual(['firstName', 'lastName', 'profileImageUrl']);
    expect((await visitor.get(`/api/events/${event.id}/attendees`)).status).toBe(401);
    await offered(false);
    await until('the faces are gone', 60_000, async () => (await seen())!.length === 0);
    await stranger.context.close();
    await context.close();
  });

  it('lets members with an unconfirmed email address register and see attendees', async () => {
    const event = await createdEvent(administrator, { capacity: 5 });
    const linkedInUrl = 'https://www.linkedin.com/in/ada';
    const ada = { ...newcomer(), linkedInUrl };
    const coming = await signedUp(url, ada);
    await coming.client.post(`/api/events/${event.id}/register`);
    const { client, person } = await signedUp(url, newcomer(), false);
    const { page, context } = await visitAs(browser, person);
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
    const path = `/api/events/${event.id}/attendees`;
    expect((await client.get<Attendee[]>(path)).body).toMatchObject([{ linkedInUrl }]);
    await context.close();
  });

  it('refuses members when the event is full and has no waiting list', async () => {
    const event = await createdEvent(administrator, { capacity: 1 });
    expect(event.waitlistEnabled).toBe(false);
    const { client: first } = await signedUp(url);
    await first.expect(201, 'POST', `/api/events/${event.id}/register`);
    const { client, person } = await signedUp(url);
    const refused = await client.post<ErrorBody>(`/api/events/${event.id}/register`, { waitlist: true });
    expect([refused.status, refused.body.code]).toEqual([409, 'EVENT_FULL']);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/');
    await page.getByRole('searchbox').fill(event.title);
    const button = getCard(page, event).getByRole('button', { name: 'Event Full' });
    await button.waitFor();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await page.goto(`/events/${event.id}`);
    await page
      .getByText('This event is at full capacity. Registration is no longer available.', { exact: true })
      .waitFor();
    // Administrators can turn the waiting list on through the API.
    const path = `/api/events/${event.id}`;
    const changed = await administrator.expect<Event>(200, 'PUT', path, { waitlistEnabled: true });
    expect(changed.waitlistEnabled).toBe(true);
    await client.expect(201, 'POST', `${path}/register`, { waitlist: true });
    await context.close();
  });

  it('appears in My Events, whose empty lists link to Browse Events', async () => {
    const event = await createdEvent(administrator, {});
    const { client, person } = await signedUp(url);
    await client.post(`/api/events/${event.id}/register`);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/my-events');
    await getCard(page, event).getByText('Upcoming', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Past' }).check({ force: true });
    await page.getByText('No past events').waitFor();
    await page.getByRole('button', { name: 'Browse Events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Browse Events' }).waitFor();
    await context.close();
  });

  it('keeps a registration when the member does not confirm unregistering', async () => {
    const event = await createdEvent(administrator, {});
    const { client, person } = await signedUp(url);
    await client.post(`/api/events/${event.id}/register`);
    const { page, context } = await visitAs(browser, person);
    await page.goto('/my-events');
    await getCard(page, event).getByRole('button', { name: 'Unregister' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay registered' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await client.get<{ count: number }>(`/api/events/${event.id}/count`);
    expect(body.count).toBe(1);
    await context.close();
  });
});
