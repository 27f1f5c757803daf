import type { Event } from '@meetmark/contracts';
import { act, fireEvent, screen, within, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { atRoute, fillFields, press } from '../../testing/actions';
import { fakeApi, type Handlers, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser } from '../../testing/samples';
import MyEventsScreen, { eventsInTime } from './my-events-screen';
import GiveUpScreen from './give-up-screen';
import ScannedCodeScreen from './scanned-code-screen';

describe('My Events', () => {
  const NOW = Date.parse('2026-11-21T12:00:00Z');
  const events = ['25', '20', '22', '10'].map((day) => ({
    ...{ startDate: `2026-11-${day}T09:00:00Z`, endDate: `2026-11-${day}T11:00:00Z` },
  }));

  it.each([
    ['upcoming', 'soonest first', ['22', '25']],
    ['past', 'latest first', ['20', '10']],
    ['all', 'soonest first', ['10', '20', '22', '25']],
  ] as const)('shows %s events %s', (time, _, days) => {
    const shown = eventsInTime(events, time, NOW);
    expect(shown.map(({ startDate }) => startDate.slice(8, 10))).toEqual(days);
  });

  it('shows a running event as upcoming until its end', () => {
    const running = { startDate: '2026-11-20T12:00:00Z', endDate: '2026-11-22T12:00:00Z' };
    const times = ['upcoming', 'past', 'all'] as const;
    const listed = (now: string) =>
      times.map((time) => eventsInTime([running], time, Date.parse(now)).length);
    expect(listed('2026-11-21T12:00:00Z')).toEqual([1, 0, 1]);
    expect(listed('2026-11-22T12:00:00Z')).toEqual([0, 1, 1]);
  });

  const CODE = 'AbCdEfGh-JkLmNoPqRsT_v';
  const registered = anEvent({ title: 'Attribution', price: '12.50', paymentNote: 'Card at the door' });
  const open = async (mine: Event[], code: Handlers[string]) => {
    fakeApi({
      'GET /api/my-events': () => ({ body: mine }),
      [`GET /api/my-events/${registered.id}/code`]: code,
    });
    renderScreen(<MyEventsScreen />, { user: aUser(), path: '/my-events?time=all' });
    await screen.findByRole('heading', { level: 2, name: 'Attribution' });
  };
  const showCode = () =>
    act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show my code: Attribution' })));

  it('shows the check-in code, the price and the payment note of each event that has one', async () => {
    const waiting = { joinedAt: registered.startDate, position: 2 };
    await open(
      [
        registered,
        anEvent({ id: 'online', title: 'Online', format: 'online' }),
        anEvent({ id: 'cancelled', title: 'Off', status: 'cancelled', registrationState: 'cancelled' }),
        anEvent({ id: 'waiting', title: 'Full', waiting }),
        aRunningEvent({ id: 'running', title: 'Festival' }),
      ],
      () => ({ body: { code: CODE, url: `https://meet.example/c/${CODE}` } }),
    );
    const getCard = (title: string) =>
      within(screen.getByRole('heading', { name: title }).closest('article')!);
    const price = getCard('Attribution').getByText('£12.50', { selector: 'strong' });
    expect(price.parentElement?.textContent).toBe('£12.50 Card at the door');
    const badge = getCard('Festival').getByText('Completed');
    expect(badge.nextElementSibling).toBe(getCard('Festival').getByText('Happening Now'));
    for (const title of ['Online', 'Off', 'Full']) {
      expect(getCard(title).queryByRole('button', { name: /Show my code/ })).toBeNull();
      expect(getCard(title).queryByText('Ask the organiser how to pay')).toBeNull();
    }
    await showCode();
    const dialog = within(await screen.findByRole('dialog', { name: 'Your code' }));
    await dialog.findByRole('img', { name: 'QR code for your registration' });
    dialog.getByText('AbCd EfGh -JkL mNoP qRsT _v');
    dialog.getByText('Attribution');
  });

  it('shows an error when the code cannot be loaded', async () => {
    await open([registered], () => refusal(404, 'NOT_REGISTERED', 'You are not registered'));
    await showCode();
    await screen.findByText('Your code couldn’t be loaded');
  });
});

describe('The “Give up my place” page', () => {
  const EVENT = anEvent();
  const open = (mine: Event[], user: ReturnType<typeof aUser> | null = aUser(), event = EVENT) => {
    const requests = fakeApi({
      'GET /api/my-events': () => ({ body: mine }),
      [`GET /api/events/${EVENT.id}`]: () => ({ body: event }),
      [`DELETE /api/events/${EVENT.id}/register`]: () => ({ status: 204 }),
    });
    const path = `/events/${EVENT.id}/give-up`;
    renderScreen(atRoute('/events/:eventId/give-up', <GiveUpScreen />), { user, path });
    return requests;
  };

  it('changes nothing until its button is pressed', async () => {
    const requests = open([EVENT]);
    await screen.findByText(/^You’re registered for “Attribution breakfast”/);
    expect(requests.sent()).toEqual([]);
    await press('Give up my place');
    await screen.findByText('Your place is now free for someone else.');
    expect(requests.sent()).toHaveLength(1);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Thank you for letting us know'));
  });

  it('takes a member off the waiting list', async () => {
    open([{ ...EVENT, waiting: { joinedAt: '2026-11-21T12:00:00Z', position: 2 } }]);
    await press('Leave the waiting list');
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
    screen.getByRole('button', { name: 'Sign in' });
  });
});

describe('The page of a scanned code', () => {
  const CODE = 'v'.repeat(22);
  const [MINUTE, HOUR] = [60_000, 3_600_000];
  const at = (distance: number) => new Date(Date.now() + distance).toISOString();
  const anEventAt = (start: number, given: Partial<Event> = {}) =>
    anEvent({ title: 'Attribution', startDate: at(start), endDate: at(start + 2 * HOUR), ...given });

  const anna = aUser({ firstName: 'Anna' });

  interface Circumstances {
    isMine?: boolean;
    user?: typeof anna | null;
    checkedIn?: () => { status?: number; body?: unknown };
  }

  const open = (event: Event | null, { isMine = true, user = anna, checkedIn }: Circumstances = {}) => {
    const requests = fakeApi({
      [`GET /api/codes/${CODE}`]: () => ({ body: { eventId: event?.id ?? null } }),
      ...(event && { [`GET /api/events/${event.id}`]: () => ({ body: event }) }),
      ...(event && checkedIn && { [`POST /api/events/${event.id}/check-in`]: checkedIn }),
      'GET /api/my-events': () => ({ body: isMine ? [event] : [] }),
      'POST /api/sign-in-code': () => ({ status: 202, body: {} }),
      'GET /api/confirm': () => ({ body: { status: 'open' } }),
    });
    renderScreen(atRoute('/c/:code', <ScannedCodeScreen />), { user, path: `/c/${CODE}` });
    return requests;
  };

  it('explains a guest’s ticket code without loading the guest or the event', async () => {
    const requests = open(null);
    await screen.findByRole('heading', { name: 'This is a ticket code' });
    expect(screen.queryByRole('button')).toBeNull();
    expect(requests.map(({ path }) => path)).toEqual([`/api/codes/${CODE}`]);
  });

  describe('at a venue', () => {
    it('checks the guest in with one press and shows the time', async () => {
      const requests = open(anEventAt(HOUR), { checkedIn: () => ({ body: { checkedInAt: at(0) } }) });
      const button = await screen.findByRole('button', { name: 'Check in' });
      expect(requests.sent()).toEqual([]);
      await userEvent.click(button);
      const title = await screen.findByRole('heading', { name: 'You’re in, Anna' });
      screen.getByText(/^Checked in at /);
      await waitFor(() => expect(document.activeElement).toBe(title));
      expect(requests.bodies()).toEqual([{ venueCode: CODE }]);
    });

    it('shows why the check-in was rejected, or the time of an earlier check-in', async () => {
      const answers = [
        refusal(409, 'CHECK_IN_CLOSED', 'Check-in is open from 2 hours before the start'),
        { body: { checkedInAt: '2026-11-21T18:07:00.000Z' } },
      ];
      open(anEventAt(-HOUR), { checkedIn: () => answers.shift()! });
      await press('Check in');
      await screen.findByText('Check-in is open from 2 hours before the start');
      await press('Check in');
      await screen.findByText('You already checked in at 6:07 PM.');
    });

    it.each([
      [/^Check-in opens /, { startDate: at(2 * HOUR + MINUTE), endDate: at(4 * HOUR) }, true],
      ['You’re not registered yet', {}, false],
      ['You are on the waiting list', { waiting: { joinedAt: at(0), position: 2 } }, true],
      ['This event has been cancelled', { registrationState: 'cancelled' as const }, true],
      ['This event is over', { startDate: at(-3 * HOUR), endDate: at(-HOUR) }, true],
    ])('says “%s” and links to the event', async (title, given, isMine) => {
      const event = anEventAt(HOUR, given);
      open(event, { isMine });
      await screen.findByRole('heading', { name: title });
      expect(screen.queryByRole('button')).toBeNull();
      expect(screen.getByRole('link').getAttribute('href')).toBe(`/events/${event.id}`);
    });

    it('sends visitors a sign-in code without leaving the page', async () => {
      const requests = open(anEventAt(HOUR), { user: null });
      await press('Email me a sign-in code');
      await screen.findByText('Email is required');
      fillFields({ Email: 'anna@example.org' });
      await press('Email me a sign-in code');
      await screen.findByLabelText('6-digit code');
      expect(requests.bodies()).toEqual([{ email: 'anna@example.org' }]);
      expect(window.location.pathname).toBe(`/c/${CODE}`);
      await act(async () => {});
    });
  });
});
