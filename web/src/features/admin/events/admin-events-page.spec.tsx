import { jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen, wideScreen } from '../../../testing/render-screen';
import { anEvent, aRunningEvent, aUser } from '../../../testing/samples';
import { AdminEventsPage, eventsCsv } from './admin-events-page';

describe('The list of events', () => {
  it('requests all events, upcoming ones first', async () => {
    const event = anEvent();
    const requests = fakeApi({
      'GET /api/events': () => ({ body: [event], headers: { 'X-Total-Count': '1' } }),
    });
    renderScreen(<AdminEventsPage />, { user: aUser({ isAdmin: true }) });
    await screen.findByRole('link', { name: event.title });
    const [{ query }] = requests.filter(({ path }) => path === '/api/events') as [(typeof requests)[0]];
    expect([query.get('time'), query.get('sort')]).toEqual(['all', 'upcomingFirst']);
  });

  it('removes a deleted event’s row immediately and restores it when the call fails', async () => {
    const event = anEvent({ registrationCount: 0, waitingCount: 0 });
    let answer: () => void = () => undefined;
    let asked = 0;
    fakeApi({
      'GET /api/events': () =>
        (asked += 1) === 1
          ? { body: [event], headers: { 'X-Total-Count': '1' } }
          : new Promise(() => undefined),
      [`DELETE /api/events/${event.id}`]: () =>
        new Promise((settle) => {
          answer = () => settle(refusal(503, 'SERVICE_UNAVAILABLE', 'Later'));
        }),
    });
    const { toasts } = renderScreen(<AdminEventsPage />, { user: aUser({ isAdmin: true }) });
    await userEvent.click(await screen.findByRole('button', { name: `More: ${event.title}` }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete Event' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: event.title })).toBeNull());
    answer();
    await screen.findByRole('link', { name: event.title });
    await waitFor(() => expect(toasts.at(-1)?.description).toBe('Failed to delete event'));
  });
});

describe('The Delete Event dialog of an event with guests', () => {
  const withGuests = anEvent({ registrationCount: 3, waitingCount: 1 });
  const ask = async (event = withGuests) => {
    const requests = fakeApi({
      'GET /api/events': () => ({ body: [event], headers: { 'X-Total-Count': '1' } }),
      [`DELETE /api/events/${event.id}`]: () => ({ status: 204 }),
    });
    renderScreen(<AdminEventsPage />, { user: aUser({ isAdmin: true }) });
    await userEvent.click(await screen.findByRole('button', { name: `More: ${event.title}` }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    return { dialog, changes: () => requests.filter(({ method }) => method !== 'GET') };
  };
  const listPrimaryButtons = (dialog: HTMLElement) =>
    [...dialog.querySelectorAll('.ant-btn-primary')].map(({ textContent }) => textContent);

  it('has one primary button, which deletes the event', async () => {
    const { dialog, changes } = await ask();
    expect(listPrimaryButtons(dialog)).toEqual(['Delete Event']);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete Event' }));
    await waitFor(() => expect(changes().map(({ method }) => method)).toEqual(['DELETE']));
  });

  it.each([
    ['running', true],
    ['over', false],
  ])('says whether guests are notified when the event is %s', async (when, isSaid) => {
    const running = aRunningEvent({ registrationCount: 3, waitingCount: 1 });
    const { dialog } = await ask(when === 'running' ? running : { ...running, registrationState: 'ended' });
    expect(within(dialog).queryByText(/4 people will be notified by email/) !== null).toBe(isSaid);
  });

  it('has a secondary button for cancelling the event instead', async () => {
    const { dialog, changes } = await ask();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel the event instead' }));
    await screen.findByRole('button', { name: 'Cancel Event' });
    expect(changes()).toEqual([]);
  });
});

describe('The list of events on screens from 1024 px', () => {
  beforeEach(() => wideScreen('64em'));
  afterEach(() => jest.restoreAllMocks());

  it('shows Delete next to Edit in the row, not under More', async () => {
    const events = [
      anEvent({ id: 'a', title: 'Planned' }),
      anEvent({ id: 'b', title: 'Off', status: 'cancelled' }),
    ];
    const requests = fakeApi({
      'GET /api/events': () => ({ body: events, headers: { 'X-Total-Count': '2' } }),
    });
    renderScreen(<AdminEventsPage />, { user: aUser({ isAdmin: true }) });
    const listButtonTexts = async (title: string) => {
      const row = within((await screen.findByText(title)).closest('tr')!);
      return row.getAllByRole('button').map(({ textContent }) => textContent);
    };
    expect(await listButtonTexts('Planned')).toEqual(['Edit', 'Delete', 'More']);
    expect(await listButtonTexts('Off')).toEqual(['Delete', 'More']);
    await userEvent.click(screen.getByRole('button', { name: 'More: Planned' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).not.toContain('Delete');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'Delete: Planned' }));
    expect((await screen.findByRole('dialog')).textContent).toContain('Delete Event');
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('The export of events', () => {
  it('writes ISO timestamps, plain numbers and no spreadsheet formulas', () => {
    const event = anEvent({
      id: '1',
      title: '=cmd()',
      startDate: '2031-05-01T17:00:00.000Z',
      endDate: '2031-05-01T19:00:00.000Z',
      location: 'Leeds',
      price: null,
      registrationCount: 4,
      waitingCount: 1,
      capacity: 4,
    });
    expect(eventsCsv([event], 'en-US').slice(1).split('\r\n')).toEqual([
      'ID,Title,Status,Starts,Ends,Location,Price,Registered,Waiting,Capacity',
      "1,'=cmd(),published,2031-05-01T17:00:00.000Z,2031-05-01T19:00:00.000Z,Leeds,,4,1,4",
    ]);
  });
});
