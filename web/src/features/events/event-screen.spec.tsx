import type { Event } from '@meetmark/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent } from '../../testing/samples';
import EventScreen from './event-screen';

describe('The page of an event', () => {
  const event = anEvent({ slug: 'seo-breakfast' });
  const found = { body: { id: event.id, slug: 'seo-breakfast' } };
  const open = (path: string) => {
    const requests = fakeApi({
      'GET /api/event-slugs/seo-breakfast': () => found,
      'GET /api/event-slugs/first-name': () => found,
      'GET /api/event-slugs/nobodys': () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found'),
      [`GET /api/events/${event.id}`]: () => ({ body: event }),
    });
    renderScreen(
      <Routes>
        <Route path="e/:slug" element={<EventScreen />} />
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path },
    );
    return requests;
  };
  it.each([
    ['its short address', '/e/seo-breakfast', 1],
    ['an earlier one', '/e/first-name', 1],
    ['its id', `/events/${event.id}`, 0],
  ])('opens by %s', async (_, path, lookUps) => {
    const requests = open(path);
    await screen.findByRole('heading', { level: 1, name: event.title });
    expect(requests.filter(({ path: asked }) => asked.startsWith('/api/event-slugs/'))).toHaveLength(lookUps);
  });

  it('says that there is none at an address that nobody has', async () => {
    open('/e/nobodys');
    await screen.findByRole('heading', { level: 1, name: 'This event does not exist any more' });
  });
});

describe('The facts, pills and agenda of an event', () => {
  const item = (hour: string, title: string) => ({
    ...{ startsAt: `2030-05-01T${hour}:00.000Z`, endsAt: null, title, note: null },
  });
  const event = anEvent({
    price: '25.00',
    timeZone: 'UTC',
    content: { ...anEvent().content, agenda: [item('09:00', 'Coffee'), item('10:00', 'Talk')] },
  });

  it('say the state, the price, the day and the zone once each to who reads on the clock of the place', async () => {
    fakeApi({
      [`GET /api/events/${event.id}`]: () => ({ body: event }),
      'GET /api/events/public': () => ({ body: [] }),
    });
    renderScreen(
      <Routes>
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path: `/events/${event.id}` },
    );
    const agenda = (await screen.findByRole('heading', { name: 'Agenda' })).parentElement!;
    const article = agenda.closest('article')!;
    const said = [article.querySelector('header'), article.querySelector('dl'), agenda]
      .map((part) => part!.textContent)
      .join(' ');
    const times = (words: RegExp) => said.match(words)?.length ?? 0;
    expect([/Open for Registration/g, /\b25\b/g, /May 1/g, /UTC/g, /In person/g, /Talk/g].map(times)).toEqual(
      [1, 1, 1, 1, 1, 1],
    );
  });
});

describe('The page of an event of a series', () => {
  const seriesId = '0197f000-0000-7000-8000-00000000000a';
  const event = anEvent({ title: 'SEO Breakfast', slug: 'seo-breakfast', seriesId });
  const dates = ['2026-02-05', '2026-02-12', '2026-02-19', '2026-02-26'].map((day, at) =>
    anEvent({
      ...{ id: `0197f000-0000-7000-8000-0000000000b${at}`, slug: `breakfast-${at}`, seriesId },
      title: at === 1 ? 'SEO Breakfast: with a guest' : event.title,
      ...{ startDate: `${day}T08:00:00.000Z`, endDate: `${day}T09:00:00.000Z` },
    }),
  );
  const open = (items: Event[]) => {
    const requests = fakeApi({
      [`GET /api/events/${event.id}`]: () => ({ body: event }),
      'GET /api/events/public': ({ query }) => ({ body: query.get('series') === null ? [] : items }),
    });
    renderScreen(
      <Routes>
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path: `/events/${event.id}` },
    );
    return requests;
  };

  it('shows its next three dates, each with a title of its own', async () => {
    open([event, ...dates]);
    const heading = await screen.findByRole('heading', { level: 2, name: 'Next dates' });
    const links = within(heading.parentElement!).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      [0, 1, 2].map((at) => `/e/breakfast-${at}`),
    );
    expect(screen.getAllByText('SEO Breakfast: with a guest')).toHaveLength(1);
  });

  it('says nothing of dates where none is announced', async () => {
    const requests = open([event]);
    await screen.findByRole('heading', { level: 1, name: event.title });
    await waitFor(() => expect(requests.some(({ query }) => query.has('series'))).toBe(true));
    expect(screen.queryByRole('heading', { name: 'Next dates' })).toBeNull();
  });
});

describe('The page of an event that is gone', () => {
  it('says so in its heading and in the browser’s tab, and leads on', async () => {
    fakeApi({ 'GET /api/events/gone': () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found') });
    renderScreen(
      <Routes>
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path: '/events/gone' },
    );
    await screen.findByRole('heading', { level: 1, name: 'This event does not exist any more' });
    expect(document.title).toBe('This event does not exist any more · Meetmark');
    expect(screen.getByRole('link', { name: 'See what else is planned' })).toBeTruthy();
  });
});
