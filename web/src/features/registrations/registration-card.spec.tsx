import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import { createRef, useState } from 'react';
import type { EventPage, User, Event, ErrorCode } from '@meetmark/contracts';
import { jest } from '@jest/globals';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen, pressForPart } from '../../testing/render-screen';
import { anEvent, aUser, anAskingEvent, DIET, FIRST, TRACK, QUESTIONS } from '../../testing/samples';
import '../auth/verification-dialog';
// loaded before it is waited for
import './own-registration';
import { RegistrationCard } from './registration-card';
import { EventLoader } from '../events/shared/event-loader';
import { RegisterButton } from './register-button';
import { UnregisterButton } from './unregister-button';
import UnregisterDialog from './unregister-dialog';
import { ApiError } from '../../api/client';
import { registrationAction, registrationFailure } from './registration-action';
import { CURRENT_USER_KEY } from '../../api/query-client';
import { SessionContext } from '../auth/session';
import { registrationCountQuery } from '../events/shared/events.api';

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

const PLACE = 'POST /api/events/0190b000-0000-7000-8000-000000000001/register';

describe('The register button', () => {
  it('registers once for a double click, and then says Registered', async () => {
    let mine: Event[] = [];
    const requests = fakeApi({
      'GET /api/my-events': () => ({ body: mine }),
      [PLACE]: () => {
        mine = [anEvent()];
        return { status: 201, body: { message: 'Successfully registered for event' } };
      },
    });
    const { toasts } = renderScreen(<RegisterButton event={anEvent()} />, { user: aUser() });
    await userEvent.dblClick(await screen.findByRole('button', { name: 'Register' }));
    await screen.findByText('Registered');
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(toasts).toEqual([
      { kind: 'success', title: 'Success', description: 'Successfully registered for event' },
    ]);
  });

  it('tells the outcome although a search has taken the button away meanwhile', async () => {
    let answer = () => {};
    fakeApi({
      'GET /api/my-events': () => ({ body: [] }),
      [PLACE]: () => new Promise((resolve) => (answer = () => resolve({ status: 201, body: {} }))),
    });
    function Results() {
      const [found, setFound] = useState(true);
      return (
        <>
          <button onClick={() => setFound(false)}>Search</button>
          {found && <RegisterButton event={anEvent()} />}
        </>
      );
    }
    const { toasts } = renderScreen(<Results />, { user: aUser() });
    await userEvent.click(await screen.findByRole('button', { name: 'Register' }));
    await userEvent.click(screen.getByRole('button', { name: 'Search' }));
    answer();
    await waitFor(() => expect(toasts[0]?.description).toBe('Successfully registered for event'));
  });

  it('knows the place from the event’s own answer before the member’s events have arrived', () => {
    fakeApi({ 'GET /api/my-events': () => new Promise(() => {}) });
    renderScreen(<RegisterButton event={anEvent({ registrations: [aRegistration()] })} />, { user: aUser() });
    screen.getByRole('button', { name: 'Registered' });
  });

  it('says so when the place was there already', async () => {
    fakeApi({
      'GET /api/my-events': () => ({ body: [] }),
      [PLACE]: () => ({ status: 200, body: {} }),
    });
    const { toasts } = renderScreen(<RegisterButton event={anEvent()} />, { user: aUser() });
    await userEvent.click(await screen.findByRole('button', { name: 'Register' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('You are already registered for this event'));
  });

  it('tells a refusal in the words of the catalogue and can be tried again', async () => {
    fakeApi({
      'GET /api/my-events': () => ({ body: [] }),
      [PLACE]: () => refusal(409, 'EVENT_FULL', 'This event is at full capacity'),
    });
    const { toasts } = renderScreen(<RegisterButton event={anEvent()} />, { user: aUser() });
    await userEvent.click(await screen.findByRole('button', { name: 'Register' }));
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(toasts[0]).toEqual({
      kind: 'error',
      title: 'Registration Failed',
      description: 'This event is at full capacity. You can join the waiting list.',
    });
    expect(await screen.findByRole('button', { name: 'Register' })).toBeTruthy();
  });

  it('asks for the event and the member’s events anew after a refusal: what is on screen was not true any more', async () => {
    const event = anEvent();
    const detail = `GET /api/events/${event.id}`;
    const mine = 'GET /api/my-events';
    const requests = fakeApi({
      'GET /api/my-events': () => ({ body: [] }),
      [detail]: () => ({ body: event }),
      [PLACE]: () => refusal(409, 'EVENT_FULL', 'This event is at full capacity'),
    });
    renderScreen(
      <EventLoader eventId={event.id}>{(loaded) => <RegisterButton event={loaded} />}</EventLoader>,
      { user: aUser() },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Register' }));
    const asked = (what: string) => requests.filter(({ method, path }) => `${method} ${path}` === what);
    await waitFor(() => expect([asked(detail), asked(mine)].map(({ length }) => length)).toEqual([2, 2]));
  });

  it('of a full event joins the waiting list and tells the position, and the list can be left', async () => {
    const event = anEvent({ capacity: 1, registrationCount: 1, registrationState: 'waitlist' });
    let waiting: Event['waiting'] = null;
    const requests = fakeApi({
      'GET /api/my-events': () => ({ body: waiting ? [{ ...event, waiting }] : [] }),
      [PLACE]: () => {
        waiting = { joinedAt: '2026-11-21T12:00:00Z', position: 3 };
        return {
          status: 201,
          body: { message: 'You are on the waiting list', registration: { status: 'waitlisted' }, waiting },
        };
      },
      [PLACE.replace('POST', 'DELETE')]: () => {
        waiting = null;
        return { status: 204 };
      },
    });
    const { toasts } = renderScreen(
      <>
        <RegisterButton event={event} />
        <UnregisterButton event={event} />
        <UnregisterDialog event={event} waiting close={jest.fn()} />
      </>,
      { user: aUser() },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Join the waiting list' }));
    await screen.findByRole('button', { name: 'You are number 3' });
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ waitlist: true });
    expect(toasts[0]?.description).toBe('You are on the waiting list');

    await waitFor(() =>
      expect(screen.getAllByRole('button', { name: 'Leave the waiting list' })).toHaveLength(2),
    );
    await userEvent.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Leave the waiting list' }),
    );
    await screen.findByRole('button', { name: 'Join the waiting list' });
    expect(toasts[1]?.description).toBe('You have left the waiting list');
  });

  it.each([
    [{ registrationState: 'waitlist' }, 'Join the waiting list'],
    [{ registrationState: 'full' }, 'Event Full'],
    [{ registrationState: 'closed' }, 'Registration closed'],
    [
      { registrationState: 'scheduled', registrationOpensAt: '2030-04-01T08:00:00.000Z' },
      /^Registration opens Apr 1, 2030/,
    ],
    [{ registrationState: 'started' }, 'Event Ended'],
    [{ registrationState: 'cancelled' }, 'Cancelled'],
  ] as const)('tells visitors of %j: %s', (given, name) => {
    fakeApi({});
    renderScreen(<RegisterButton event={anEvent(given)} />, { user: null });
    expect(screen.getByRole('button', { name })).toBeTruthy();
  });

  it('leads visitors to the login', () => {
    fakeApi({});
    renderScreen(<RegisterButton event={anEvent()} />, { user: null });
    expect(screen.getByRole('button', { name: 'Login to Register' })).toBeTruthy();
  });
});

describe('The register button of an event that asks something', () => {
  beforeAll(() => import('./register-dialog'));
  const asks = (answer: Parameters<typeof fakeApi>[0][string], event = anAskingEvent()) => {
    const requests = fakeApi({
      'GET /api/my-events': () => ({ body: [] }),
      [`GET /api/events/${anEvent().id}`]: () => ({ body: anAskingEvent() }),
      [PLACE]: answer,
    });
    const rendered = renderScreen(<RegisterButton event={event} />, { user: aUser() });
    const sent = () => requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    return { ...rendered, sent };
  };
  const button = async () => (await screen.findAllByRole('button', { name: 'Register' })).at(-1)!;
  const press = async () => userEvent.click(await button());

  it('asks before it registers, and leads to what needs an answer', async () => {
    const { sent, toasts } = asks(() => ({ status: 201, body: {} }));
    await pressForPart(await button());
    const track = await screen.findByLabelText('Which track?');
    await press();
    expect(document.activeElement).toBe(track);
    expect(track.getAttribute('aria-invalid')).toBe('true');
    screen.getByText('This needs an answer');
    expect(sent()).toEqual([]);
    await userEvent.selectOptions(track, 'Social');
    await userEvent.selectOptions(screen.getByLabelText('Is this your first time? (optional)'), 'No');
    await press();
    await waitFor(() => expect(toasts[0]?.description).toBe('Successfully registered for event'));
    expect(sent()).toEqual([{ answers: { [DIET]: null, [TRACK]: 'Social', [FIRST]: false } }]);
  });

  it('says beside the answer what the server found wrong with it, and keeps what was typed', async () => {
    const { toasts } = asks(() =>
      refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
        fields: { [`answers.${DIET}`]: ['What do you not eat?: Use at most 500 characters'] },
      }),
    );
    await press();
    await userEvent.selectOptions(await screen.findByLabelText('Which track?'), 'Search');
    const diet = screen.getByLabelText('What do you not eat? (optional)');
    await userEvent.type(diet, 'Nuts');
    await press();
    await screen.findByText('Use at most 500 characters');
    expect(document.activeElement).toBe(diet);
    expect([screen.getByDisplayValue('Nuts'), screen.getByDisplayValue('Search')]).toHaveLength(2);
    expect(toasts).toEqual([]);
  });

  it('asks also when the page has not known that it does', async () => {
    asks(() => refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', { fields: {} }), anEvent());
    await press();
    await screen.findByLabelText('Which track?');
  });
});

