import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import { createRef, useState } from 'react';
import type { EventPage, User, Event, ErrorBody, ErrorCode } from '@meetmark/contracts';
import { jest } from '@jest/globals';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { fillFields, findDialog, getField, getTexts, press } from '../../testing/actions';
import { fakeApi, type Handlers, refusal } from '../../testing/fake-api';
import { findToast, renderScreen, pressForPart } from '../../testing/render-screen';
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

const card = (event: EventPage) => (
  <RegistrationCard ref={createRef()} event={event} count={event.registrationCount} heading="h2" />
);

describe('The registration card', () => {
  function show(
    given: Partial<EventPage>,
    mine: Partial<EventPage> | null = null,
    user: User | null = aUser(),
    path = '/',
  ) {
    const event = anEventPage({ ...anEvent(), ...given });
    fakeApi({ 'GET /api/my-events': () => ({ body: mine ? [{ ...event, ...mine }] : [] }) });
    renderScreen(card(event), { user, path });
    return (name: string | RegExp) => screen.findByRole('heading', { level: 2, name });
  }

  beforeAll(async () => {
    await act(async () => void show({}, null, null));
    cleanup();
  });

  it.each([
    [36, true],
    [35, false],
  ])('shows that %i of 40 places are taken, in amber: %s', async (taken, amber) => {
    const title = await show({ capacity: 40, registrationCount: taken })(`${40 - taken} places left`);
    expect(title.closest('[data-tone=warm]') !== null).toBe(amber);
    await screen.findByRole('button', { name: 'Register' });
    screen.getByText(`${taken} of 40 places taken`);
    screen.getByText('Free');
  });

  const FULL = { capacity: 1, registrationCount: 1, waitingCount: 2, registrationState: 'waitlist' } as const;
  const SCHEDULED = {
    registrationState: 'scheduled',
    registrationOpensAt: '2030-04-01T08:00:00.000Z',
  } as const;
  const UNREGISTER = 'Can’t make it? Unregister';
  const resources = [{ title: 'Slides', url: 'https://x.example' }];
  const content = { ...anEvent().content, recap: 'It was good', resources };
  const sent = 'We sent the confirmation to ada@example.org.';
  const waiting = { joinedAt: '2026-11-22T12:00:00Z', position: 3 };

  it.each<[string | RegExp, Partial<EventPage>, (string | RegExp)[], string[]?, Partial<EventPage>?]>([
    ['Reserve your place', { price: '15', paymentNote: 'Cash' }, ['£15', 'Cash'], ['Register']],
    ['You’re in, Ada', {}, [sent], ['Add to calendar', 'Share', UNREGISTER], { waiting: null }],
    ['You are number 3', FULL, [], ['Leave the waiting list'], { waiting }],
    ['All places are taken', FULL, [/2 people are waiting\./], ['Join the waiting list']],
    [/^Registration opens Apr 1, 2030/, SCHEDULED, [/Come back/]],
    ['Registration closed', { registrationState: 'closed' }, [/no longer register/]],
    ['Registration closed', { registrationState: 'started' }, ['The event is happening now.']],
    ['Event Ended', { registrationState: 'ended', content }, ['Read the recap', 'Slides and recordings']],
    [
      'This event has been cancelled',
      { registrationState: 'cancelled', cancelReason: 'Our speaker is ill.' },
      ['Message from the organisers: Our speaker is ill.'],
    ],
  ])('shows “%s” with its text and buttons', async (title, given, texts, buttons = [], mine = undefined) => {
    await show(given, mine)(title);
    for (const text of texts) screen.getByText(text);
    for (const name of buttons) screen.getByRole('button', { name });
    expect(screen.queryAllByRole('button').length === 0).toBe(buttons.length === 0);
    expect(screen.queryByRole('button', { name: 'Register' }) !== null).toBe(buttons.includes('Register'));
  });

  it('uses the registration in the event’s data until My Events has loaded', () => {
    const event = anEventPage(anEvent({ registrations: [aRegistration({ userId: aUser().id })] }));
    fakeApi({ 'GET /api/my-events': () => new Promise(() => {}) });
    renderScreen(
      <>
        {card(event)}
        <RegisterButton event={event} />
      </>,
      { user: aUser() },
    );
    screen.getByRole('heading', { name: 'You’re in, Ada' });
    screen.getByRole('button', { name: 'Registered' });
  });

  it.each([
    ['a member', aUser()],
    ['a visitor', null],
  ])('shows %s a disabled button for a full event without a waiting list', async (_, user) => {
    const full = { registrationState: 'full', capacity: 1, registrationCount: 1 } as const;
    await show(full, null, user)('All places are taken');
    screen.getByText('This event is at full capacity. Registration is no longer available.');
    const button = screen.getByRole('button', { name: 'Event Full' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });

  it.each([
    ['a registered member', { waiting: null }, aUser(), 'You’re in, Ada', /^You’re still registered/],
    ['a visitor', null, null, 'Reserve your place', /^If you’re registered, you stay registered/],
    ['another member', null, aUser(), 'Reserve your place', null],
  ])('reassures %s who opens the link for keeping a place', async (_, mine, user, title, text) => {
    const heading = await show({}, mine, user, '/events/1#keep-place')(title);
    expect(screen.queryByText(/stay|still registered/)?.textContent ?? '').toMatch(text ?? /^$/);
    expect(document.activeElement === heading).toBe(mine !== null);
  });
});

const PLACE = 'POST /api/events/0190b000-0000-7000-8000-000000000001/register';
const DETAIL = 'GET /api/events/0190b000-0000-7000-8000-000000000001';
const MINE = 'GET /api/my-events';

describe('The register button', () => {
  const show = (handlers: Handlers, button = <RegisterButton event={anEvent()} />) => {
    const requests = fakeApi({ [MINE]: () => ({ body: [] }), ...handlers });
    return { requests, ...renderScreen(button, { user: aUser() }) };
  };

  it('registers once on a double click, then says “Registered”', async () => {
    let mine: Event[] = [];
    const { requests, toasts } = show({
      [MINE]: () => ({ body: mine }),
      [PLACE]: () => {
        mine = [anEvent()];
        return { status: 201, body: {} };
      },
    });
    await userEvent.dblClick(await screen.findByRole('button', { name: 'Register' }));
    await screen.findByText('Registered');
    expect(requests.sent(PLACE)).toHaveLength(1);
    const description = 'Successfully registered for event';
    expect(toasts).toEqual([{ kind: 'success', title: 'Success', description }]);
  });

  it('reports the registration even if the button has disappeared from the page', async () => {
    let answer = () => {};
    function Results() {
      const [found, setFound] = useState(true);
      return (
        <>
          <button onClick={() => setFound(false)}>Search</button>
          {found && <RegisterButton event={anEvent()} />}
        </>
      );
    }
    const held = async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { status: 201, body: {} };
    };
    const { toasts } = show({ [PLACE]: held }, <Results />);
    await press('Register');
    await press('Search');
    answer();
    await findToast(toasts, 'Successfully registered for event');
  });

  it('reports that the member is already registered', async () => {
    const { toasts } = show({ [PLACE]: () => ({ status: 200, body: {} }) });
    await press('Register');
    await findToast(toasts, 'You are already registered for this event');
  });

  it('shows the error and refetches the member’s events after a rejection', async () => {
    const event = anEvent();
    const { requests, toasts } = show(
      { [DETAIL]: () => ({ body: event }), [PLACE]: () => refusal(409, 'EVENT_FULL', 'Full') },
      <EventLoader eventId={event.id}>{(loaded) => <RegisterButton event={loaded} />}</EventLoader>,
    );
    await press('Register');
    const description = 'This event is at full capacity. Registration is no longer available.';
    await waitFor(() =>
      expect(toasts).toEqual([{ kind: 'error', title: 'Registration Failed', description }]),
    );
    await waitFor(() => expect([DETAIL, MINE].map((call) => requests.sent(call).length)).toEqual([2, 2]));
    await screen.findByRole('button', { name: 'Register' });
  });

  it('joins the waiting list, shows the position, and leaves the list', async () => {
    const event = anEvent({ capacity: 1, registrationCount: 1, registrationState: 'waitlist' });
    let waiting: Event['waiting'] = null;
    const { requests, toasts } = show(
      {
        [MINE]: () => ({ body: waiting ? [{ ...event, waiting }] : [] }),
        [PLACE]: () => {
          waiting = { joinedAt: '2026-11-21T12:00:00Z', position: 3 };
          return { status: 201, body: { registration: { status: 'waitlisted' }, waiting } };
        },
        [PLACE.replace('POST', 'DELETE')]: () => {
          waiting = null;
          return { status: 204 };
        },
      },
      <>
        <RegisterButton event={event} />
        <UnregisterButton event={event} />
        <UnregisterDialog event={event} waiting close={jest.fn()} />
      </>,
    );
    await press('Join the waiting list');
    await screen.findByRole('button', { name: 'You are number 3' });
    expect(requests.bodies(PLACE)[0]).toEqual({ waitlist: true });
    expect(toasts[0]?.description).toBe('You are on the waiting list');

    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Leave/ })).toHaveLength(2));
    await press('Leave the waiting list', await findDialog());
    await screen.findByRole('button', { name: 'Join the waiting list' });
    expect(toasts[1]?.description).toBe('You’ve left the waiting list');
  });

  it('shows visitors what they can do in each state of an event', () => {
    fakeApi({});
    const registrationOpensAt = '2030-04-01T08:00:00.000Z';
    const early = ['open', 'waitlist', 'full', 'closed', 'scheduled'] as const;
    const states = [...early, 'started', 'ended', 'cancelled'] as const;
    renderScreen(
      states.map((registrationState) => (
        <RegisterButton key={registrationState} event={anEvent({ registrationState, registrationOpensAt })} />
      )),
      { user: null },
    );
    expect(getTexts(screen.getAllByRole('button'))).toEqual([
      ...['Login to Register', 'Join the waiting list', 'Event Full', 'Registration closed'],
      expect.stringMatching(/^Registration opens Apr 1, 2030/),
      ...['Registration closed', 'Event Ended', 'Cancelled'],
    ]);
  });

  describe('of an event with questions', () => {
    beforeAll(() => import('./register-dialog'));
    const asks = (answer: Handlers[string], event = anAskingEvent()) =>
      show(
        { [DETAIL]: () => ({ body: anAskingEvent() }), [PLACE]: answer },
        <RegisterButton event={event} />,
      );
    const button = async () => (await screen.findAllByRole('button', { name: 'Register' })).at(-1)!;
    const pressLast = async () => userEvent.click(await button());

    it('asks the questions before registering, and focuses an unanswered required question', async () => {
      const { requests, toasts } = asks(() => ({ status: 201, body: {} }));
      await pressForPart(await button());
      const track = await screen.findByLabelText('Which track?');
      await pressLast();
      expect(document.activeElement).toBe(track);
      expect(track.getAttribute('aria-invalid')).toBe('true');
      screen.getByText('Please answer this');
      expect(requests.sent(PLACE)).toEqual([]);
      await userEvent.selectOptions(track, 'Social');
      await userEvent.selectOptions(screen.getByLabelText('Is this your first time? (optional)'), 'No');
      await pressLast();
      await findToast(toasts, 'Successfully registered for event');
      const answers = { [DIET]: null, [TRACK]: 'Social', [FIRST]: false };
      expect(requests.bodies(PLACE)).toEqual([{ answers }]);
    });

    it('asks even if the page has no questions, and shows an error at the answer it concerns', async () => {
      const fields = { [`answers.${DIET}`]: ['What do you not eat?: Use at most 500 characters'] };
      const invalid = refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', { fields });
      const { toasts } = asks(() => invalid, anEvent());
      await pressLast();
      await userEvent.selectOptions(await screen.findByLabelText('Which track?'), 'Search');
      fillFields({ 'What do you not eat? (optional)': 'Nuts' });
      await pressLast();
      await screen.findByText('Use at most 500 characters');
      expect(document.activeElement).toBe(screen.getByDisplayValue('Nuts'));
      screen.getByDisplayValue('Search');
      expect(toasts).toEqual([]);
    });
  });
});

