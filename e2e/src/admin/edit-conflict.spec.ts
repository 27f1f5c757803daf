import type { Event } from '@meetmark/contracts';
import { administratorClient, toastSaying } from '../support/administrator.js';
import { signedUp } from '../support/api-client.js';
import { PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { sharedStack } from '../support/shared-stack.js';
import { EventsView } from './events-view.js';

describe('An edit conflict', () => {
  const { visitAs, visitAsAdministrator } = browserForTests();

  it('shows who changed which event fields and keeps typed text', async () => {
    const api = await administratorClient();
    const { person, user } = await signedUp(sharedStack().url);
    await api.put(`/api/admin/users/${user.id}`, {
      firstName: 'Grace',
      lastName: 'Hopper',
      isAdmin: true,
    });
    const { page: ada } = await visitAsAdministrator({ viewport: PHONE });
    const { page: grace } = await visitAs(person, { viewport: PHONE });
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
    const conflict = ada.getByRole('alert', { name: 'Changed while you were editing' });
    await conflict.getByText('Grace Hopper changed location and capacity').waitFor();
    await conflict.getByRole('row', { name: /location Town hall Library/i }).waitFor();
    await second.dialog().getByLabel('Description').getByText('Bring a laptop').waitFor();

    await conflict.getByRole('button', { name: 'Save my changes' }).click();
    await toastSaying(ada, 'Event updated successfully');
    const { body } = await api.get<Event>(`/api/events/${event.id}`);
    expect(body).toMatchObject({
      ...{ description: 'Bring a laptop', location: 'Library' },
      ...{ capacity: 60, price: '10.00', version: 3 },
    });
  });
});
