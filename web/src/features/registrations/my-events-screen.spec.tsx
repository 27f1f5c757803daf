import type { Event } from '@meetmark/contracts';
import { aRegistration } from '@meetmark/testing/factories/samples';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser } from '../../testing/samples';
import MyEventsScreen, { eventsInTime } from './my-events-screen';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const events = ['2026-11-25', '2026-11-20', '2026-11-22', '2026-11-10'].map((day) => ({
  startDate: `${day}T09:00:00Z`,
}));
const days = (time: 'upcoming' | 'past' | 'all') =>
  eventsInTime(events, time, NOW).map(({ startDate }) => startDate.slice(8, 10));

describe('My Events', () => {
  it('shows upcoming events soonest first', () => expect(days('upcoming')).toEqual(['22', '25']));
  it('shows past events latest first', () => expect(days('past')).toEqual(['20', '10']));
  it('shows all events soonest first', () => expect(days('all')).toEqual(['10', '20', '22', '25']));

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

  it.each([
    [{ price: '12.50', paymentNote: 'Card at the door' }, '£12.50 Card at the door'],
    [{ price: '12.50', paymentNote: null }, '£12.50 Ask the organiser how to pay'],
    [{ price: null, paymentNote: null }, null],
  ])('say what %j costs, and how one pays', async (given, words) => {
    const title = await open(soon(given));
    const paid = within(title.closest('article')!).queryByText('£12.50', { selector: 'strong' });
    expect(paid?.parentElement?.textContent ?? null).toBe(words);
  });

  it('say until when a place is kept that was taken with an address that is not confirmed', async () => {
    const event = soon({ registrations: [aRegistration({ lapsesAt: '2030-06-03T09:00:00.000Z' })] });
    fakeApi({ 'GET /api/my-events': () => ({ body: [event] }) });
    renderScreen(<MyEventsScreen />, { user: aUser({ emailVerifiedAt: null }), path: '/my-events' });
    await screen.findByText(/^Your place is kept until Jun 3, 2030/);
    screen.getByRole('button', { name: `Confirm my address: ${event.title}` });
  });

  describe('with a place', () => {
    const CODE = 'AbCdEfGh-JkLmNoPqRsT_v';
    const event = soon({ title: 'Attribution' });
    const path = `GET /api/my-events/${event.id}/code`;
    // the dialog is in a file of its own
    const press = () =>
      act(
        async () => void fireEvent.click(screen.getByRole('button', { name: 'Show my code: Attribution' })),
      );

    it('show the code for the door, as a QR and in words', async () => {
      await open(event, { [path]: () => ({ body: { code: CODE, url: `https://meet.example/c/${CODE}` } }) });
      await press();
      const dialog = within(await screen.findByRole('dialog', { name: 'Your code' }));
      await dialog.findByRole('img', { name: 'QR code of your place' });
      dialog.getByText('AbCd EfGh -JkL mNoP qRsT _v');
      dialog.getByText('Attribution');
    });

    it('say why there is none', async () => {
      await open(event, { [path]: () => refusal(404, 'NOT_REGISTERED', 'You are not registered') });
      await press();
      await screen.findByText('Your code could not be loaded');
    });

    it.each([
      ['is online alone', { format: 'online' as const }],
      ['is cancelled', { status: 'cancelled' as const, registrationState: 'cancelled' as const }],
      ['is waited for', { waiting: { joinedAt: event.startDate, position: 2 } }],
    ])('offer none for an event that %s', async (_, given) => {
      await open(soon(given));
      expect(screen.queryByRole('button', { name: /Show my code/ })).toBeNull();
    });
  });
});