const visitor = { signedIn: false, place: null };
const member = { signedIn: true, place: null };
const registered = { signedIn: true, place: 'registered' } as const;
const waiting = { signedIn: true, place: { joinedAt: '2026-11-21T12:00:00Z', position: 3 } };

describe('The action of an event card', () => {
  it.each([
    ['started', registered, 'ended'],
    ['ended', visitor, 'ended'],
    ['cancelled', registered, 'cancelled'],
    ['open', visitor, 'login'],
    ['open', member, 'register'],
    ['waitlist', visitor, 'joinAfterLogin'],
    ['waitlist', member, 'join'],
    ['waitlist', registered, 'registered'],
    ['waitlist', waiting, 'waiting'],
    ['closed', waiting, 'waiting'],
    ['full', visitor, 'full'],
    ['full', member, 'full'],
    ['scheduled', visitor, 'scheduled'],
    ['closed', member, 'closed'],
  ] as const)('in the state %s for %j is %s', (state, circumstances, action) => {
    expect(registrationAction(state, circumstances)).toBe(action);
  });

  it('is Event Ended in a state that a newer server has and this page does not know', () => {
    expect(registrationAction('postponed' as never, member)).toBe('ended');
  });
});

describe('What a member reads of a registration that failed', () => {
  const refusedWith = (code: ErrorCode, message: string) =>
    new ApiError(409, '', { statusCode: 409, code, message, requestId: 'test' });

  it.each<[ErrorCode, string, string]>([
    [
      'EVENT_FULL',
      'This event is at full capacity',
      'This event is at full capacity. Registration is no longer available.',
    ],
    ['EVENT_NOT_FOUND', 'Event not found', 'This event is no longer available for registration.'],
    [
      'REGISTRATION_CLOSED',
      'Registration is closed: this event has already started',
      'Registration is closed: this event has already started',
    ],
  ])('%s, which the server words as %j, reads %j', (code, message, words) => {
    expect(registrationFailure(refusedWith(code, message), { waitlistEnabled: false })).toBe(words);
  });

  it('names the waiting list of an event that has one', () => {
    expect(
      registrationFailure(refusedWith('EVENT_FULL', 'This event is at full capacity'), {
        waitlistEnabled: true,
      }),
    ).toBe('This event is at full capacity. You can join the waiting list.');
  });

  it('has words of its own for a failure without any', () => {
    expect(registrationFailure(new TypeError('Failed to fetch'), { waitlistEnabled: true })).toBe(
      'Failed to register for event',
    );
  });
});

