import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Event } from '@meetmark/contracts';
import { Route, Routes } from 'react-router-dom';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser } from '../../testing/samples';
import GiveUpScreen from './give-up-screen';

const EVENT = anEvent();
const open = (mine: Event[], user = aUser() as ReturnType<typeof aUser> | null, event = EVENT) => {
  const requests = fakeApi({
    'GET /api/my-events': () => ({ body: mine }),
    [`GET /api/events/${EVENT.id}`]: () => ({ body: event }),
    [`DELETE /api/events/${EVENT.id}/register`]: () => ({ status: 204 }),
  });
  renderScreen(
    <Routes>
      <Route path="/events/:eventId/give-up" element={<GiveUpScreen />} />
    </Routes>,
    { user, path: `/events/${EVENT.id}/give-up` },
  );
  return requests;
};

describe('The page of a mail’s “Give up my place”', () => {
  it('changes nothing until its button is pressed', async () => {
    const requests = open([EVENT]);
    await screen.findByText(/^You have a place at “Attribution breakfast”/);
    expect(requests.map(({ method }) => method)).not.toContain('DELETE');
    await userEvent.click(screen.getByRole('button', { name: 'Give up my place' }));
    await screen.findByText('Your place is free for somebody else.');
    expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Thank you for telling us'));
  });

  it('leaves the waiting list for who waits', async () => {
    open([{ ...EVENT, waiting: { joinedAt: '2026-11-21T12:00:00Z', position: 2 } }]);
    await userEvent.click(await screen.findByRole('button', { name: 'Leave the waiting list' }));
    await screen.findByText('You are not on the waiting list any more.');
  });

  it.each([
    ['You have no place at this event', EVENT],
    ['This event has already begun', anEvent({ registrationState: 'started' })],
    ['This event has been cancelled', anEvent({ registrationState: 'cancelled' })],
  ])('says %s', async (title, event) => {
    open([], aUser(), event);
    await screen.findByRole('heading', { name: title });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('asks visitors to sign in', () => {
    open([], null);
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy();
  });
});
