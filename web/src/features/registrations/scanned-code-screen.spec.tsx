import type { Event } from '@meetmark/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser } from '../../testing/samples';
import ScannedCodeScreen from './scanned-code-screen';

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

describe('What a camera opens that has read the code of a guest', () => {
  it('says what it is, and nothing of anybody or any event', async () => {
    const requests = open();
    await screen.findByRole('heading', { name: 'This is a ticket code' });
    expect(screen.queryByRole('button')).toBeNull();
    expect(requests.map(({ path }) => path)).toEqual([`/api/codes/${CODE}`]);
  });
});

describe('What a camera opens that has read the code of the venue', () => {
  it('checks in at one press, and says when', async () => {
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

  it('says that one was in already, and since when', async () => {
    const event = anEventAt(-HOUR);
    const checkedInAt = '2026-11-21T18:07:00.000Z';
    open({ event, mine: [event], checkedIn: () => ({ body: { checkedInAt } }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Check in' }));
    await screen.findByText('You were already in at 6:07 PM.');
  });

  it('says why not, and may be tried again', async () => {
    const event = anEventAt(HOUR);
    const refused = () => refusal(409, 'CHECK_IN_CLOSED', 'Check-in is open from 2 hours before the start');
    open({ event, mine: [event], checkedIn: refused });
    await userEvent.click(await screen.findByRole('button', { name: 'Check in' }));
    await screen.findByText('Check-in is open from 2 hours before the start');
    screen.getByRole('button', { name: 'Check in' });
  });

  it('is open from two hours before the start on', async () => {
    const early = anEventAt(2 * HOUR + MINUTE);
    open({ event: early, mine: [early] });
    await screen.findByRole('heading', { name: /^Check-in opens / });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['You have no place yet', {}, null],
    ['You are on the waiting list', { waiting: { joinedAt: at(0), position: 2 } }, 'mine'],
    ['This event has been cancelled', { registrationState: 'cancelled' as const }, 'mine'],
    ['This event is over', { startDate: at(-3 * HOUR), endDate: at(-HOUR) }, 'mine'],
  ])('says “%s”, and leads to the event', async (title, given, whose) => {
    const event = anEventAt(HOUR, given);
    open({ event, mine: whose === null ? [] : [event] });
    await screen.findByRole('heading', { name: title });
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByRole('link').getAttribute('href')).toBe(`/events/${event.id}`);
  });

  it('signs visitors in by a code, without leaving the page', async () => {
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
