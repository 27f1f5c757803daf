import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import EventScreen from './event-screen';

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
