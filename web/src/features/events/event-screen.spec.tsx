import { screen } from '@testing-library/react';
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
