import { screen, within } from '@testing-library/react';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser } from '../../testing/samples';
import { Agenda } from './agenda';

describe('The agenda', () => {
  it('lists running events first, without calling them ended', async () => {
    const requests = fakeApi({
      'GET /api/events/public': () => ({
        body: [aRunningEvent({ title: 'Festival' }), anEvent({ id: '2', title: 'Breakfast' })],
      }),
      'GET /api/my-events': () => ({ body: [] }),
    });
    renderScreen(<Agenda />, { user: aUser() });
    const [running, upcoming] = await screen.findAllByRole('article');
    within(running!).getByText('Festival');
    within(running!).getByText('Happening Now');
    within(running!).getByRole('button', { name: 'Registration closed: Festival' });
    expect(within(upcoming!).queryByText('Happening Now')).toBeNull();
    within(upcoming!).getByRole('button', { name: 'Register: Breakfast' });
    const { query } = requests.find(({ path }) => path === '/api/events/public')!;
    expect(query.get('time')).toBe('notEnded');
  });
});
