import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { AuthPanel } from './auth-panel';
import { LegalNote } from '../legal/lazy-legal-note';

const fillSignUp = async (confirmation: string) => {
  await userEvent.click(screen.getByRole('tab', { name: 'Sign Up' }));
  await userEvent.type(screen.getByLabelText('First Name'), 'Ada');
  await userEvent.type(screen.getByLabelText('Last Name'), 'Lovelace');
  await userEvent.type(screen.getByLabelText('Email'), 'ada@example.org');
  await userEvent.type(screen.getByLabelText('Password'), 'secret');
  await userEvent.type(screen.getByLabelText('Confirm Password'), confirmation);
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }));
};

// as in a browser, where it has loaded by the time that somebody has typed
beforeAll(() => LegalNote.arrived());

describe('The sign-in and sign-up panel', () => {
  it('sends nothing when the passwords differ', async () => {
    const requests = fakeApi({});
    renderScreen(<AuthPanel />, { user: null });
    await fillSignUp('secrets');
    expect(screen.getByText('Passwords do not match')).toBeTruthy();
    expect(requests).toEqual([]);
  });

  it('signs up without the confirmation, and with null for no LinkedIn address', async () => {
    const requests = fakeApi({ 'POST /api/register': () => refusal(409, 'EMAIL_EXISTS', 'exists') });
    renderScreen(<AuthPanel />, { user: null });
    await fillSignUp('secret');
    await screen.findByText('Unable to create account. Please check your information and try again.');
    expect(requests.map(({ body }) => body)).toEqual([
      {
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.org',
        password: 'secret',
        linkedInUrl: null,
      },
    ]);
  });

  it('asks once more, under the same key, for a sign-up that may have been done', async () => {
    let tries = 0;
    const requests = fakeApi({
      'POST /api/register': () =>
        (tries += 1) === 1
          ? refusal(503, 'DEADLINE_EXCEEDED', 'late', { outcome: 'unknown', retryAfter: 1 })
          : refusal(409, 'EMAIL_EXISTS', 'exists'),
    });
    renderScreen(<AuthPanel />, { user: null });
    await fillSignUp('secret');
    await screen.findByText('Unable to create account. Please check your information and try again.');
    await userEvent.click(screen.getByRole('button', { name: 'Create Account' }));
    await waitFor(() => expect(requests).toHaveLength(3));
    await userEvent.type(screen.getByLabelText('Last Name'), '!');
    await userEvent.click(await screen.findByRole('button', { name: 'Create Account' }));
    await waitFor(() => expect(requests).toHaveLength(4));
    const [first, again, pressed, other] = requests.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([again, pressed]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });

  it('says that email or password are wrong, and forgets it when the mode changes', async () => {
    fakeApi({ 'POST /api/login': () => refusal(401, 'CREDENTIALS_INCORRECT', 'Incorrect') });
    renderScreen(<AuthPanel />, { user: null });
    await userEvent.type(screen.getByLabelText('Email'), 'ada@example.org');
    await userEvent.type(screen.getByLabelText('Password'), 'wrong');
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
    await screen.findByText('Incorrect email or password. Please try again.');

    await userEvent.click(screen.getByRole('tab', { name: 'Sign Up' }));
    await userEvent.click(screen.getByRole('tab', { name: 'Sign In' }));
    expect(screen.queryByText('Incorrect email or password. Please try again.')).toBeNull();
  });

  it('moves between its tabs by arrow keys', async () => {
    fakeApi({});
    renderScreen(<AuthPanel />, { user: null });
    screen.getByRole('tab', { name: 'Sign In' }).focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Sign Up', selected: true }));
  });
});
