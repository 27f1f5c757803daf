import { act, screen, waitFor, within } from '@testing-library/react';
import { fakeApi } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { LegalNote } from '../legal/lazy-legal-note';
import LandingScreen from './landing-screen';

const main = () => screen.getByRole('heading', { level: 1 }).closest('section')!;

describe('Sign-in on a wide landing page', () => {
  beforeAll(() => LegalNote.arrived());
  beforeEach(() => void fakeApi({ 'GET /api/events/public': () => ({ body: [] }) }));
  const open = async (signInButton: boolean) => {
    const community = { signInButton };
    await act(async () => void renderScreen(<LandingScreen />, { user: null, community }));
    await screen.findByText('No events found');
  };

  it('shows the sign-in panel next to the headline', async () => {
    await open(false);
    within(main()).getByLabelText('Password');
    expect(within(main()).queryByRole('link', { name: 'Sign In' })).toBeNull();
  });

  it.each(['Sign In', 'Sign Up'])(
    'opens the sign-in panel on “%s” if the community uses buttons',
    async (name) => {
      await open(true);
      expect(document.querySelector('input[type=password]')).toBeNull();
      const button = within(main()).getByRole('link', { name });
      expect(button.getAttribute('aria-haspopup')).toBe('dialog');
      await pressForPart(button);
      const sheet = within(await screen.findByRole('dialog', { name: 'Sign in or sign up' }));
      sheet.getByRole('tab', { name, selected: true });
      sheet.getByLabelText('Password');
      await waitFor(() => expect(window.location.search).toBe(''));
    },
  );
});
