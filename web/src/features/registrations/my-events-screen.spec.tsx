import type { Event } from '@meetmark/contracts';
import { act, fireEvent, screen, within, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser } from '../../testing/samples';
import MyEventsScreen, { eventsInTime } from './my-events-screen';
import GiveUpScreen from './give-up-screen';
import ScannedCodeScreen from './scanned-code-screen';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const events = ['2026-11-25', '2026-11-20', '2026-11-22', '2026-11-10'].map((day) => ({
  startDate: `${day}T09:00:00Z`,
  endDate: `${day}T11:00:00Z`,
}));
const days = (time: 'upcoming' | 'past' | 'all') =>
  eventsInTime(events, time, NOW).map(({ startDate }) => startDate.slice(8, 10));

describe('My Events', () => {
  it('shows upcoming events soonest first', () => expect(days('upcoming')).toEqual(['22', '25']));

  it('shows past events latest first', () => expect(days('past')).toEqual(['20', '10']));

  it('shows all events soonest first', () => expect(days('all')).toEqual(['10', '20', '22', '25']));

  it('shows a running event as upcoming until its end', () => {
    const running = { startDate: '2026-11-20T12:00:00Z', endDate: '2026-11-22T12:00:00Z' };
    const listed = (now: string) =>
      (['upcoming', 'past', 'all'] as const).map(
        (time) => eventsInTime([running], time, Date.parse(now)).length,
      );
    expect(listed('2026-11-21T12:00:00Z')).toEqual([1, 0, 1]);
    expect(listed('2026-11-22T12:00:00Z')).toEqual([0, 1, 1]);
  });

  const DAY = 86_400_000;
  const soon = (given: Partial<Event>) =>
    anEvent({
      startDate: new Date(Date.now() + DAY).toISOString(),
      endDate: new Date(Date.now() + DAY + 3_600_000).toISOString(),
      ...given,
    });
  const open = (event: Event, more: Parameters<typeof fakeApi>[0] = {}) => {
    fakeApi({ 'GET /api/my-events': () => ({ body: [event] }), ...more });
    renderScreen(<MyEventsScreen />, { user: aUser(), path: '/my-events' });
    return screen.findByRole('heading', { level: 2, name: event.title });
  };

  it('shows “Happening Now” next to the badge of a running event', async () => {
    const title = await open(aRunningEvent());
    const card = within(title.closest('article')!);
    const badge = card.getByText('Completed');
    expect(badge.nextElementSibling).toBe(card.getByText('Happening Now'));
  });

  it.each([
    [{ price: '12.50', paymentNote: 'Card at the door' }, '£12.50 Card at the door'],
    [{ price: '12.50', paymentNote: null }, '£12.50 Ask the organiser how to pay'],
    [{ price: null, paymentNote: null }, null],
  ])('shows the price and the payment note of %j', async (given, words) => {
    const title = await open(soon(given));
    const paid = within(title.closest('article')!).queryByText('£12.50', { selector: 'strong' });
    expect(paid?.parentElement?.textContent ?? null).toBe(words);
  });

  describe('with a registration', () => {
    const CODE = 'AbCdEfGh-JkLmNoPqRsT_v';
    const event = soon({ title: 'Attribution' });
    const path = `GET /api/my-events/${event.id}/code`;
    const press = () =>
      act(
        async () => void fireEvent.click(screen.getByRole('button', { name: 'Show my code: Attribution' })),
      );

    it('shows the check-in code as a QR code and as text', async () => {
      await open(event, { [path]: () => ({ body: { code: CODE, url: `https://meet.example/c/${CODE}` } }) });
      await press();
      const dialog = within(await screen.findByRole('dialog', { name: 'Your code' }));
      await dialog.findByRole('img', { name: 'QR code for your registration' });
      dialog.getByText('AbCd EfGh -JkL mNoP qRsT _v');
      dialog.getByText('Attribution');
    });

    it('shows an error when the code cannot be loaded', async () => {
      await open(event, { [path]: () => refusal(404, 'NOT_REGISTERED', 'You are not registered') });
      await press();
      await screen.findByText('Your code couldn’t be loaded');
    });

    it.each([
      ['is online only', { format: 'online' as const }],
      ['is cancelled', { status: 'cancelled' as const, registrationState: 'cancelled' as const }],
      ['has the member on its waiting list', { waiting: { joinedAt: event.startDate, position: 2 } }],
    ])('offers no code for an event that %s', async (_, given) => {
      await open(soon(given));
      expect(screen.queryByRole('button', { name: /Show my code/ })).toBeNull();
    });
  });
});

