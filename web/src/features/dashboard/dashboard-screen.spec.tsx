import type { Event } from '@meetmark/contracts';
import { screen, waitFor } from '@testing-library/react';
import { findRegion, getTexts, press } from '../../testing/actions';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen, wideScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser } from '../../testing/samples';
import DashboardScreen from './dashboard-screen';
import { lastVisit } from './last-visit';
import { NextEvent } from './next-event';

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

type Lists = Record<'mine' | 'added' | 'notEnded' | 'ended', Event[]>;
const show = ({ mine = [], added = [], ...lists }: Partial<Lists>) => {
  const requests = fakeApi({
    ...Object.fromEntries(
      mine.map((event) => [`GET /api/events/${event.id}`, () => ({ body: { ...event, content: {} } })]),
    ),
    'GET /api/my-events': () => ({ body: mine }),
    'GET /api/events': ({ query }) => {
      const time = query.get('time');
      const ofTime = (time && lists[time as 'ended']) || [];
      const body = !query.has('createdSince') ? ofTime : time === 'notEnded' ? added : [];
      return { body, headers: { 'X-Total-Count': String(ofTime.length) } };
    },
  });
  return { requests, ...renderScreen(<DashboardScreen />, { user: member }) };
};

describe('The dashboard', () => {
  const order = async () => {
    localStorage.setItem(`visits:${member.id}`, new Date(Date.now() - 3 * DAY).toISOString() + ' ');
    const { requests } = show({ mine: [inDays(1), inDays(2)], added: [inDays(9)] });
    await findRegion(/^Your next event/);
    const added = await findRegion('New since your last visit');
    await added.findByRole('button', { name: 'Register: Evening 9' });
    const create = screen.getByRole('link', { name: /^Create Event/ });
    expect(create.getAttribute('href')).toBe('/events?create=1');
    expect(requests.filter(({ path }) => path.includes('proposals'))).toEqual([]);
    return getTexts(screen.getAllByRole('heading').filter(({ tagName }) => tagName !== 'H3'));
  };
  const [WELCOME, NEXT] = [['Welcome back, Ada!', 'Quick Actions'], 'Your next eventtomorrow'];
  const LISTS = ['Upcoming Events', 'Recent Events'];
  const FURTHER = ['Three steps to get started', 'You’re also going to', 'New since your last visit'];

  it('shows the Quick Actions and both event lists before anything else', async () => {
    expect(await order()).toEqual([...WELCOME, ...LISTS, NEXT, ...FURTHER]);
  });

  it('places the next event after the Quick Actions on wide screens', async () => {
    wideScreen('68em');
    expect(await order()).toEqual([...WELCOME, NEXT, ...LISTS, ...FURTHER]);
  });

  it('shows the next registered event, and other events by registration and waiting list', async () => {
    show({
      mine: [
        inDays(1, { waiting: { joinedAt: new Date().toISOString() } }),
        inDays(2),
        inDays(3, { status: 'cancelled' }),
        inDays(4),
      ],
    });
    const next = await findRegion(/^Your next event/);
    next.getByText('in 2 days');
    next.getByRole('button', { name: 'Can’t make it?' });
    const titles = async (name: string | RegExp) =>
      getTexts((await findRegion(name)).getAllByRole('heading', { level: 3 }));
    expect(await titles(/^Your next event/)).toEqual(['Evening 2']);
    expect(await titles('You’re also going to')).toEqual(['Evening 4']);
    expect(await titles('On the waiting list for')).toEqual(['Evening 1']);
  });

  it('shows a running event as upcoming, and as the registered member’s next event', async () => {
    const running = aRunningEvent({ title: 'Festival' });
    show({ mine: [running], notEnded: [running], ended: [inDays(-2)] });
    (await findRegion(/^Your next event/)).getByText('Festival');
    const [upcoming, recent] = [await findRegion('Upcoming Events'), await findRegion('Recent Events')];
    await upcoming.findByText('Festival');
    upcoming.getByText('Happening Now');
    expect(upcoming.queryByText('Completed')).toBeNull();
    await recent.findByText('Evening -2');
    recent.getByText('Completed');
    const figure = screen.getByText('Still to come').closest('li')!;
    expect(figure.textContent).toBe('Upcoming Events1Still to come');
  });

  it('does not count the waiting list as a registration', async () => {
    show({ mine: [inDays(1, { waiting: { joinedAt: new Date().toISOString() } })] });
    (await findRegion('On the waiting list for')).getByText('Evening 1');
    expect(screen.queryByRole('region', { name: 'You’re also going to' })).toBeNull();
    const [step] = getTexts((await findRegion('Three steps to get started')).getAllByRole('listitem'));
    expect(step).toBe('1Register for an eventYou’ll get the confirmation and a calendar entry by email.');
  });

  it('shows three first steps until the member hides them, and no news on the first visit', async () => {
    const { unmount } = show({ mine: [inDays(2)], added: [inDays(9)] });
    const steps = await findRegion('Three steps to get started');
    expect(getTexts(steps.getAllByRole('listitem'))).toEqual([
      'Register for an eventDone',
      expect.stringContaining('Add your photo'),
      expect.stringContaining('Say what you do'),
    ]);
    expect(screen.queryByText('New since your last visit')).toBeNull();
    await press('Hide');
    await waitFor(() => expect(screen.queryByText('Three steps to get started')).toBeNull());
    unmount();
    show({ mine: [inDays(2)] });
    await findRegion(/^Your next event/);
    expect(screen.queryByText('Three steps to get started')).toBeNull();
  });
});

describe('The next event', () => {
  const venue = { name: 'Platform', address: 'Leeds', note: null, mapUrl: null };
  const join = 'Join https://meet.example/1';
  const directions = expect.stringMatching(/^Directions .*Leeds/);

  it.each<[string, Partial<Event>, object, unknown[]]>([
    ['both', { location: 'Leeds' }, { onlineUrl: 'https://meet.example/1', venue: null }, [join, directions]],
    ['only the directions', { location: null }, { onlineUrl: null, venue }, [directions]],
    ['neither', { format: 'online', location: null }, { onlineUrl: null, venue: null }, []],
  ])('links to the joining link and the directions: %s', async (_, given, content, links) => {
    const event = inDays(2, { format: 'hybrid', ...given });
    const requests = fakeApi({ [`GET /api/events/${event.id}`]: () => ({ body: { ...event, content } }) });
    renderScreen(<NextEvent event={event} />, { user: member });
    await waitFor(() => expect(requests).toHaveLength(1));
    const getLinks = () =>
      screen
        .getAllByRole('link')
        .map((link) => `${link.textContent} ${link.getAttribute('href')}`)
        .filter((link) => /^(Join|Directions)/.test(link));
    await waitFor(() => expect(getLinks()).toEqual(links));
  });
});

describe('The last visit', () => {
  const at = (hour: number, minute = 0) => Date.UTC(2030, 4, 1, hour, minute);

  it('stays the same during a visit, and is separate for each member', () => {
    expect(lastVisit('ada', at(8))).toBeNull();
    expect(lastVisit('ada', at(8, 30))).toBeNull();
    const first = new Date(at(8, 30)).toISOString();
    for (const time of [at(12), at(12, 59), at(13, 30)]) expect(lastVisit('ada', time)).toBe(first);
    expect(lastVisit('bea', at(13, 30))).toBeNull();
    expect(lastVisit('ada', at(20))).toBe(new Date(at(13, 30)).toISOString());
  });

  it('is null when the stored time is invalid', () => {
    localStorage.setItem('visits:ada', 'yesterday or so');
    expect(lastVisit('ada', at(8))).toBeNull();
  });
});
