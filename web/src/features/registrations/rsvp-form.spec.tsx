import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createRef } from 'react';
import type { Event, EventPage, User } from '@meetmark/contracts';
import { useQuery } from '@tanstack/react-query';
import { anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anAskingEvent, anEvent, aUser, DIET, FIRST, QUESTIONS, TRACK } from '../../testing/samples';
import { CURRENT_USER_KEY } from '../../api/query-client';
import { SessionContext } from '../auth/session';
import { registrationCountQuery } from '../events/shared/events.api';
import { RegistrationCard } from './registration-card';

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
    expect(sent(RSVP)[0]?.body).toEqual({ email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' });
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
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['Search', 'No']);
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
      'GET /api/my-events': () => ({ body: taken ? [{ ...anEvent(), registrations: [registration] }] : [] }),
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

  it.each(['ended', 'cancelled'] as const)('is offered nothing once the event is %s', (registrationState) => {
    show({}, { registrationState }, LINK);
    expect(screen.queryByRole('heading', { name: 'A place is held for you' })).toBeNull();
  });

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
