import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import ConfirmScreen, { RevertEmailScreen } from './confirm-screen';

const TOKEN = 'abcdefghij-_0123456789';
const LINK = 'POST /api/confirm/link';
const confirmation = (given: object) => ({
  body: { purpose: 'verify', user: null, next: null, passwordEnded: false, ...given },
});
const at = (hash: string, user: ReturnType<typeof aUser> | null = null) =>
  renderScreen(<ConfirmScreen />, { user, path: `/confirm${hash}` });

describe('The page behind the link of a mail', () => {
  it('does nothing until its button is pressed', async () => {
    const requests = fakeApi({ [LINK]: () => confirmation({ user: aUser() }) });
    at(`#verify.${TOKEN}`, aUser());
    expect(requests).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Confirm my address' }));
    await screen.findByRole('heading', { name: 'Your address is confirmed' });
    expect(requests.map(({ path, body }) => [path, body])).toEqual([['/api/confirm/link', { token: TOKEN }]]);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  });

  it('says that a password ended, and leads to another', async () => {
    fakeApi({ [LINK]: () => confirmation({ user: aUser(), passwordEnded: true }) });
    at(`#verify.${TOKEN}`);
    await userEvent.click(screen.getByRole('button', { name: 'Confirm my address' }));
    await screen.findByText(/password that was set before has ended/);
    expect(screen.getByRole('link', { name: 'Choose a password' }).getAttribute('href')).toBe(
      '/forgot-password',
    );
  });

  it('says that a second code is on its way to a new address', async () => {
    fakeApi({ [LINK]: () => confirmation({ purpose: 'email', next: 'new-address' }) });
    at(`#email.${TOKEN}`);
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await screen.findByText(/A second code is on its way to the new address/);
  });

  it('asks for the new password where that is what the link is for', async () => {
    const requests = fakeApi({ [LINK]: () => confirmation({ purpose: 'reset' }) });
    at(`#reset.${TOKEN}`);
    await userEvent.type(screen.getByLabelText('New Password'), '12345');
    await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }));
    await screen.findByText('Password must be at least 6 characters');
    expect(requests).toEqual([]);
    await userEvent.type(screen.getByLabelText('New Password'), '6');
    await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }));
    await screen.findByText('Password Reset Successful');
    expect(requests[0]?.body).toEqual({ token: TOKEN, newPassword: '123456' });
  });

  it('says so when the link is over, or was cut off', async () => {
    fakeApi({ [LINK]: () => refusal(400, 'CODE_INVALID', 'Invalid or expired code') });
    const { unmount } = at(`#sign-in.${TOKEN}`);
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
    await screen.findByRole('heading', { name: 'This link does not work' });
    unmount();
    at('#verify.cut-off');
    expect(screen.getByRole('heading', { name: 'This link does not work' })).toBeTruthy();
  });
});

describe('The page that takes an address back', () => {
  it('restores it first, and then asks for a new password', async () => {
    const requests = fakeApi({
      'POST /api/revert-email': () => ({ body: { email: 'ada@example.org', resetToken: TOKEN } }),
      [LINK]: () => confirmation({ purpose: 'reset' }),
    });
    renderScreen(<RevertEmailScreen />, { user: null, path: `/revert-email#${TOKEN}` });
    await userEvent.click(screen.getByRole('button', { name: 'Take my address back' }));
    await screen.findByText(/Choose a new password for ada@example.org/);
    await userEvent.type(screen.getByLabelText('New Password'), 'secret');
    await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }));
    await waitFor(() => expect(requests.at(-1)?.body).toEqual({ token: TOKEN, newPassword: 'secret' }));
  });
});