const member = { signedIn: true, place: null };
const registered = { signedIn: true, place: 'registered' } as const;
const waiting = { signedIn: true, place: { joinedAt: '2026-11-21T12:00:00Z', position: 3 } };

describe('The action of an event card', () => {
  it.each([
    ['started', registered, 'ended'],
    ['cancelled', registered, 'cancelled'],
    ['open', member, 'register'],
    ['waitlist', member, 'join'],
    ['waitlist', registered, 'registered'],
    ['waitlist', waiting, 'waiting'],
    ['closed', waiting, 'waiting'],
    ['full', member, 'full'],
    ['closed', member, 'closed'],
    ['unknown to this page' as never, member, 'ended'],
  ] as const)('in the state %s for %j is %s', (state, circumstances, action) => {
    expect(registrationAction(state, circumstances)).toBe(action);
  });
});

describe('registrationFailure', () => {
  const FULL = 'This event is at full capacity';
  const FULL_TEXT = `${FULL}. Registration is no longer available.`;
  const STARTED = 'Registration is closed: this event has already started';
  const getText = (error: unknown, waitlistEnabled = false) =>
    registrationFailure(error, { waitlistEnabled });
  const refusedWith = (code: ErrorCode, message: string) =>
    new ApiError(409, '', { statusCode: 409, code, message, requestId: 'test' });

  it.each<[ErrorCode, string, string, waitlistEnabled?: boolean]>([
    ['EVENT_FULL', FULL, 'This event is at full capacity. Registration is no longer available.'],
    ['EVENT_FULL', FULL, 'This event is at full capacity. You can join the waiting list.', true],
    ['EVENT_NOT_FOUND', 'Event not found', 'This event is no longer available for registration.'],
    ['REGISTRATION_CLOSED', STARTED, 'Registration is closed: this event has already started'],
  ])('turns the code %s and the server text %j into %j', (code, message, words, waitlistEnabled = false) => {
    expect(getText(refusedWith(code, message), waitlistEnabled)).toBe(words);
  });

  it.each([
    [
      'Sorry, this event is at full capacity.',
      'This event is at full capacity. Registration is no longer available.',
    ],
    ['The user is already registered', 'You are already registered for this event.'],
    ['event not found', 'This event is no longer available for registration.'],
    ['Maintenance until noon', 'Maintenance until noon'],
  ])('derives the message from the server text if the code is unknown: %j', (message, words) => {
    for (const error of [
      new ApiError(409, JSON.stringify({ message }), { message } as ErrorBody),
      new ApiError(409, message, { code: 'OF_A_NEWER_SERVER' as ErrorCode, message } as ErrorBody),
    ])
      expect(getText(error)).toBe(words);
  });

  it.each([
    [
      'a generic message for a network error',
      new TypeError('Failed to fetch'),
      'Failed to register for event',
    ],
    ['a generic message for a page', new ApiError(409, 'Maintenance', null), 'Failed to register for event'],
    ['the known reason of a page', new ApiError(409, `<p>${FULL}</p>`, null), FULL_TEXT],
  ])('returns %s', (_, error, words) => {
    expect(getText(error)).toBe(words);
  });
});

