import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import { createRef, useState } from 'react';
import type { EventPage, User, Event, ErrorBody, ErrorCode } from '@meetmark/contracts';
import { jest } from '@jest/globals';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen, pressForPart } from '../../testing/render-screen';
import { anEvent, aUser, anAskingEvent, DIET, FIRST, TRACK, QUESTIONS } from '../../testing/samples';
import '../auth/verification-dialog';
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
  beforeAll(async () => {
    await act(async () => void show({}, null, null));
    cleanup();
  });

  it('shows how many places are left and taken', async () => {
    await show({ capacity: 30, registrationCount: 18 })('12 places left');
    await screen.findByRole('button', { name: 'Register' });
    screen.getByText('18 of 30 places taken');
    screen.getByText('Free');
  });

  it.each([
    [26, true],
    [25, false],
  ])('is amber if %i + 10 of 40 places are taken: %s', async (taken, amber) => {
    const title = await show({ capacity: 40, registrationCount: taken + 10 })(/places left/);
    expect(title.closest('[data-tone=warm]') !== null).toBe(amber);
  });

  it('shows the price and the payment note', async () => {
    await show({ price: '15', paymentNote: 'Card at the door' })('Reserve your place');
    screen.getByText('£15');
    screen.getByText('Card at the door');
  });

  it('shows the community’s payment note when the event has none', async () => {
    await show({ price: '15' })('Reserve your place');
    screen.getByText('Ask the organiser how to pay');
  });

  it('shows registered members their confirmation and how to unregister', async () => {
    await show({}, { waiting: null })('You’re in, Ada');
    screen.getByText('We sent the confirmation to ada@example.org.');
    for (const name of ['Add to calendar', 'Share', 'Can’t make it? Unregister'])
      screen.getByRole('button', { name });
    expect(screen.queryByRole('button', { name: 'Register' })).toBeNull();
  });

  it('uses the registration in the event’s data until My Events has loaded', () => {
    const registration = aRegistration({ userId: aUser().id });
    const event = anEventPage(anEvent({ registrations: [registration] }));
    fakeApi({ 'GET /api/my-events': () => new Promise(() => {}) });
    renderScreen(<RegistrationCard ref={createRef()} event={event} count={1} heading="h2" />, {
      user: aUser(),
    });
    screen.getByRole('heading', { name: 'You’re in, Ada' });
  });

  it.each([
    ['a member', aUser()],
    ['a visitor', null],
  ])('shows %s a disabled button for a full event without a waiting list', async (_, user) => {
    await show(
      { registrationState: 'full', capacity: 1, registrationCount: 1 },
      null,
      user,
    )('All places are taken');
    screen.getByText('This event is at full capacity. Registration is no longer available.');
    const button = screen.getByRole('button', { name: 'Event Full' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });

  describe('opened by the email link for keeping a registration', () => {
    const kept: typeof show = (given, mine, user) => show(given, mine, user, '/events/1#keep-place');

    it('says that the member is still registered', async () => {
      const title = await kept({}, { waiting: null })('You’re in, Ada');
      screen.getByText('You’re still registered. There’s nothing else to do.');
      expect(document.activeElement).toBe(title);
    });

    it('assures signed-out visitors that an existing registration stays valid', async () => {
      await kept({}, null, null)('Reserve your place');
      screen.getByText('If you’re registered, you stay registered. There’s nothing to do.');
    });

    it('says nothing about keeping a registration to members without one', async () => {
      await kept({})('Reserve your place');
      expect(screen.queryByText(/keep/)).toBeNull();
    });
  });

  it('shows members on the waiting list their position', async () => {
    const waiting = { joinedAt: '2026-11-22T12:00:00Z', position: 3 };
    await show(
      { capacity: 1, registrationCount: 1, registrationState: 'waitlist' },
      { waiting },
    )('You are number 3');
    screen.getByRole('button', { name: 'Leave the waiting list' });
  });

  it('offers the waiting list of a full event', async () => {
    await show({ capacity: 1, registrationCount: 1, waitingCount: 2, registrationState: 'waitlist' })(
      'All places are taken',
    );
    screen.getByRole('button', { name: 'Join the waiting list' });
    screen.getByText(/2 people are waiting\./);
  });

  it('links from a past event to its recap and resources', async () => {
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
    [
      { registrationState: 'scheduled', registrationOpensAt: '2030-04-01T08:00:00.000Z' },
      /^Registration opens Apr 1, 2030/,
      /Come back then/,
    ],
    [{ registrationState: 'closed' }, 'Registration closed', /no longer register/],
    [{ registrationState: 'started' }, 'Registration closed', 'The event is happening now.'],
    [
      { registrationState: 'cancelled', cancelReason: 'Our speaker is ill.' },
      'This event has been cancelled',
      'Message from the organisers: Our speaker is ill.',
    ],
  ] as const)('shows for an event with %j: %s', async (given, title, words) => {
    await show(given)(title);
    screen.getByText(words);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

const PLACE = 'POST /api/events/0190b000-0000-7000-8000-000000000001/register';

describe('The register button', () => {
  it('registers once on a double click, then says “Registered”', async () => {
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

  it('reports the registration even if the button has disappeared from the page', async () => {
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

  it('uses the registration in the event’s data until My Events has loaded', () => {
    fakeApi({ 'GET /api/my-events': () => new Promise(() => {}) });
    renderScreen(<RegisterButton event={anEvent({ registrations: [aRegistration()] })} />, { user: aUser() });
    screen.getByRole('button', { name: 'Registered' });
  });

  it('reports that the member is already registered', async () => {
    fakeApi({
      'GET /api/my-events': () => ({ body: [] }),
      [PLACE]: () => ({ status: 200, body: {} }),
    });
    const { toasts } = renderScreen(<RegisterButton event={anEvent()} />, { user: aUser() });
    await userEvent.click(await screen.findByRole('button', { name: 'Register' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('You are already registered for this event'));
  });

  it('shows the specified error message and can be tried again', async () => {
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
      description: 'This event is at full capacity. Registration is no longer available.',
    });
    expect(await screen.findByRole('button', { name: 'Register' })).toBeTruthy();
  });

  it('refetches the event and the member’s events after a rejection', async () => {
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

  it('joins the waiting list, shows the position, and leaves the list', async () => {
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
    expect(toasts[1]?.description).toBe('You’ve left the waiting list');
  });

  it.each([
    [{ registrationState: 'waitlist' }, 'Join the waiting list'],
    [{ registrationState: 'full' }, 'Event Full'],
    [{ registrationState: 'closed' }, 'Registration closed'],
    [
      { registrationState: 'scheduled', registrationOpensAt: '2030-04-01T08:00:00.000Z' },
      /^Registration opens Apr 1, 2030/,
    ],
    [{ registrationState: 'started' }, 'Registration closed'],
    [{ registrationState: 'ended' }, 'Event Ended'],
    [{ registrationState: 'cancelled' }, 'Cancelled'],
  ] as const)('shows visitors for %j: %s', (given, name) => {
    fakeApi({});
    renderScreen(<RegisterButton event={anEvent(given)} />, { user: null });
    expect(screen.getByRole('button', { name })).toBeTruthy();
  });

  it('offers “Login to Register” to visitors', () => {
    fakeApi({});
    renderScreen(<RegisterButton event={anEvent()} />, { user: null });
    expect(screen.getByRole('button', { name: 'Login to Register' })).toBeTruthy();
  });
});

describe('The register button of an event with questions', () => {
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

  it('asks the questions before registering, and focuses an unanswered required question', async () => {
    const { sent, toasts } = asks(() => ({ status: 201, body: {} }));
    await pressForPart(await button());
    const track = await screen.findByLabelText('Which track?');
    await press();
    expect(document.activeElement).toBe(track);
    expect(track.getAttribute('aria-invalid')).toBe('true');
    screen.getByText('Please answer this');
    expect(sent()).toEqual([]);
    await userEvent.selectOptions(track, 'Social');
    await userEvent.selectOptions(screen.getByLabelText('Is this your first time? (optional)'), 'No');
    await press();
    await waitFor(() => expect(toasts[0]?.description).toBe('Successfully registered for event'));
    expect(sent()).toEqual([{ answers: { [DIET]: null, [TRACK]: 'Social', [FIRST]: false } }]);
  });

  it('shows a server error at the answer it concerns and keeps all answers', async () => {
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

  it('asks the questions even if the page was loaded without them', async () => {
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

  it('is “ended” for a state that this page does not know', () => {
    expect(registrationAction('postponed' as never, member)).toBe('ended');
  });
});

describe('registrationFailure', () => {
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
  ])('turns the code %s and the server text %j into %j', (code, message, words) => {
    expect(registrationFailure(refusedWith(code, message), { waitlistEnabled: false })).toBe(words);
  });

  it('mentions the waiting list if the event has one', () => {
    expect(
      registrationFailure(refusedWith('EVENT_FULL', 'This event is at full capacity'), {
        waitlistEnabled: true,
      }),
    ).toBe('This event is at full capacity. You can join the waiting list.');
  });

  it.each([
    [
      'Sorry, this event is at full capacity.',
      'This event is at full capacity. Registration is no longer available.',
    ],
    ['The user is already registered', 'You are already registered for this event.'],
    ['event not found', 'This event is no longer available for registration.'],
    ['Maintenance until noon', 'Failed to register for event'],
  ])('derives the message from the server text if the code is unknown: %j', (message, words) => {
    const answers = [
      new ApiError(409, message, null),
      new ApiError(409, JSON.stringify({ message }), { message } as ErrorBody),
      new ApiError(409, message, { code: 'OF_A_NEWER_SERVER' as ErrorCode, message } as ErrorBody),
    ];
    expect(registrationFailure(answers[0], { waitlistEnabled: false })).toBe(words);
    if (words.startsWith('Failed')) return;
    for (const answer of answers) expect(registrationFailure(answer, { waitlistEnabled: false })).toBe(words);
  });

  it('returns the server’s own text when nothing else matches', () => {
    const answer = new ApiError(409, '{}', { message: 'Maintenance until noon' } as ErrorBody);
    expect(registrationFailure(answer, { waitlistEnabled: false })).toBe('Maintenance until noon');
  });

  it('returns a generic message for a failure without a server text', () => {
    expect(registrationFailure(new TypeError('Failed to fetch'), { waitlistEnabled: true })).toBe(
      'Failed to register for event',
    );
  });
});

describe('The registration form', () => {
  const FLOW = 'f'.repeat(22);
  const RSVP = `POST /api/events/${anEvent().id}/rsvp`;
  const CONFIRM = 'POST /api/rsvp/confirm';
  const COUNT = `GET /api/events/${anEvent().id}/count`;
  const user = aUser({ firstName: 'Ada', email: 'ada@example.org' });
  const registration = aRegistration({ userId: user.id });

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

  describe('for a visitor', () => {
    beforeAll(async () => {
      const { content } = anAskingEvent();
      await act(async () => void show({}, { content } as Partial<EventPage>));
      const email = screen.getByLabelText('Email');
      await act(async () => void fireEvent.change(email, { target: { value: 'ada@example.org' } }));
      await screen.findByLabelText('Which track?');
      cleanup();
    });
    beforeEach(() => sessionStorage.clear());

    it('registers with an email address, a name and an emailed code', async () => {
      const { sent } = show({});
      await fill(' ada@example.org ');
      await register();
      await screen.findByText(/6 digits we sent to/);
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

    it('shows errors at missing fields and sends nothing', async () => {
      const { sent } = show({});
      await userEvent.type(screen.getByLabelText('Email'), 'ada');
      await register();
      screen.getByText('Please enter a valid email address');
      screen.getByText('First name is required');
      expect(document.activeElement).toBe(screen.getByLabelText('Email'));
      expect(sent(RSVP)).toEqual([]);
    });

    it('asks the event’s questions together with the visitor’s details', async () => {
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
      await screen.findByText(/6 digits we sent to/);
      expect(sent(RSVP)[0]?.body).toMatchObject({
        answers: { [DIET]: 'Nuts', [TRACK]: 'Search', [FIRST]: null },
      });
      await userEvent.click(screen.getByRole('button', { name: 'Change my details' }));
      await screen.findByDisplayValue('Nuts');
    });

    it('shows the given answers after the registration', async () => {
      const answers = { [TRACK]: 'Search', [FIRST]: false };
      const event = anAskingEvent({ registrations: [{ ...registration, answers }] });
      fakeApi({ 'GET /api/my-events': () => ({ body: [event] }) });
      renderScreen(<RegistrationCard ref={createRef()} event={event} count={1} heading="h2" />, { user });
      await userEvent.click(await screen.findByText('Your answers'));
      expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
        'Search',
        'No',
      ]);
      screen.getByText(QUESTIONS[1]!.label);
    });

    it('lets the visitor hide their name', async () => {
      const { sent } = show({});
      await fill();
      await userEvent.click(screen.getByRole('checkbox', { name: /Show my name/ }));
      await register();
      await waitFor(() => expect(sent(RSVP)[0]?.body).toMatchObject({ showMe: 'no' }));
    });

    it('joins the waiting list of a full event', async () => {
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

    it('keeps the typed values after a rejection and when going back', async () => {
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
      await userEvent.click(await screen.findByRole('button', { name: 'Change my details' }));
      expect(screen.getByLabelText<HTMLInputElement>('Last name').value).toBe('Lovelace');
    });

    it('shows the code entry again when the page is reopened', async () => {
      const first = show({});
      await fill();
      await register();
      await screen.findByLabelText('6-digit code');
      first.unmount();
      show({});
      await screen.findByText(/6 digits we sent to ada@example.org/);
      await typeCode();
      await screen.findByRole('heading', { name: 'You’re in, Ada' });
    });

    it('signs the visitor in even if the event has become full', async () => {
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
      await screen.findByText('This event is at full capacity. Registration is no longer available.');
      screen.getByRole('button', { name: 'Register' });
      expect(screen.queryByLabelText('Email')).toBeNull();
    });

    it('asks for the second factor before it confirms the registration', async () => {
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

    it('reports a confirmation on another device and refetches the registration count', async () => {
      const { sent } = show({ 'GET /api/confirm': () => ({ body: { status: 'confirmed' } }) });
      await fill();
      await register();
      await screen.findByText('Confirmed on another device');
      expect(screen.queryByRole('button', { name: 'Change my details' })).toBeNull();
      await waitFor(() => expect(sent(COUNT).length).toBeGreaterThan(1));
    });

    it('offers signing in instead of the registration form', () => {
      show({});
      screen.getByRole('button', { name: 'Login to Register' });
    });
  });

  describe('for a guest added by an organiser', () => {
    const FULL = { capacity: 1, registrationCount: 1, registrationState: 'waitlist' } as const;
    const LINK = '/events/1#take-over';
    const REGISTER = `POST /api/events/${anEvent().id}/register`;
    beforeEach(() => sessionStorage.clear());

    it('claims the held place, even at a full event', async () => {
      const { sent } = await act(async () => show({}, FULL, LINK));
      screen.getByRole('heading', { name: 'A place is held for you' });
      await screen.findByLabelText('Email');
      await fill();
      await register('Claim my place');
      await typeCode();
      const title = await screen.findByRole('heading', { name: 'You’re in, Ada' });
      await waitFor(() => expect(document.activeElement).toBe(title));
      expect(sent(RSVP).map(({ body }) => body)).toEqual([
        { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace', takeOver: true },
      ]);
    });

    it('says after the code entry that no place is held', async () => {
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
      await register('Claim my place');
      await typeCode();
      await screen.findByText('No place is held for this email address.');
      screen.getByRole('heading', { name: 'All places are taken' });
    });

    it('shows the usual registration card on “I didn’t get this email”', async () => {
      show({}, FULL, LINK);
      await userEvent.click(await screen.findByRole('button', { name: 'I didn’t get this email' }));
      screen.getByRole('heading', { name: 'All places are taken' });
    });

    it.each(['ended', 'cancelled'] as const)(
      'offers no held place once the event is %s',
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

    it('claims the held place with one press when signed in', async () => {
      const sent = asMember(() => ({ status: 201, body: { registration } }));
      await userEvent.click(await screen.findByRole('button', { name: 'Claim my place' }));
      await screen.findByRole('heading', { name: 'You’re in, Ada' });
      expect(sent()).toEqual([undefined]);
    });

    it('says that no place is held for the signed-in account', async () => {
      asMember(() => refusal(409, 'EVENT_FULL', 'This event is at full capacity'));
      await userEvent.click(await screen.findByRole('button', { name: 'Claim my place' }));
      await screen.findByText('No place is held for ada@example.org.');
    });
  });

  describe('for a registered guest', () => {
    it('lets the guest change what other guests can see', async () => {
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
      const select = await screen.findByLabelText<HTMLSelectElement>('What other guests can see');
      expect([...select.options].map(({ label }) => label)).toEqual(['Nothing about me', 'My name']);
      await userEvent.selectOptions(select, 'no');
      await waitFor(() => expect(toasts[0]?.title).toBe('Saved'));
      expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({ showMe: 'no' });
      expect(select.value).toBe('no');
    });
  });
});
