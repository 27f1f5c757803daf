import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fillFields, press } from '../../testing/actions';
import { fakeApi, refusal } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { TOPICS } from '../../testing/samples';
import { LegalNote } from '../legal/lazy-legal-note';
import SubscribeBox from '../topics/subscribe-box';
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

  it.each(['Sign In', 'Sign Up'])('opens the panel on “%s” if the community uses buttons', async (name) => {
    await open(true);
    expect(document.querySelector('input[type=password]')).toBeNull();
    const button = within(main()).getByRole('link', { name });
    expect(button.getAttribute('aria-haspopup')).toBe('dialog');
    await pressForPart(button);
    const sheet = within(await screen.findByRole('dialog', { name: 'Sign in or sign up' }));
    sheet.getByRole('tab', { name, selected: true });
    sheet.getByLabelText('Password');
    await waitFor(() => expect(window.location.search).toBe(''));
  });
});

describe('An email subscription without an account', () => {
  const show = (...answers: ReturnType<typeof refusal>[]) => {
    const requests = fakeApi({
      'GET /api/topics': () => ({ body: TOPICS }),
      'POST /api/subscriptions': () => answers.shift() ?? { status: 202, body: {} },
    });
    renderScreen(<SubscribeBox />, { user: null });
    return requests;
  };
  const turn = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }));
  const email = () => screen.getByLabelText<HTMLInputElement>('Email address').value;

  it('keeps the email address after a rejection, then requests a confirmation link', async () => {
    const requests = show(refusal(429, 'RATE_LIMITED', 'Too many requests'));
    fillFields({ 'Email address': ' vera@example.org ' });
    await turn('SEO');
    await press('Sign me up');
    await screen.findByText('Too many requests');
    expect(email()).toContain('vera@example.org');
    await press('Sign me up');
    const heading = await screen.findByRole('heading', { name: 'Check your inbox' });
    expect(document.activeElement).toBe(heading);
    screen.getByText(/vera@example.org/);
    expect(requests.bodies()[1]).toEqual({
      email: 'vera@example.org',
      topics: [TOPICS[1]!.id],
      digest: true,
    });
    await press('Use another address');
    expect(email()).toBe('');
  });

  it('requires a valid email address and at least one choice', async () => {
    const requests = show();
    await turn('A digest on Mondays');
    fillFields({ 'Email address': 'vera@' });
    await press('Sign me up');
    await screen.findByText('Please enter a valid email address');
    screen.getByText('Choose the digest or a topic');
    expect(requests.sent()).toEqual([]);
    fillFields({ 'Email address': 'vera@example.org' });
    await turn('SEO');
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Sign me up');
    await waitFor(() => expect(requests.sent()).toHaveLength(1));
  });
});
