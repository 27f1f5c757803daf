import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import { createRef } from 'react';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser } from '../../testing/samples';
import type { EventPage, User } from '@meetmark/contracts';
import '../auth/verification-dialog'; // loaded before it is waited for
import './own-registration';
import { RegistrationCard } from './registration-card';

function show(
  given: Partial<EventPage>,
  mine: Partial<EventPage> | null = null,
  user: User | null = aUser(),
  path = '/',
) {
  const event = anEventPage({ ...anEvent(), ...given });
  fakeApi({ 'GET /api/my-events': () => ({ body: mine ? [{ ...event, ...mine }] : [] }) });
  renderScreen(
    <RegistrationCard ref={createRef()} event={event} count={event.registrationCount} heading="h2" />,
    { user, path },
  );
  return (name: string | RegExp) => screen.findByRole('heading', { level: 2, name });
}

describe('The registration card', () => {
  // what it loads for visitors has arrived before the tests
  beforeAll(async () => {
    await act(async () => void show({}, null, null));
    cleanup();
  });

  it('says how many places are left, and how many when they are few', async () => {
    await show({ capacity: 30, registrationCount: 18 })('12 places left');
    await screen.findByRole('button', { name: 'Register' });
    screen.getByText('18 of 30 places taken');
    screen.getByText('Free');
  });

  it.each([
    [26, true],
    [25, false],
  ])('of 40 places with %i taken is amber: %s', async (taken, amber) => {
    const title = await show({ capacity: 40, registrationCount: taken + 10 })(/places left/);
    expect(title.closest('[data-tone=warm]') !== null).toBe(amber);
  });

  it('names the price and how one pays', async () => {
    await show({ price: '15', paymentNote: 'Card at the door' })('Reserve your place');
    screen.getByText('£15');
    screen.getByText('Card at the door');
  });

  it('names the community’s way to pay where the organiser said none', async () => {
    await show({ price: '15' })('Reserve your place');
    screen.getByText('Ask the organiser how to pay');
  });

  it('tells who has a place that they are in, where the mail went and how to give it up', async () => {
    await show({}, { waiting: null })('You’re in, Ada');
    screen.getByText('We sent it to ada@example.org.');
    for (const name of ['Add to calendar', 'Share', 'Can’t make it? Unregister'])
      screen.getByRole('button', { name });
    expect(screen.queryByRole('button', { name: 'Register' })).toBeNull();
  });

  it('knows the place from the event’s own answer before the member’s events have arrived', () => {
    const registration = aRegistration({ userId: aUser().id });
    const event = anEventPage(anEvent({ registrations: [registration] }));
    fakeApi({ 'GET /api/my-events': () => new Promise(() => {}) });
    renderScreen(<RegistrationCard ref={createRef()} event={event} count={1} heading="h2" />, {
      user: aUser(),
    });
    screen.getByRole('heading', { name: 'You’re in, Ada' });
  });

  it('says until when a place is kept, with the way to keep it, and no more once the address is confirmed', async () => {
    const registrations = [aRegistration({ lapsesAt: '2030-06-03T09:00:00.000Z' })];
    await show({}, { waiting: null, registrations }, aUser({ emailVerifiedAt: null }))('You’re in, Ada');
    screen.getByText(/^Your place is kept until Jun 3, 2030/);
    const confirm = screen.getByRole('button', { name: 'Confirm my address' });
    await act(async () => void fireEvent.click(confirm)); // the dialog is in a file of its own
    await screen.findByRole('dialog', { name: 'Confirm your email address' });
  });

  it('says that a place was lost, and leads to the proof before another one', async () => {
    const pastRegistration = { status: 'lapsed', at: '2030-06-03T09:00:00.000Z', answers: null } as const;
    await show({ pastRegistration }, null, aUser({ emailVerifiedAt: null }))('Reserve your place');
    screen.getByText(/^Your place has gone to somebody else/);
    screen.getByRole('button', { name: 'Confirm my address' });
    expect(screen.queryByRole('button', { name: 'Register' })).toBeNull();
  });

  it('offers a place to who has confirmed the address since', async () => {
    const pastRegistration = { status: 'lapsed', at: '2030-06-03T09:00:00.000Z', answers: null } as const;
    await show({ pastRegistration })('Reserve your place');
    screen.getByRole('button', { name: 'Register' });
    expect(screen.queryByText(/^Your place has gone/)).toBeNull();
  });

  describe('opened by the wish to keep the place', () => {
    const kept: typeof show = (given, mine, user) => show(given, mine, user, '/events/1#keep-place');

    it('says that it is kept', async () => {
      const title = await kept({}, { waiting: null })('You’re in, Ada');
      screen.getByText('You keep your place. There is nothing more to do.');
      expect(document.activeElement).toBe(title);
    });

    it('says so to who is not signed in, where there is one', async () => {
      await kept({}, null, null)('Reserve your place');
      screen.getByText('If you have a place, you keep it. There is nothing to do.');
    });

    it('says nothing to who has none', async () => {
      await kept({})('Reserve your place');
      expect(screen.queryByText(/keep/)).toBeNull();
    });
  });

  it('tells who waits their number', async () => {
    const waiting = { joinedAt: '2026-11-22T12:00:00Z', position: 3 };
    await show(
      { capacity: 1, registrationCount: 1, registrationState: 'waitlist' },
      { waiting },
    )('You are number 3');
    screen.getByRole('button', { name: 'Leave the waiting list' });
  });

  it('of a full event offers its waiting list', async () => {
    await show({ capacity: 1, registrationCount: 1, waitingCount: 2, registrationState: 'waitlist' })(
      'All places are taken',
    );
    screen.getByRole('button', { name: 'Join the waiting list' });
    screen.getByText(/2 people are waiting\./);
  });

  it('leads from an event that is over to what came of it', async () => {
    const content = {
      ...anEventPage().content,
      recap: 'It was good',
      resources: [{ title: 'Slides', url: 'https://x.example' }],
    };
    await show({ registrationState: 'ended', content })('Event Ended');
    screen.getByRole('link', { name: 'Read the recap' });
    screen.getByRole('link', { name: 'Slides and recordings' });
  });

  it.each([
    [{ registrationState: 'full', capacity: 1, registrationCount: 1 }, 'Event Full', /no waiting list/],
    [
      { registrationState: 'scheduled', registrationOpensAt: '2030-04-01T08:00:00.000Z' },
      /^Registration opens Apr 1, 2030/,
      /Come back then/,
    ],
    [{ registrationState: 'closed' }, 'Registration closed', /no more registrations/],
    [{ registrationState: 'started' }, 'Event Ended', /under way/],
    [
      { registrationState: 'cancelled', cancelReason: 'Our speaker is ill.' },
      'This event has been cancelled',
      'The organisers write: Our speaker is ill.',
    ],
  ] as const)('in %j says %s', async (given, title, words) => {
    await show(given)(title);
    screen.getByText(words);
    expect(screen.queryByRole('button')).toBeNull();
  });
});
