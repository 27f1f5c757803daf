import type { Event } from '@meetmark/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { jest } from '@jest/globals';
import userEvent from '@testing-library/user-event';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen, wideScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser } from '../../testing/samples';
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
  lists = {},
}: {
  mine?: Event[];
  added?: Event[];
  content?: object;
  lists?: Record<string, Event[]>;
}) {
  const one = Object.fromEntries(
    mine.map((event) => [`GET /api/events/${event.id}`, () => ({ body: { ...event, content } })]),
  );
  fakeApi({
    ...one,
    'GET /api/my-events': () => ({ body: mine }),
    'GET /api/events': ({ query }) => {
      const time = query.get('time') ?? '';
      const ofTime = lists[time] ?? [];
      const body = !query.has('createdSince') ? ofTime : time === 'notEnded' ? added : [];
      return { body, headers: { 'X-Total-Count': String(ofTime.length) } };
    },
  });
  renderScreen(<DashboardScreen />, { user: member });
}

describe('The dashboard', () => {
  beforeEach(() => localStorage.clear());

  const headings = () =>
    screen
      .getAllByRole('heading')
      .filter(({ tagName }) => tagName !== 'H3')
      .map(({ textContent }) => textContent);
  const order = async () => {
    localStorage.setItem(`visits:${member.id}`, new Date(Date.now() - 3 * DAY).toISOString() + ' ');
    show({ mine: [inDays(1), inDays(2)], added: [inDays(9)] });
    await screen.findByRole('region', { name: /^Your next event/ });
    await screen.findByText('New since your last visit');
    return headings();
  };
  const FURTHER = ['Three steps to get started', 'You’re also going to', 'New since your last visit'];

  it('shows the Quick Actions and both event lists before anything else', async () => {
    expect(await order()).toEqual([
      ...['Welcome back, Ada!', 'Quick Actions', 'Upcoming Events', 'Recent Events'],
      ...['Your next eventtomorrow', ...FURTHER],
    ]);
  });

  it('places the next event after the Quick Actions on wide screens', async () => {
    wideScreen('68em');
    expect(await order()).toEqual([
      ...['Welcome back, Ada!', 'Quick Actions', 'Your next eventtomorrow'],
      ...['Upcoming Events', 'Recent Events', ...FURTHER],
    ]);
    jest.restoreAllMocks();
  });

  it('shows the next registered event with directions and the joining link', async () => {
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
    const others = within(screen.getByRole('region', { name: 'You’re also going to' }));
    const titles = (list: typeof others) =>
      list.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(titles(others)).toEqual(['Evening 4']);
    expect(titles(within(screen.getByRole('region', { name: 'On the waiting list for' })))).toEqual([
      'Evening 1',
    ]);
    within(next).getByRole('button', { name: 'Can’t make it?' });
  });

  it('shows a running event as upcoming, and as the registered member’s next event', async () => {
    const running = aRunningEvent({ title: 'Festival' });
    show({ mine: [running], lists: { notEnded: [running], ended: [inDays(-2)] } });
    const next = await screen.findByRole('region', { name: /^Your next event/ });
    within(next).getByText('Festival');
    const [upcoming, recent] = ['Upcoming Events', 'Recent Events'].map((name) =>
      within(screen.getByRole('region', { name })),
    );
    await upcoming!.findByText('Festival');
    upcoming!.getByText('Happening Now');
    expect(upcoming!.queryByText('Completed')).toBeNull();
    await recent!.findByText('Evening -2');
    recent!.getByText('Completed');
    const figure = screen.getByText('Still to come').closest('li')!;
    expect(figure.textContent).toBe('Upcoming Events1Still to come');
  });

  it('lists waiting-list events separately, and doesn’t count them as registrations', async () => {
    show({ mine: [inDays(1, { waiting: { joinedAt: new Date().toISOString() } })] });
    const waiting = await screen.findByRole('region', { name: 'On the waiting list for' });
    within(waiting).getByText('Evening 1');
    expect(screen.queryByRole('region', { name: 'You’re also going to' })).toBeNull();
    const [step] = within(screen.getByRole('region', { name: 'Three steps to get started' })).getAllByRole(
      'listitem',
    );
    expect(step!.textContent).toBe(
      '1Register for an eventYou’ll get the confirmation and a calendar entry by email.',
    );
  });

  it('shows neither Join nor Directions without a joining link and a location', async () => {
    show({
      mine: [inDays(2, { format: 'online', location: null })],
      content: { onlineUrl: null, venue: null },
    });
    const next = await screen.findByRole('region', { name: /^Your next event/ });
    expect(within(next).queryByRole('link', { name: /Join|Directions/ })).toBeNull();
  });

  it('shows no Join link when the event has no joining link', async () => {
    show({
      mine: [inDays(2, { format: 'hybrid', location: null })],
      content: { onlineUrl: null, venue: { name: 'Platform', address: 'Leeds', note: null, mapUrl: null } },
    });
    const next = await screen.findByRole('region', { name: /^Your next event/ });
    await within(next).findByRole('link', { name: 'Directions' });
    expect(within(next).queryByRole('link', { name: 'Join' })).toBeNull();
  });

  it('shows events announced since the last visit, but none on the first visit', async () => {
    show({ added: [inDays(9)] });
    await screen.findByText('Three steps to get started');
    expect(screen.queryByText('New since your last visit')).toBeNull();
    document.body.replaceChildren();
    localStorage.setItem(`visits:${member.id}`, new Date(Date.now() - 3 * DAY).toISOString() + ' ');
    show({ added: [inDays(9)] });
    const added = await screen.findByRole('region', { name: 'New since your last visit' });
    await within(added).findByRole('button', { name: 'Register: Evening 9' });
  });

  it('shows three first steps until the member hides them', async () => {
    show({ mine: [inDays(2)] });
    const steps = await screen.findByRole('region', { name: 'Three steps to get started' });
    expect(
      within(steps)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Register for an eventDone',
      expect.stringContaining('Add your photo'),
      expect.stringContaining('Say what you do'),
    ]);
    await userEvent.click(within(steps).getByRole('button', { name: 'Hide' }));
    await waitFor(() => expect(screen.queryByText('Three steps to get started')).toBeNull());
    document.body.replaceChildren();
    show({ mine: [inDays(2)] });
    await screen.findByRole('region', { name: /^Your next event/ });
    expect(screen.queryByText('Three steps to get started')).toBeNull();
  });
});
