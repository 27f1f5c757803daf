import { jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { getTexts, press } from '../../../testing/actions';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { findToast, renderScreen, wideScreen } from '../../../testing/render-screen';
import { anEvent, aRunningEvent, aUser } from '../../../testing/samples';
import { AdminEventsPage, eventsCsv } from './admin-events-page';
import { DeleteEventDialog } from './delete-event-dialog';

describe('The list of events', () => {
  it('removes a deleted event’s row immediately and restores it when the call fails', async () => {
    const event = anEvent({ registrationCount: 0, waitingCount: 0 });
    let answer: () => void = () => undefined;
    let asked = 0;
    fakeApi({
      'GET /api/events': () =>
        (asked += 1) === 1
          ? { body: [event], headers: { 'X-Total-Count': '1' } }
          : new Promise(() => undefined),
      [`DELETE /api/events/${event.id}`]: async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return refusal(503, 'SERVICE_UNAVAILABLE', 'Later');
      },
    });
    const { toasts } = renderScreen(<AdminEventsPage />, { user: aUser({ isAdmin: true }) });
    await press(`More: ${event.title}`);
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await press('Delete Event');
    await waitFor(() => expect(screen.queryByRole('link', { name: event.title })).toBeNull());
    answer();
    await screen.findByRole('link', { name: event.title });
    await findToast(toasts, 'Failed to delete event');
  });
});

describe('The Delete Event dialog of an event with guests', () => {
  const running = aRunningEvent({ registrationCount: 3, waitingCount: 1 });
  const ask = async (event = running) => {
    const requests = fakeApi({ [`DELETE /api/events/${event.id}`]: () => ({ status: 204 }) });
    renderScreen(<DeleteEventDialog event={event} close={jest.fn()} />, { user: aUser({ isAdmin: true }) });
    const dialog = await screen.findByRole('dialog');
    return { dialog, requests };
  };
  const notice = () => screen.queryByText(/4 people will be notified by email/);

  it('has one primary button, which deletes the event and notifies its guests', async () => {
    const { dialog, requests } = await ask();
    expect(getTexts(dialog.querySelectorAll('.ant-btn-primary'))).toEqual(['Delete Event']);
    expect(notice()).not.toBeNull();
    await press('Delete Event');
    await waitFor(() => expect(requests.sent()).toHaveLength(1));
  });

  it('notifies nobody when the event is over', async () => {
    await ask({ ...running, registrationState: 'ended' });
    expect(notice()).toBeNull();
  });

  it('has a secondary button for cancelling the event instead', async () => {
    const { requests } = await ask();
    await press('Cancel the event instead');
    await screen.findByRole('button', { name: 'Cancel Event' });
    expect(requests).toEqual([]);
  });
});

describe('The list of events on screens from 1024 px', () => {
  it('shows upcoming events first, with Delete in the row and not under More', async () => {
    wideScreen('64em');
    const events = [
      anEvent({ id: 'a', title: 'Planned' }),
      anEvent({ id: 'b', title: 'Off', status: 'cancelled' }),
    ];
    const requests = fakeApi({
      'GET /api/events': () => ({ body: events, headers: { 'X-Total-Count': '2' } }),
    });
    renderScreen(<AdminEventsPage />, { user: aUser({ isAdmin: true }) });
    const listButtonTexts = async (title: string) =>
      getTexts(within((await screen.findByText(title)).closest('tr')!).getAllByRole('button'));
    expect(await listButtonTexts('Planned')).toEqual(['Edit', 'Delete', 'More']);
    expect(await listButtonTexts('Off')).toEqual(['Delete', 'More']);
    await press('More: Planned');
    expect(getTexts(await screen.findAllByRole('menuitem'))).not.toContain('Delete');
    await userEvent.keyboard('{Escape}');
    await press('Delete: Planned');
    expect((await screen.findByRole('dialog')).textContent).toContain('Delete Event');
    expect(requests.sent()).toEqual([]);
    const { query } = requests[0]!;
    expect([query.get('time'), query.get('sort')]).toEqual(['all', 'upcomingFirst']);
  });
});

describe('The export of events', () => {
  it('writes ISO timestamps, plain numbers and no spreadsheet formulas', () => {
    const event = anEvent({
      ...{ id: '1', title: '=cmd()', location: 'Leeds', price: null },
      ...{ startDate: '2031-05-01T17:00:00.000Z', endDate: '2031-05-01T19:00:00.000Z' },
      ...{ registrationCount: 4, waitingCount: 1, capacity: 4 },
    });
    expect(eventsCsv([event], 'en-US').slice(1).split('\r\n')).toEqual([
      'ID,Title,Status,Starts,Ends,Location,Price,Registered,Waiting,Capacity',
      "1,'=cmd(),published,2031-05-01T17:00:00.000Z,2031-05-01T19:00:00.000Z,Leeds,,4,1,4",
    ]);
  });
});
