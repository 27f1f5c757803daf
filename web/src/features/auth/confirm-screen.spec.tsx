import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import ConfirmScreen, { RevertEmailScreen } from './confirm-screen';
import { noteReturnTo } from './return-to';

const TOKEN = 'abcdefghij-_0123456789';
const LINK = 'POST /api/confirm/link';
const EVENT_ID = '0190b000-0000-7000-8000-000000000001';
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

  it('asks the owner of an address without an account who they are, where another browser asked', async () => {
    let presses = 0;
    const missing = { firstName: ['First name is required'], lastName: ['Last name is required'] };
    const requests = fakeApi({
      [LINK]: () => {
        presses += 1;
        return presses === 1
          ? refusal(400, 'VALIDATION_FAILED', 'First name is required', { fields: missing })
          : confirmation({ purpose: 'rsvp', user: aUser(), eventId: EVENT_ID, registration: {} });
      },
    });
    at(`#rsvp.${TOKEN}`);
    await userEvent.click(screen.getByRole('button', { name: 'Register' }));
    await screen.findByText(/^This address has no account yet/);
    await userEvent.click(screen.getByRole('button', { name: 'Register' }));
    await screen.findByText('First name is required');
    expect(requests).toHaveLength(1);
    await userEvent.type(screen.getByLabelText('First name'), 'Ada');
    await userEvent.type(screen.getByLabelText('Last name'), 'Lovelace');
    await userEvent.click(screen.getByLabelText('Show my name to other people who are coming'));
    await userEvent.click(screen.getByRole('button', { name: 'Register' }));
    await screen.findByRole('heading', { name: 'You’re in' });
    const names = { firstName: 'Ada', lastName: 'Lovelace' };
    expect(requests.map(({ body }) => body)).toEqual([
      { token: TOKEN },
      { token: TOKEN, ...names, showMe: 'no' },
    ]);
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

describe('A second step after the link of a mail', () => {
  const enter = async (purpose: 'sign-in' | 'rsvp', answer: object) => {
    fakeApi({
      [LINK]: () =>
        refusal(401, 'SECOND_FACTOR_REQUIRED', 'A second step is needed', { methods: ['recovery'] }),
      'POST /api/login/second-factor': () => ({ body: { ...aUser(), ...answer } }),
    });
    at(`#${purpose}.${TOKEN}`);
    await userEvent.click(screen.getByRole('button', { name: purpose === 'rsvp' ? 'Register' : 'Sign In' }));
    await userEvent.type(await screen.findByLabelText('Recovery code'), 'abcd-efgh{Enter}');
  };
  const isAt = (path: string) =>
    waitFor(() => expect(window.location.pathname + window.location.search).toBe(path));
  beforeEach(() => localStorage.clear());

  it('leads to the event that it registered for', async () => {
    await enter('rsvp', { rsvp: { eventId: EVENT_ID, registration: {} } });
    await isAt(`/events/${EVENT_ID}`);
  });

  it('says why there is no place, and leads to the event all the same', async () => {
    const gone = { code: 'EVENT_FULL', message: 'This event is full' };
    await enter('rsvp', { rsvp: { eventId: EVENT_ID, registration: null, refusal: gone } });
    await screen.findByText('This event is full');
    const link = screen.getByRole('link', { name: 'To the event' });
    expect(link.getAttribute('href')).toBe(`/events/${EVENT_ID}`);
  });

  it('leads back to where the sign-in was asked for in this browser, else home', async () => {
    window.history.replaceState(null, '', `/?signin=1&returnTo=${encodeURIComponent('/events/1?from=mail')}`);
    noteReturnTo();
    await enter('sign-in', {});
    await isAt('/events/1?from=mail');
  });

  it('leads home where nobody was on the way anywhere', async () => {
    window.history.replaceState(null, '', '/?signin=1');
    noteReturnTo();
    await enter('sign-in', {});
    await isAt('/');
  });

  it('names the way back after a sign-in without a second step, too', async () => {
    window.history.replaceState(null, '', `/?signin=1&returnTo=${encodeURIComponent('/events/1')}`);
    noteReturnTo();
    fakeApi({ [LINK]: () => confirmation({ purpose: 'sign-in', user: aUser() }) });
    at(`#sign-in.${TOKEN}`);
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
    const back = await screen.findByRole('link', { name: 'Go on where you were' });
    expect(back.getAttribute('href')).toBe('/events/1');
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