const EVENT = anEvent();
const open = (mine: Event[], user = aUser() as ReturnType<typeof aUser> | null, event = EVENT) => {
  const requests = fakeApi({
    'GET /api/my-events': () => ({ body: mine }),
    [`GET /api/events/${EVENT.id}`]: () => ({ body: event }),
    [`DELETE /api/events/${EVENT.id}/register`]: () => ({ status: 204 }),
  });
  renderScreen(
    <Routes>
      <Route path="/events/:eventId/give-up" element={<GiveUpScreen />} />
    </Routes>,
    { user, path: `/events/${EVENT.id}/give-up` },
  );
  return requests;
};

describe('The “Give up my place” page', () => {
  it('changes nothing until its button is pressed', async () => {
    const requests = open([EVENT]);
    await screen.findByText(/^You’re registered for “Attribution breakfast”/);
    expect(requests.map(({ method }) => method)).not.toContain('DELETE');
    await userEvent.click(screen.getByRole('button', { name: 'Give up my place' }));
    await screen.findByText('Your place is now free for someone else.');
    expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Thank you for letting us know'));
  });

  it('takes a member off the waiting list', async () => {
    open([{ ...EVENT, waiting: { joinedAt: '2026-11-21T12:00:00Z', position: 2 } }]);
    await userEvent.click(await screen.findByRole('button', { name: 'Leave the waiting list' }));
    await screen.findByText('You’re no longer on the waiting list.');
  });

  it.each([
    ['You’re not registered for this event', EVENT],
    ['This event has already started', anEvent({ registrationState: 'started' })],
    ['This event has been cancelled', anEvent({ registrationState: 'cancelled' })],
  ])('shows the title “%s” and no button', async (title, event) => {
    open([], aUser(), event);
    await screen.findByRole('heading', { name: title });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('asks visitors to sign in', () => {
    open([], null);
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy();
  });
});

describe('A scanned code', () => {
  const CODE = 'v'.repeat(22);
  const [MINUTE, HOUR] = [60_000, 3_600_000];
  const at = (distance: number) => new Date(Date.now() + distance).toISOString();
  const anEventAt = (start: number, given: Partial<Event> = {}) =>
    anEvent({ title: 'Attribution', startDate: at(start), endDate: at(start + 2 * HOUR), ...given });

  interface Circumstances {
    event?: Event | null;
    mine?: Event[];
    signedIn?: boolean;
    checkedIn?: () => { status?: number; body?: unknown };
  }

  const open = ({ event = null, mine = [], signedIn = true, checkedIn }: Circumstances = {}) => {
    const requests = fakeApi({
      [`GET /api/codes/${CODE}`]: () => ({ body: { eventId: event?.id ?? null } }),
      ...(event && { [`GET /api/events/${event.id}`]: () => ({ body: event }) }),
      ...(event && checkedIn && { [`POST /api/events/${event.id}/check-in`]: checkedIn }),
      'GET /api/my-events': () => ({ body: mine }),
      'POST /api/sign-in-code': () => ({ status: 202, body: {} }),
      'GET /api/confirm': () => ({ body: { status: 'open' } }),
    });
    renderScreen(
      <Routes>
        <Route path="/c/:code" element={<ScannedCodeScreen />} />
      </Routes>,
      { user: signedIn ? aUser({ firstName: 'Anna' }) : null, path: `/c/${CODE}` },
    );
    return requests;
  };

  describe('The page of a guest’s code', () => {
    it('explains the ticket code without loading the guest or the event', async () => {
      const requests = open();
      await screen.findByRole('heading', { name: 'This is a ticket code' });
      expect(screen.queryByRole('button')).toBeNull();
      expect(requests.map(({ path }) => path)).toEqual([`/api/codes/${CODE}`]);
    });
  });

  describe('The page of a venue’s code', () => {
    it('checks the guest in with one press and shows the time', async () => {
      const event = anEventAt(HOUR);
      const requests = open({ event, mine: [event], checkedIn: () => ({ body: { checkedInAt: at(0) } }) });
      const button = await screen.findByRole('button', { name: 'Check in' });
      expect(requests.map(({ method }) => method)).not.toContain('POST');
      await userEvent.click(button);
      await screen.findByRole('heading', { name: 'You’re in, Anna' });
      screen.getByText(/^Checked in at /);
      await waitFor(() => expect(document.activeElement?.textContent).toBe('You’re in, Anna'));
      expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
        { venueCode: CODE },
      ]);
    });

    it('shows the time of an earlier check-in', async () => {
      const event = anEventAt(-HOUR);
      const checkedInAt = '2026-11-21T18:07:00.000Z';
      open({ event, mine: [event], checkedIn: () => ({ body: { checkedInAt } }) });
      await userEvent.click(await screen.findByRole('button', { name: 'Check in' }));
      await screen.findByText('You already checked in at 6:07 PM.');
    });

    it('shows why the check-in was rejected and allows another attempt', async () => {
      const event = anEventAt(HOUR);
      const refused = () => refusal(409, 'CHECK_IN_CLOSED', 'Check-in is open from 2 hours before the start');
      open({ event, mine: [event], checkedIn: refused });
      await userEvent.click(await screen.findByRole('button', { name: 'Check in' }));
      await screen.findByText('Check-in is open from 2 hours before the start');
      screen.getByRole('button', { name: 'Check in' });
    });

    it('shows when check-in opens if the start is over two hours away', async () => {
      const early = anEventAt(2 * HOUR + MINUTE);
      open({ event: early, mine: [early] });
      await screen.findByRole('heading', { name: /^Check-in opens / });
      expect(screen.queryByRole('button')).toBeNull();
    });

    it.each([
      ['You’re not registered yet', {}, null],
      ['You are on the waiting list', { waiting: { joinedAt: at(0), position: 2 } }, 'mine'],
      ['This event has been cancelled', { registrationState: 'cancelled' as const }, 'mine'],
      ['This event is over', { startDate: at(-3 * HOUR), endDate: at(-HOUR) }, 'mine'],
    ])('says “%s” and links to the event', async (title, given, whose) => {
      const event = anEventAt(HOUR, given);
      open({ event, mine: whose === null ? [] : [event] });
      await screen.findByRole('heading', { name: title });
      expect(screen.queryByRole('button')).toBeNull();
      expect(screen.getByRole('link').getAttribute('href')).toBe(`/events/${event.id}`);
    });

    it('sends visitors a sign-in code without leaving the page', async () => {
      const requests = open({ event: anEventAt(HOUR), signedIn: false });
      const send = await screen.findByRole('button', { name: 'Email me a sign-in code' });
      await userEvent.click(send);
      await screen.findByText('Email is required');
      await userEvent.type(screen.getByLabelText('Email'), 'anna@example.org');
      await userEvent.click(send);
      await screen.findByLabelText('6-digit code');
      expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ email: 'anna@example.org' });
      expect(window.location.pathname).toBe(`/c/${CODE}`);
      await act(async () => {});
    });
  });
});
