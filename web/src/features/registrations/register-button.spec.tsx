import type { Event } from '@meetmark/contracts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser } from '../../testing/samples';
import { EventLoader } from '../events/event-loader';
import { RegisterButton } from './register-button';

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
      description: 'This event is at full capacity. Registration is no longer available.',
    });
    expect(await screen.findByRole('button', { name: 'Register' })).toBeTruthy();
  });

  it('asks for the event anew after a refusal: what is on screen was not true any more', async () => {
    const event = anEvent();
    const detail = `GET /api/events/${event.id}`;
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
    await waitFor(() =>
      expect(requests.filter(({ method, path }) => `${method} ${path}` === detail)).toHaveLength(2),
    );
  });

  it('leads visitors to the login', () => {
    fakeApi({});
    renderScreen(<RegisterButton event={anEvent()} />, { user: null });
    expect(screen.getByRole('button', { name: 'Login to Register' })).toBeTruthy();
  });
});
