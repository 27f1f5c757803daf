import type { Event, User } from '@meetmark/contracts';
import type { Browser, Page } from 'playwright-core';
import { administratorClient, toastSaying, visitAs, visitAsAdministrator } from '../support/administrator.js';
import { type ApiClient, signedUp } from '../support/api-client.js';
import { DESKTOP, openBrowser, PHONE } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';
import { EventsView } from './events-view.js';
import { UsersView } from './users-view.js';

describe('An edit conflict', () => {
  const { url } = sharedStack();
  let browser: Browser;
  let api: ApiClient;
  let ada: Page;
  let grace: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    api = await administratorClient();
    const second = await signedUp(url);
    await api.put(`/api/admin/users/${second.user.id}`, {
      firstName: 'Grace',
      lastName: 'Hopper',
      isAdmin: true,
    });
    ({ page: ada } = await visitAsAdministrator(browser));
    ({ page: grace } = await visitAs(browser, second.person));
  });
  afterAll(() => browser.close());

  const conflictOn = (page: Page) => page.getByRole('alert', { name: 'Changed while you were editing' });

  it.each([
    ['1440', DESKTOP],
    ['390', PHONE],
  ])('shows who changed which event fields and keeps typed text, at %s px', async (_, viewport) => {
    for (const page of [ada, grace]) await page.setViewportSize(viewport);
    const [first, second] = [new EventsView(grace, api), new EventsView(ada, api)];
    const event = await first.openEvent({ capacity: 50, price: '10', paymentNote: 'Cash at the door' });
    await second.open(event.title);
    for (const view of [first, second]) await view.act(event.title, 'Edit');

    await first.dialog().getByLabel('Capacity').fill('60');
    await first.dialog().getByLabel('Location').fill('Town hall');
    await first.dialog().getByRole('button', { name: 'Update Event' }).click();
    await toastSaying(grace, 'Event updated successfully');

    await second.dialog().getByLabel('Description').fill('Bring a laptop');
    await second.dialog().getByLabel('Location').fill('Library');
    await second.dialog().getByRole('button', { name: 'Update Event' }).click();
    await conflictOn(ada).getByText('Grace Hopper changed location and capacity').waitFor();
    await conflictOn(ada)
      .getByRole('row', { name: /location Town hall Library/i })
      .waitFor();
    await second.dialog().getByLabel('Description').getByText('Bring a laptop').waitFor();

    await conflictOn(ada).getByRole('button', { name: 'Save my changes' }).click();
    await toastSaying(ada, 'Event updated successfully');
    const { body } = await api.get<Event>(`/api/events/${event.id}`);
    expect(body).toMatchObject({
      description: 'Bring a laptop',
      location: 'Library',
      capacity: 60,
      price: '10.00',
      version: 3,
    });
  });

  it('shows an administrator what a member changed in their own profile', async () => {
    const { client, person, user } = await signedUp(url);
    const view = new UsersView(ada);
    await view.open(person.email);
    await view.act(person.email, 'Edit');
    await client.put('/api/user/profile', { firstName: 'Augusta', version: user.version });
    await view.dialog().getByLabel('Last Name').fill('King');
    await view.dialog().getByRole('button', { name: 'Update User' }).click();
    await conflictOn(ada).getByText(`Augusta ${person.lastName} changed first name`).waitFor();
    await conflictOn(ada).getByRole('button', { name: 'Use theirs' }).click();
    expect(await view.dialog().getByLabel('First Name').inputValue()).toBe('Augusta');
    expect(await view.dialog().getByLabel('Last Name').inputValue()).toBe(person.lastName);
    await view.dialog().getByLabel('Last Name').fill('King');
    await view.dialog().getByRole('button', { name: 'Update User' }).click();
    await toastSaying(ada, 'User updated');
    expect((await client.get<User>('/api/user')).body).toMatchObject({
      firstName: 'Augusta',
      lastName: 'King',
    });
  });
});
