import { screen } from '@testing-library/react';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import { SecurityCard } from './security-card';

describe('The second step of the own sign-ins', () => {
  const show = (emailVerifiedAt: string | null) => {
    fakeApi({
      'GET /api/user/second-factors': () => ({
        body: { factors: [], recoveryCodesLeft: 0, required: false },
      }),
    });
    renderScreen(<SecurityCard />, { user: aUser({ emailVerifiedAt }) });
    return screen.findByText('Signing in takes your password alone.');
  };

  it('is offered where the address is confirmed', async () => {
    await show('2027-01-01T00:00:00.000Z');
    expect(screen.queryByRole('note')).toBeNull();
    screen.getByRole('button', { name: 'Add an authenticator app' });
  });

  it('says why it cannot be added before', async () => {
    await show(null);
    expect(screen.getByRole('note').textContent).toMatch(/^Confirm your email address first/);
    expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Help: Security',
    ]);
  });
});
