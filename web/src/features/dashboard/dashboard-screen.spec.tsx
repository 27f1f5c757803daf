import type { Event } from '@meetmark/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser } from '../../testing/samples';
import DashboardScreen from './dashboard-screen';

const DAY = 24 * 3_600_000;
const inDays = (days: number, given: Partial<Event> = {}) => {
  const start = Date.now() + days * DAY;
  return anEvent({
    id: `event-${days}`,
    title: `Evening ${days}`,
    startDate: new Date(start).toISOString(),
    endDate: new Date(start + DAY / 24).toISOString(),
    ...given,
  });
};
const member = aUser({ createdAt: new Date().toISOString() });

function show({
  mine = [],
  added = [],
  content = {},
}: {
  mine?: Event[];
  added?: Event[];
  content?: object;
}) {
  const one = Object.fromEntries(
    mine.map((event) => [`GET /api/events/${event.id}`, () => ({ body: { ...event, content } })]),
  );
  fakeApi({
    ...one,
    'GET /api/my-events': () => ({ body: mine }),
    'GET /api/events': ({ query }) => ({
      body: query.has('createdSince') && query.get('time') === 'upcoming' ? added : [],
      headers: { 'X-Total-Count': '0' },
    }),
  });
  renderScreen(<DashboardScreen />, { user: member });
}

describe('The dashboard', () => {
  beforeEach(() => localStorage.clear());

  it('begins with the next event that the member has a place at, and what one needs on the way', async () => {
    show({
      mine: [
        inDays(1, { waiting: { joinedAt: new Date().toISOString() } }),
        inDays(2, { format: 'hybrid', location: 'Leeds' }),
        inDays(3, { status: 'cancelled' }),
        inDays(4),
      ],
      content: { onlineUrl: 'https://meet.example/1', venue: null },
    });
    const next = await screen.findByRole('region', { name: /^Your next event/ });
    expect(within(next).getByRole('heading', { level: 3 }).textContent).toBe('Evening 2');
    expect(within(next).getByText('in 2 days')).toBeTruthy();
    expect(within(next).getByRole('link', { name: 'Directions' }).getAttribute('href')).toContain('Leeds');
    const join = await within(next).findByRole('link', { name: 'Join' });
    expect(join.getAttribute('href')).toBe('https://meet.example/1');
    const others = within(screen.getByRole('region', { name: 'Also in your calendar' }));
    const titles = (list: typeof others) =>
      list.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(titles(others)).toEqual(['Evening 4']);
    expect(titles(within(screen.getByRole('region', { name: 'You are waiting for' })))).toEqual([
      'Evening 1',
    ]);
    within(next).getByRole('button', { name: 'Can’t make it?' });
  });

  it('of who only waits says so, and leaves the step open', async () => {
    show({ mine: [inDays(1, { waiting: { joinedAt: new Date().toISOString() } })] });
    const waiting = await screen.findByRole('region', { name: 'You are waiting for' });
    within(waiting).getByText('Evening 1');
    expect(screen.queryByRole('region', { name: 'Also in your calendar' })).toBeNull();
    const [step] = within(screen.getByRole('region', { name: 'Three steps to begin with' })).getAllByRole(
      'listitem',
    );
    expect(step!.textContent).toBe(
      '1Register for an eventYour place is in your inbox and your calendar at once.',
    );
  });

  it('has no way to an event that is not known: nothing to join, nowhere to go', async () => {
    show({
      mine: [inDays(2, { format: 'online', location: null })],
      content: { onlineUrl: null, venue: null },
    });
    const next = await screen.findByRole('region', { name: /^Your next event/ });
    expect(within(next).queryByRole('link', { name: /Join|Directions/ })).toBeNull();
  });

  it('has nothing to join where no link is answered, once what the event is made of has come', async () => {
    show({
      mine: [inDays(2, { format: 'hybrid', location: null })],
      content: { onlineUrl: null, venue: { name: 'Platform', address: 'Leeds', note: null, mapUrl: null } },
    });
    const next = await screen.findByRole('region', { name: /^Your next event/ });
    await within(next).findByRole('link', { name: 'Directions' });
    expect(within(next).queryByRole('link', { name: 'Join' })).toBeNull();
  });

  it('shows what has been announced since the last visit, and nothing at the first', async () => {
    show({ added: [inDays(9)] });
    await screen.findByText('Three steps to begin with');
    expect(screen.queryByText('New since your last visit')).toBeNull();
    document.body.replaceChildren();
    localStorage.setItem(`visits:${member.id}`, new Date(Date.now() - 3 * DAY).toISOString() + ' ');
    show({ added: [inDays(9)] });
    const added = await screen.findByRole('region', { name: 'New since your last visit' });
    await within(added).findByRole('button', { name: 'Register: Evening 9' });
  });

  it('leads a new member through three steps, until they are put away', async () => {
    show({ mine: [inDays(2)] });
    const steps = await screen.findByRole('region', { name: 'Three steps to begin with' });
    expect(
      within(steps)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Register for an eventDone',
      expect.stringContaining('Add your picture'),
      expect.stringContaining('Say what you do'),
    ]);
    await userEvent.click(within(steps).getByRole('button', { name: 'Hide' }));
    await waitFor(() => expect(screen.queryByText('Three steps to begin with')).toBeNull());
    document.body.replaceChildren();
    show({ mine: [inDays(2)] });
    await screen.findByRole('region', { name: /^Your next event/ });
    expect(screen.queryByText('Three steps to begin with')).toBeNull();
  });
});