describe('The form of the card', () => {
  const FLOW = 'f'.repeat(22);
  const RSVP = `POST /api/events/${anEvent().id}/rsvp`;
  const CONFIRM = 'POST /api/rsvp/confirm';
  const COUNT = `GET /api/events/${anEvent().id}/count`;
  const user = aUser({ firstName: 'Ada', email: 'ada@example.org' });
  const registration = aRegistration({ userId: user.id });

  /** As the frame does: the card follows the current user. */
  function Card({ event }: { event: EventPage }) {
    useQuery(registrationCountQuery(event.id));
    const { data } = useQuery<User | null>({
      queryKey: CURRENT_USER_KEY,
      queryFn: () => null,
      enabled: false,
    });
    const session = data
      ? ({ status: 'signed-in', user: data } as const)
      : ({ status: 'anonymous', user: null } as const);
    return (
      <SessionContext value={session}>
        <RegistrationCard ref={createRef()} event={event} count={event.registrationCount} heading="h2" />
      </SessionContext>
    );
  }

  function show(handlers: Parameters<typeof fakeApi>[0], given: Partial<Event> = {}, path = '/') {
    const event = anEventPage(anEvent(given));
    let mine: Event[] = [];
    const requests = fakeApi({
      [RSVP]: () => ({ status: 202, body: { flow: FLOW } }),
      [CONFIRM]: () => {
        mine = [{ ...event, registrations: [registration] }];
        return { body: { user, registration, eventId: event.id, passwordEnded: false } };
      },
      'GET /api/confirm': () => ({ body: { status: 'open' } }),
      'GET /api/my-events': () => ({ body: mine }),
      [COUNT]: () => ({ body: { count: 0 } }),
      ...handlers,
    });
    const rendered = renderScreen(<Card event={event} />, { user: null, path });
    return {
      ...rendered,
      requests,
      sent: (path: string) => requests.filter((one) => `${one.method} ${one.path}` === path),
    };
  }

  const fill = async (email = 'ada@example.org') => {
    await userEvent.type(screen.getByLabelText('Email'), email);
    await userEvent.type(screen.getByLabelText('First name'), 'Ada');
    await userEvent.type(screen.getByLabelText('Last name'), 'Lovelace');
  };
  const register = (name = 'Register') => userEvent.click(screen.getByRole('button', { name }));
  const typeCode = async () => userEvent.type(await screen.findByLabelText('6-digit code'), '123456');

  describe('A visitor at the registration card', () => {
    // its parts that load when they are needed have arrived before the tests
    beforeAll(async () => {
      const { content } = anAskingEvent();
      await act(async () => void show({}, { content } as Partial<EventPage>));
      const email = screen.getByLabelText('Email');
      await act(async () => void fireEvent.change(email, { target: { value: 'ada@example.org' } }));
      await screen.findByLabelText('Which track?');
      cleanup();
    });
    beforeEach(() => sessionStorage.clear());

    it('gives an address and a name, then a code that sends itself, and is in', async () => {
      const { sent } = show({});
      await fill(' ada@example.org ');
      await register();
      await screen.findByText(/6 digits that we sent to/);
      expect(sent(RSVP)[0]?.body).toEqual({
        email: 'ada@example.org',
        firstName: 'Ada',
        lastName: 'Lovelace',
      });
      await typeCode();
      const title = await screen.findByRole('heading', { name: 'You’re in, Ada' });
      await waitFor(() => expect(document.activeElement).toBe(title));
      expect(sent(CONFIRM).map(({ body }) => body)).toEqual([{ flow: FLOW, code: '123456' }]);
      expect(sessionStorage.length).toBe(0);
    });

    it('says what is missing, and asks nobody', async () => {
      const { sent } = show({});
      await userEvent.type(screen.getByLabelText('Email'), 'ada');
      await register();
      screen.getByText('This is not an email address');
      screen.getByText('First name is required');
      expect(document.activeElement).toBe(screen.getByLabelText('Email'));
      expect(sent(RSVP)).toEqual([]);
    });

    it('answers what the event asks, in the same step', async () => {
      const { content } = anAskingEvent();
      const { sent } = show({}, { content } as Partial<EventPage>);
      await fill();
      const track = await screen.findByLabelText('Which track?');
      await register();
      expect(document.activeElement).toBe(track);
      expect(sent(RSVP)).toEqual([]);
      await userEvent.selectOptions(track, 'Search');
      await userEvent.type(screen.getByLabelText('What do you not eat? (optional)'), 'Nuts');
      await register();
      await screen.findByText(/6 digits that we sent to/);
      expect(sent(RSVP)[0]?.body).toMatchObject({
        answers: { [DIET]: 'Nuts', [TRACK]: 'Search', [FIRST]: null },
      });
      await userEvent.click(screen.getByRole('button', { name: 'Change what I typed' }));
      await screen.findByDisplayValue('Nuts');
    });

    it('reads later what they have answered', async () => {
      const answers = { [TRACK]: 'Search', [FIRST]: false };
      const event = anAskingEvent({ registrations: [{ ...registration, answers }] });
      fakeApi({ 'GET /api/my-events': () => ({ body: [event] }) });
      renderScreen(<RegistrationCard ref={createRef()} event={event} count={1} heading="h2" />, { user });
      await userEvent.click(await screen.findByText('What you answered'));
      expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
        'Search',
        'No',
      ]);
      screen.getByText(QUESTIONS[1]!.label);
    });

    it('may stay unnamed', async () => {
      const { sent } = show({});
      await fill();
      await userEvent.click(screen.getByRole('checkbox', { name: /Show my name/ }));
      await register();
      await waitFor(() => expect(sent(RSVP)[0]?.body).toMatchObject({ showMe: 'no' }));
    });

    it('of a full event joins its waiting list', async () => {
      const waiting = { joinedAt: '2026-11-22T12:00:00Z', position: 3 };
      const { sent } = show(
        {
          [CONFIRM]: () => ({
            body: { user, registration, waiting, eventId: anEvent().id, passwordEnded: false },
          }),
          'GET /api/my-events': () => ({ body: [{ ...anEvent(), waiting }] }),
        },
        { capacity: 1, registrationCount: 1, registrationState: 'waitlist' },
      );
      await fill();
      await register('Join the waiting list');
      await typeCode();
      await screen.findByRole('heading', { name: 'You are number 3' });
      expect(sent(RSVP)[0]?.body).toMatchObject({ waitlist: true });
    });

    it('keeps what was typed when it is refused, and when they go back to it', async () => {
      show({ [RSVP]: () => refusal(429, 'RATE_LIMITED', 'Too many requests: try again later') });
      await fill();
      await register();
      await screen.findByText('Too many requests: try again later');
      expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org');
      fakeApi({
        [RSVP]: () => ({ status: 202, body: { flow: FLOW } }),
        'GET /api/confirm': () => ({ body: { status: 'open' } }),
      });
      await register();
      await userEvent.click(await screen.findByRole('button', { name: 'Change what I typed' }));
      expect(screen.getByLabelText<HTMLInputElement>('Last name').value).toBe('Lovelace');
    });

    it('finds the entry of the code again when the phone has thrown the page away', async () => {
      const first = show({});
      await fill();
      await register();
      await screen.findByLabelText('6-digit code');
      first.unmount();
      show({});
      await screen.findByText(/6 digits that we sent to ada@example.org/);
      await typeCode();
      await screen.findByRole('heading', { name: 'You’re in, Ada' });
    });

    it('is signed in when the last place went meanwhile, and told what is left', async () => {
      show({
        [CONFIRM]: () => ({
          body: {
            user,
            registration: null,
            eventId: anEvent().id,
            passwordEnded: false,
            refusal: { code: 'EVENT_FULL', message: 'This event is at full capacity' },
          },
        }),
        'GET /api/my-events': () => ({ body: [] }),
      });
      await fill();
      await register();
      await typeCode();
      await screen.findByText('This event is at full capacity. You can join the waiting list.');
      screen.getByRole('button', { name: 'Register' });
      expect(screen.queryByLabelText('Email')).toBeNull();
    });

    it('takes the second step on the way', async () => {
      let taken = false;
      show({
        [CONFIRM]: () =>
          refusal(401, 'SECOND_FACTOR_REQUIRED', 'A second step is needed', { methods: ['totp'] }),
        'POST /api/login/second-factor': () => {
          taken = true;
          return { body: { ...user, rsvp: { eventId: anEvent().id, registration } } };
        },
        'GET /api/my-events': () => ({
          body: taken ? [{ ...anEvent(), registrations: [registration] }] : [],
        }),
      });
      await fill();
      await register();
      await typeCode();
      await userEvent.type(await screen.findByLabelText('Code'), '654321');
      await screen.findByRole('heading', { name: 'You’re in, Ada' });
    });

    it('reads that the link was opened on another device, and what that has changed', async () => {
      const { sent } = show({ 'GET /api/confirm': () => ({ body: { status: 'confirmed' } }) });
      await fill();
      await register();
      await screen.findByText('Confirmed on another device');
      expect(screen.queryByRole('button', { name: 'Change what I typed' })).toBeNull();
      await waitFor(() => expect(sent(COUNT).length).toBeGreaterThan(1));
    });

    it('may sign in instead', () => {
      show({});
      screen.getByRole('button', { name: 'Login to Register' });
    });
  });

  describe('A guest whom an organiser added, at the mail’s link', () => {
    const FULL = { capacity: 1, registrationCount: 1, registrationState: 'waitlist' } as const;
    const LINK = '/events/1#take-over';
    const REGISTER = `POST /api/events/${anEvent().id}/register`;
    beforeEach(() => sessionStorage.clear());

    it('makes the place that is held theirs, also at a full event', async () => {
      // its form is in a file of its own
      const { sent } = await act(async () => show({}, FULL, LINK));
      screen.getByRole('heading', { name: 'A place is held for you' });
      await screen.findByLabelText('Email');
      await fill();
      await register('Make it mine');
      await typeCode();
      const title = await screen.findByRole('heading', { name: 'You’re in, Ada' });
      await waitFor(() => expect(document.activeElement).toBe(title));
      expect(sent(RSVP).map(({ body }) => body)).toEqual([
        { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace', takeOver: true },
      ]);
    });

    it('reads after the code that none is held for the address, and what is left', async () => {
      const refused = { code: 'EVENT_FULL', message: 'This event is at full capacity' };
      show(
        {
          [CONFIRM]: () => ({
            body: { user, registration: null, refusal: refused, eventId: anEvent().id, passwordEnded: false },
          }),
        },
        FULL,
        LINK,
      );
      await screen.findByLabelText('Email');
      await fill();
      await register('Make it mine');
      await typeCode();
      await screen.findByText('No place is held for this address.');
      screen.getByRole('heading', { name: 'All places are taken' });
    });

    it('finds the usual card beside it', async () => {
      show({}, FULL, LINK);
      await userEvent.click(await screen.findByRole('button', { name: 'I have no such mail' }));
      screen.getByRole('heading', { name: 'All places are taken' });
    });

    it.each(['ended', 'cancelled'] as const)(
      'is offered nothing once the event is %s',
      (registrationState) => {
        show({}, { registrationState }, LINK);
        expect(screen.queryByRole('heading', { name: 'A place is held for you' })).toBeNull();
      },
    );

    const asMember = (answer: () => ReturnType<typeof refusal>) => {
      const event = anEventPage(anEvent(FULL));
      let mine: Event[] = [];
      const requests = fakeApi({
        'GET /api/my-events': () => ({ body: mine }),
        [REGISTER]: () => {
          const given = answer();
          if (given.status === 201) mine = [{ ...event, registrations: [registration] }];
          return given;
        },
      });
      renderScreen(<RegistrationCard ref={createRef()} event={event} count={1} heading="h2" />, {
        user,
        path: LINK,
      });
      return () => requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    };

    it('needs one press when signed in', async () => {
      const sent = asMember(() => ({ status: 201, body: { registration } }));
      await userEvent.click(await screen.findByRole('button', { name: 'Make it mine' }));
      await screen.findByRole('heading', { name: 'You’re in, Ada' });
      expect(sent()).toEqual([undefined]);
    });

    it('reads when signed in that none is held for the address of the account', async () => {
      asMember(() => refusal(409, 'EVENT_FULL', 'This event is at full capacity'));
      await userEvent.click(await screen.findByRole('button', { name: 'Make it mine' }));
      await screen.findByText('No place is held for ada@example.org.');
    });
  });

  describe('Who has a place', () => {
    it('changes what others learn of them', async () => {
      const CHANGE = `PUT /api/events/${anEvent().id}/register`;
      let showMe: 'name' | 'no' = 'name';
      const requests = fakeApi({
        'GET /api/my-events': () => ({
          body: [{ ...anEvent(), registrations: [{ ...registration, showMe }] }],
        }),
        [CHANGE]: () => {
          showMe = 'no';
          return { body: { ...registration, showMe } };
        },
      });
      const { toasts } = renderScreen(
        <RegistrationCard ref={createRef()} event={anEventPage(anEvent())} count={1} heading="h2" />,
        { user },
      );
      const select = await screen.findByLabelText<HTMLSelectElement>('Other people who are coming see');
      expect([...select.options].map(({ label }) => label)).toEqual(['Nothing of me', 'My name']);
      await userEvent.selectOptions(select, 'no');
      await waitFor(() => expect(toasts[0]?.title).toBe('Saved'));
      expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({ showMe: 'no' });
      expect(select.value).toBe('no');
    });
  });
});
