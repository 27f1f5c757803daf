import { jest } from '@jest/globals';
import type { Event } from '@meetmark/contracts';
import { aRegistration } from '@meetmark/testing/factories/samples';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { fakeApi, refusal } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { anAskingEvent, anEvent, aUser, DIET, FIRST, TRACK } from '../../testing/samples';
import { EventLoader } from '../events/shared/event-loader';
import { RegisterButton } from './register-button';
import { UnregisterButton } from './unregister-button';
import UnregisterDialog from './unregister-dialog';

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
