import { Route, Routes } from 'react-router-dom';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import AdminScreen from './admin-screen';
import './proposals/proposal-queue';
import './topics/topics-page';

const routes = (
  <Routes>
    <Route path="admin" element={<AdminScreen />} />
    <Route path="admin/:view" element={<AdminScreen />} />
  </Routes>
);
const PATHS = ['/admin', '/admin/users', '/admin/system'];
const page = () => ({ body: [], headers: { 'X-Total-Count': '0' } });

describe('The admin area', () => {
  it.each(PATHS)('shows members nothing at %s and sends no request', (path) => {
    const requests = fakeApi({});
    const { container } = renderScreen(routes, { user: aUser(), path });
    expect(container.textContent).toBe('');
    expect(requests).toEqual([]);
  });

  it.each(PATHS)(
    'redirects organisers from %s to Event Management and sends no other requests',
    async (path) => {
      const requests = fakeApi({ 'GET /api/events': page });
      renderScreen(routes, { user: aUser({ role: 'organiser' }), path });
      expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Event Management');
      await waitFor(() => expect(requests).not.toEqual([]));
      expect(requests.map(({ path: asked }) => asked)).toEqual(['/api/events']);
    },
  );

  it.each([
    ['/admin/users', 'User Management'],
    ['/admin/events', 'Event Management'],
    ['/admin/topics', 'Topics'],
    ['/admin/audit', 'Audit'],
    ['/admin/proposals', 'Proposals'],
    ['/admin/system', 'System'],
    ['/admin', 'Admin Dashboard'],
    ['/admin/anything-else', 'Admin Dashboard'],
  ])('at %s, shows an administrator the screen %s and its help button', async (path, title) => {
    fakeApi({
      'GET /api/admin/users': page,
      'GET /api/events': page,
      'GET /api/admin/audit': page,
      'GET /api/topics': page,
      'GET /api/proposals': page,
    });
    const community = { memberProposals: true };
    await act(async () => void renderScreen(routes, { user: aUser({ isAdmin: true }), path, community }));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(title);
    await screen.findByRole('button', { name: `Help: ${title}` });
  });

  it('asks an admin to set up a required second factor', async () => {
    const path = '/admin/users';
    const required = { factors: [], recoveryCodesLeft: 0, required: true };
    fakeApi({ 'GET /api/user/second-factors': () => ({ body: required }) });
    const user = aUser({ isAdmin: true, emailVerifiedAt: '2027-01-01T00:00:00.000Z' });
    await act(async () => void renderScreen(routes, { user, path }));
    const title = await screen.findByRole('heading', { level: 1, name: 'Set up two-step sign-in' });
    expect(screen.getByRole('note').textContent).toMatch(/^Admins of this community need a second step/);
    screen.getByRole('button', { name: 'Add an authenticator app' });
    const open = screen.getByRole('button', { name: 'Open the admin area' });
    expect(open.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(open);
    expect(title.isConnected).toBe(true);
    expect(window.location.pathname).toBe(path);
  });
});