describe('The registration form', () => {
  const FLOW = 'f'.repeat(22);
  const RSVP = `POST /api/events/${anEvent().id}/rsvp`;
  const CONFIRM = 'POST /api/rsvp/confirm';
  const COUNT = `GET /api/events/${anEvent().id}/count`;
  const user = aUser({ firstName: 'Ada', email: 'ada@example.org' });
  const registration = aRegistration({ userId: user.id });
  const outcome = (given: object) => ({
    body: { user, registration, eventId: anEvent().id, passwordEnded: false, ...given },
  });
  const noPlace = outcome({ registration: null, refusal: { code: 'EVENT_FULL', message: 'Full' } });

  function Card({ event }: { event: EventPage }) {
    useQuery(registrationCountQuery(event.id));
    const { data } = useQuery({
      queryKey: CURRENT_USER_KEY,
      queryFn: (): User | null => null,
      enabled: false,
    });
    const session = data
      ? ({ status: 'signed-in', user: data } as const)
      : ({ status: 'anonymous', user: null } as const);
    return <SessionContext value={session}>{card(event)}</SessionContext>;
  }

  function show(handlers: Handlers = {}, given: Partial<EventPage> = {}, path = '/') {
    const event = anEventPage(anEvent(given));
    let mine: Event[] = [];
    const requests = fakeApi({
      [RSVP]: () => ({ status: 202, body: { flow: FLOW } }),
      [CONFIRM]: () => {
        mine = [{ ...event, registrations: [registration] }];
        return outcome({});
      },
      'GET /api/confirm': () => ({ body: { status: 'open' } }),
      [MINE]: () => ({ body: mine }),
      [COUNT]: () => ({ body: { count: 0 } }),
      ...handlers,
    });
    return { requests, ...renderScreen(<Card event={event} />, { user: null, path }) };
  }

  const fill = (email = 'ada@example.org') =>
    fillFields({ Email: email, 'First name': 'Ada', 'Last name': 'Lovelace' });
  const register = (name = 'Register') => {
    fill();
    return press(name);
  };
  const enterCode = async () => {
    await screen.findByLabelText('6-digit code');
    fillFields({ '6-digit code': '123456' });
  };
  const seeRegistration = async () => {
    const title = await screen.findByRole('heading', { name: 'You’re in, Ada' });
    await waitFor(() => expect(document.activeElement).toBe(title));
  };

  describe('for a visitor', () => {
    beforeAll(async () => {
      const { content } = anAskingEvent();
      await act(async () => void show({}, { content }));
      await act(async () => fillFields({ Email: 'ada@example.org' }));
      await screen.findByLabelText('Which track?');
      cleanup();
    });

    it('registers with an email address, a name and an emailed code, or offers the login', async () => {
      const { requests } = show();
      screen.getByRole('button', { name: 'Login to Register' });
      fill(' ada@example.org ');
      await press('Register');
      await screen.findByText(/6 digits we sent to/);
      const person = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' };
      expect(requests.bodies(RSVP)[0]).toEqual(person);
      await enterCode();
      await seeRegistration();
      expect(requests.bodies(CONFIRM)).toEqual([{ flow: FLOW, code: '123456' }]);
      expect(sessionStorage.length).toBe(0);
    });

    it('shows errors at missing fields and sends nothing', async () => {
      const { requests } = show();
      fillFields({ Email: 'ada' });
      await press('Register');
      screen.getByText('Please enter a valid email address');
      screen.getByText('First name is required');
      expect(document.activeElement).toBe(screen.getByLabelText('Email'));
      expect(requests.sent(RSVP)).toEqual([]);
    });

    it('asks the event’s questions, and whether other people can see the visitor’s name', async () => {
      const { content } = anAskingEvent();
      const { requests } = show({}, { content });
      const track = await screen.findByLabelText('Which track?');
      await register();
      expect(document.activeElement).toBe(track);
      expect(requests.sent(RSVP)).toEqual([]);
      await userEvent.selectOptions(track, 'Search');
      fillFields({ 'What do you not eat? (optional)': 'Nuts' });
      await userEvent.click(screen.getByRole('checkbox', { name: /Show my name/ }));
      await press('Register');
      await screen.findByText(/6 digits we sent to/);
      const answers = { [DIET]: 'Nuts', [TRACK]: 'Search', [FIRST]: null };
      expect(requests.bodies(RSVP)[0]).toMatchObject({ answers, showMe: 'no' });
      await press('Change my details');
      await screen.findByDisplayValue('Nuts');
    });

    it('joins the waiting list of a full event', async () => {
      const waiting = { joinedAt: '2026-11-22T12:00:00Z', position: 3 };
      const { requests } = show(
        {
          [CONFIRM]: () => outcome({ waiting }),
          [MINE]: () => ({ body: [{ ...anEvent(), waiting }] }),
        },
        { capacity: 1, registrationCount: 1, registrationState: 'waitlist' },
      );
      await register('Join the waiting list');
      await enterCode();
      await screen.findByRole('heading', { name: 'You are number 3' });
      expect(requests.bodies(RSVP)[0]).toMatchObject({ waitlist: true });
    });

    it('keeps the typed values after a rejection and when going back', async () => {
      const answers = [refusal(429, 'RATE_LIMITED', 'Too many requests: try again later')];
      show({ [RSVP]: () => answers.pop() ?? { status: 202, body: { flow: FLOW } } });
      await register();
      await screen.findByText('Too many requests: try again later');
      expect(getField('Email').value).toBe('ada@example.org');
      await press('Register');
      await press('Change my details');
      expect(getField('Last name').value).toBe('Lovelace');
    });

    it('shows the code entry again when the page is reopened', async () => {
      const { unmount } = show();
      await register();
      await screen.findByLabelText('6-digit code');
      unmount();
      show();
      await screen.findByText(/6 digits we sent to ada@example.org/);
      await enterCode();
      await seeRegistration();
    });

    it('signs the visitor in even if the event has become full', async () => {
      show({ [CONFIRM]: () => noPlace });
      await register();
      await enterCode();
      await screen.findByText('This event is at full capacity. Registration is no longer available.');
      screen.getByRole('button', { name: 'Register' });
      expect(screen.queryByLabelText('Email')).toBeNull();
    });

    it('asks for the second factor before it confirms the registration', async () => {
      let mine: Event[] = [];
      show({
        [CONFIRM]: () =>
          refusal(401, 'SECOND_FACTOR_REQUIRED', 'A second step is needed', { methods: ['totp'] }),
        'POST /api/login/second-factor': () => {
          mine = [anEvent({ registrations: [registration] })];
          return { body: { ...user, rsvp: { eventId: anEvent().id, registration } } };
        },
        [MINE]: () => ({ body: mine }),
      });
      await register();
      await enterCode();
      await screen.findByLabelText('Code');
      fillFields({ Code: '654321' });
      await seeRegistration();
    });

    it('reports a confirmation on another device and refetches the registration count', async () => {
      const { requests } = show({ 'GET /api/confirm': () => ({ body: { status: 'confirmed' } }) });
      await register();
      await screen.findByText('Confirmed on another device');
      expect(screen.queryByRole('button', { name: 'Change my details' })).toBeNull();
      await waitFor(() => expect(requests.sent(COUNT).length).toBeGreaterThan(1));
    });
  });

  describe('for a guest added by an organiser', () => {
    const FULL = { capacity: 1, registrationCount: 1, registrationState: 'waitlist' } as const;
    const LINK = '/events/1#take-over';

    it('claims the held place, even at a full event', async () => {
      const { requests } = await act(async () => show({}, FULL, LINK));
      screen.getByRole('heading', { name: 'A place is held for you' });
      await screen.findByLabelText('Email');
      await register('Claim my place');
      await enterCode();
      await seeRegistration();
      expect(requests.bodies(RSVP)).toMatchObject([{ email: 'ada@example.org', takeOver: true }]);
    });

    it('says after the code entry that no place is held', async () => {
      show({ [CONFIRM]: () => noPlace }, FULL, LINK);
      await screen.findByLabelText('Email');
      await register('Claim my place');
      await enterCode();
      await screen.findByText('No place is held for this email address.');
      screen.getByRole('heading', { name: 'All places are taken' });
    });

    it('shows the usual registration card on “I didn’t get this email”', async () => {
      show({}, FULL, LINK);
      await press('I didn’t get this email');
      screen.getByRole('heading', { name: 'All places are taken' });
    });

    it.each(['ended', 'cancelled'] as const)('offers no held place if the event is %s', (state) => {
      show({}, { registrationState: state }, LINK);
      expect(screen.queryByRole('heading', { name: 'A place is held for you' })).toBeNull();
    });

    it('says that no place is held for a member’s account, or claims it with one press', async () => {
      const event = anEventPage(anEvent(FULL));
      const answers = [refusal(409, 'EVENT_FULL', 'This event is at full capacity')];
      let mine: Event[] = [];
      const requests = fakeApi({
        [MINE]: () => ({ body: mine }),
        [PLACE]: () => {
          const refused = answers.pop();
          if (!refused) mine = [{ ...event, registrations: [registration] }];
          return refused ?? { status: 201, body: { registration } };
        },
      });
      renderScreen(card(event), { user, path: LINK });
      await press('Claim my place');
      await screen.findByText('No place is held for ada@example.org.');
      await press('Claim my place');
      await screen.findByRole('heading', { name: 'You’re in, Ada' });
      expect(requests.bodies()).toEqual([undefined, undefined]);
    });
  });

  it('shows registered guests their answers, and lets them hide their name', async () => {
    let showMe: 'name' | 'no' = 'name';
    const answers = { [TRACK]: 'Search', [FIRST]: false };
    const getEvent = () => anAskingEvent({ registrations: [{ ...registration, showMe, answers }] });
    const requests = fakeApi({
      [MINE]: () => ({ body: [getEvent()] }),
      [PLACE.replace('POST', 'PUT')]: () => {
        showMe = 'no';
        return { body: { ...registration, showMe } };
      },
    });
    const { toasts } = renderScreen(card(getEvent()), { user });
    const select = await screen.findByLabelText<HTMLSelectElement>('What other guests can see');
    expect([...select.options].map(({ label }) => label)).toEqual(['Nothing about me', 'My name']);
    await userEvent.selectOptions(select, 'no');
    await waitFor(() => expect(toasts[0]?.title).toBe('Saved'));
    expect(requests.bodies()).toEqual([{ showMe: 'no' }]);
    expect(select.value).toBe('no');

    await userEvent.click(screen.getByText('Your answers'));
    expect(getTexts(screen.getAllByRole('definition'))).toEqual(['Search', 'No']);
    screen.getByText(QUESTIONS[1]!.label);
  });
});
