import { Route, Routes } from 'react-router-dom';
import { act, screen, waitFor } from '@testing-library/react';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import AdminScreen from './admin-screen';
import './proposals/proposal-queue'; // loaded before they are waited for
import './topics/topics-page';

const routes = (
  <Routes>
    <Route path="admin" element={<AdminScreen />} />
    <Route path="admin/:view" element={<AdminScreen />} />
  </Routes>
);
const page = () => ({ body: [], headers: { 'X-Total-Count': '0' } });

describe('The administrator’s area', () => {
  it.each(['/admin', '/admin/users', '/admin/events', '/admin/topics', '/admin/audit', '/admin/system'])(
    'shows a member nothing at %s, and asks for nothing',
    (path) => {
      const requests = fakeApi({});
      const { container } = renderScreen(routes, { user: aUser(), path });
      expect(container.textContent).toBe('');
      expect(requests).toEqual([]);
    },
  );

  it.each(['/admin', '/admin/users', '/admin/events', '/admin/topics', '/admin/audit', '/admin/system'])(
    'leads an organiser from %s to the events that they manage, and asks for nothing else',
    async (path) => {
      const requests = fakeApi({ 'GET /api/events': page });
      renderScreen(routes, { user: aUser({ role: 'organiser' }), path });
      expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Event Management');
      await waitFor(() => expect(requests).not.toEqual([]));
      expect(requests.map(({ path: asked }) => asked.split('?')[0])).toEqual(['/api/events']);
    },
  );

  it.each([
    ['/admin/users', 'User Management'],
    ['/admin/events', 'Event Management'],
    ['/admin/topics', 'Topics'],
    ['/admin/audit', 'Audit'],
    ['/admin/system', 'System'],
    ['/admin', 'Admin Dashboard'],
    ['/admin/anything-else', 'Admin Dashboard'],
  ])('shows an administrator at %s the screen %s', async (path, title) => {
    fakeApi({
      'GET /api/admin/users': page,
      'GET /api/events': page,
      'GET /api/admin/audit': page,
    });
    await act(async () => void renderScreen(routes, { user: aUser({ isAdmin: true }), path }));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(title);
  });

  it.each([
    ['/admin/topics', 'Topics'],
    ['/admin/audit', 'Audit'],
    ['/admin/proposals', 'Proposals'],
  ])('explains the screen at %s beside its heading', async (path, title) => {
    fakeApi({
      'GET /api/topics': () => ({ body: [] }),
      'GET /api/admin/users': page,
      'GET /api/admin/audit': page,
      'GET /api/proposals': page,
    });
    const community = { memberProposals: true };
    await act(async () => void renderScreen(routes, { user: aUser({ isAdmin: true }), path, community }));
    await screen.findByRole('button', { name: `Help: ${title}` });
  });
});
