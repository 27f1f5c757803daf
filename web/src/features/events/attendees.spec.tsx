import type { Attendee } from '@meetmark/contracts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser } from '../../testing/samples';
import './attendee-list'; // loaded before it is waited for
import './public-faces';
import { Attendees } from './attendees';

describe('Who is coming', () => {
  const shown = async (count: number, names: string[]) => {
    const event = anEvent({ registrationCount: count });
    const body = names.map((firstName, id) => ({
      ...{ id: String(id), firstName, lastName: 'Lovelace', profileImageUrl: null, linkedInUrl: null },
    }));
    fakeApi({ [`GET /api/events/${event.id}/attendees`]: () => ({ body }) });
    await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user: aUser() }));
  };

  it('counts those who are not named', async () => {
    await shown(3, ['Ada']);
    await screen.findByText('and 2 others');
  });

  it('is nobody only when nobody comes', async () => {
    await shown(1, []);
    await screen.findByText('1 person is coming');
    expect(screen.queryByText('No attendees yet')).toBeNull();
  });

  it.each([
    ['open', 'a visitor', null],
    ['open', 'a member', aUser()],
    ['closed', 'a visitor', null],
  ] as const)('is nobody yet where registration is %s, for %s too', async (registrationState, _, user) => {
    fakeApi({});
    const event = anEvent({ registrationCount: 0, registrationState });
    await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user }));
    screen.getByText('No attendees yet');
    expect(screen.queryByText('Be the first to register!') !== null).toBe(registrationState === 'open');
  });

  it('is for visitors whoever lets them see it, counting the others', async () => {
    const publicAttendees = ['Ada', 'Grace'].map((firstName) => ({
      ...{ firstName, lastName: 'Lovelace', profileImageUrl: null },
    }));
    fakeApi({});
    const shownOf = async (registrationCount: number) => {
      const event = anEvent({ registrationCount, publicAttendees });
      let rendered!: ReturnType<typeof renderScreen>;
      await act(
        async () => void (rendered = renderScreen(<Attendees event={event} heading="h2" />, { user: null })),
      );
      return rendered;
    };
    const { unmount } = await shownOf(7);
    await screen.findByText('Ada Lovelace, Grace Lovelace and 5 others');
    screen.getByRole('link', { name: 'Sign in to see who is coming' });
    unmount();
    await shownOf(2);
    await screen.findByText('Ada Lovelace and Grace Lovelace');
  });

  it('is a number alone for who has not confirmed their address, with the way to do so', async () => {
    const event = anEvent({ registrationCount: 3 });
    const requests = fakeApi({});
    renderScreen(<Attendees event={event} heading="h2" />, { user: aUser({ emailVerifiedAt: null }) });
    screen.getByRole('heading', { name: 'Attendees (3)' });
    screen.getByText('Confirm your address to see who is coming');
    screen.getByRole('button', { name: 'Confirm my address' });
    expect(requests).toEqual([]);
  });

  it('is asked for page by page, as far as it is wanted', async () => {
    const event = anEvent({ registrationCount: 30 });
    const everybody = Array.from({ length: event.registrationCount }, (_, n): Attendee => ({
      id: String(n),
      firstName: 'Member',
      lastName: String(n),
      profileImageUrl: null,
      linkedInUrl: null,
    }));
    const path = `/api/events/${event.id}/attendees`;
    const requests = fakeApi({
      [`GET ${path}`]: ({ query }) => {
        const from = Number(query.get('cursor') ?? 0);
        const to = from + Number(query.get('limit'));
        const next = `<${path}?limit=24&cursor=${to}>; rel="next"`;
        return {
          body: everybody.slice(from, to),
          headers: { 'x-total-count': '30', ...(to < everybody.length ? { link: next } : {}) },
        };
      },
    });
    await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user: aUser() }));
    await screen.findByText('and 24 others');
    expect(screen.getAllByRole('listitem')).toHaveLength(6);
    screen.getByText('Member 5');
    expect(screen.queryByText('Member 6')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Show names' }));
    await screen.findByText('Member 23');
    expect(screen.queryByText('Member 24')).toBeNull();
    expect(requests.map(({ query }) => query.get('limit'))).toEqual(['24']);
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByText('Member 29');
    expect(screen.getAllByRole('listitem')).toHaveLength(30);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
  });
});
