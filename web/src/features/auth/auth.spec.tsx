import { webcrypto } from 'node:crypto';
import { screen, waitFor, act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { jest } from '@jest/globals';
import type { ErrorCode } from '@meetmark/contracts';
import { useEffect } from 'react';
import fc from 'fast-check';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { AuthPanel } from './auth-panel';
import { LegalNote } from '../legal/lazy-legal-note';
import { aUser } from '../../testing/samples';
import ChangePasswordDialog from './change-password-dialog';
import { ApiError } from '../../api/client';
import { passwordErrors, passwordResetFailure, refusalErrors } from './passwords';
import { CodeEntry } from './code-entry';
import { generatePassword } from './generate-password';
import { type Toast, ToastContext } from '../../ui/toasts';
import { useLoggedOutRedirect } from './session';
import { loginPath, safeReturnTo, noteReturnTo } from './return-to';
import ConfirmScreen, { RevertEmailScreen } from './confirm-screen';

describe('The sign-in and sign-up panel', () => {
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

const fill = async (current: string, next: string, confirmation = next) => {
  await userEvent.type(screen.getByLabelText('Current Password'), current);
  await userEvent.type(screen.getByLabelText('New Password'), next);
  await userEvent.type(screen.getByLabelText('Confirm New Password'), confirmation);
};
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Change Password' });
const errorOf = (label: string) => {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby');
  return id ? document.getElementById(id)?.textContent : null;
};

describe('The Change Password dialog', () => {
  it('cannot be submitted before all three fields are filled', async () => {
    fakeApi({});
    renderScreen(<ChangePasswordDialog close={jest.fn()} />, { user: aUser() });
    expect(submit().disabled).toBe(true);
    await fill('old', 'secret');
    expect(submit().disabled).toBe(false);
  });

  it.each([
    ['Current Password', 'Current password is required'],
    ['New Password', 'New password is required'],
    ['Confirm New Password', 'Please confirm your new password'],
  ])('says what %s needs when it is left empty', async (label, error) => {
    fakeApi({});
    renderScreen(<ChangePasswordDialog close={jest.fn()} />, { user: aUser() });
    await userEvent.click(screen.getByLabelText(label));
    expect(errorOf(label)).toBeFalsy();
    await userEvent.tab();
    expect(errorOf(label)).toBe(error);
    expect(submit().disabled).toBe(true);
  });

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['the cross', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
    ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ])('closes by %s without a question, whatever is typed', async (_, leave) => {
    fakeApi({});
    const close = jest.fn();
    renderScreen(<ChangePasswordDialog close={close} />, { user: aUser() });
    await fill('old', 'secret');
    await leave();
    await waitFor(() => expect(close).toHaveBeenCalled());
  });

  it("shows the server's refusal below the field that it is about", async () => {
    fakeApi({
      'PUT /api/user/change-password': () =>
        refusal(400, 'CURRENT_PASSWORD_INCORRECT', 'Current password is incorrect'),
    });
    renderScreen(<ChangePasswordDialog close={jest.fn()} />, { user: aUser() });
    await fill('wrong', 'secret');
    await userEvent.click(submit());
    await screen.findByText('Current password is incorrect');
    expect(errorOf('Current Password')).toBe('Current password is incorrect');
    expect(errorOf('New Password')).toBeNull();
  });

  it('leads to the login where the session has ended, and blames no field', async () => {
    fakeApi({ 'PUT /api/user/change-password': () => refusal(401, 'UNAUTHORIZED', 'Unauthorized') });
    const { toasts } = renderScreen(<ChangePasswordDialog close={jest.fn()} />, { user: aUser() });
    await fill('old', 'secret');
    await userEvent.click(submit());
    await waitFor(() =>
      expect(toasts).toEqual([
        {
          kind: 'error',
          title: 'Unauthorized',
          description: 'You are logged out. Logging in again...',
        },
      ]),
    );
    expect([errorOf('Current Password'), errorOf('New Password')]).toEqual([null, null]);
  });

  it('says so and closes when the password has changed, without sending the confirmation', async () => {
    const requests = fakeApi({ 'PUT /api/user/change-password': () => ({ body: {} }) });
    const close = jest.fn();
    const { toasts } = renderScreen(<ChangePasswordDialog close={close} />, { user: aUser() });
    await fill('old', 'secret');
    await userEvent.click(submit());
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(toasts).toEqual([
      {
        kind: 'success',
        title: 'Password changed',
        description: 'Your password has been successfully updated.',
      },
    ]);
    expect(requests[0]?.body).toEqual({ currentPassword: 'old', newPassword: 'secret' });
  });
});

const refusedWith = (message: string, code: ErrorCode = 'VALIDATION_FAILED') =>
  new ApiError(400, '', { statusCode: 400, code, message, requestId: 'test' });

describe('The change-password form', () => {
  it('asks for each field', () => {
    expect(passwordErrors({ currentPassword: '', newPassword: '', confirmPassword: '' })).toEqual({
      currentPassword: 'Current password is required',
      newPassword: 'New password is required',
      confirmPassword: 'Please confirm your new password',
    });
  });

  it('refuses a new password of fewer than six characters', () => {
    expect(
      passwordErrors({ currentPassword: 'old', newPassword: '12345', confirmPassword: '12345' }),
    ).toEqual({ newPassword: 'New password must be at least 6 characters long' });
  });

  it('refuses a confirmation that differs', () => {
    expect(
      passwordErrors({ currentPassword: 'old', newPassword: '123456', confirmPassword: '123457' }),
    ).toEqual({ confirmPassword: 'New passwords do not match' });
  });

  it('finds nothing wrong with six characters twice', () => {
    expect(
      passwordErrors({ currentPassword: 'old', newPassword: '123456', confirmPassword: '123456' }),
    ).toEqual({});
  });
});

describe("The server's refusal of a password change", () => {
  it('shows below the current password when that is wrong', () => {
    expect(refusalErrors(refusedWith('Current password is incorrect', 'CURRENT_PASSWORD_INCORRECT'))).toEqual(
      {
        currentPassword: 'Current password is incorrect',
      },
    );
  });

  it.each([
    'New password must be different from the current password',
    'New password must be at least 6 characters long',
    'The service is busy: try again shortly',
  ])('shows below the new password: %p', (message) => {
    expect(refusalErrors(refusedWith(message))).toEqual({ newPassword: message });
  });

  it('has words of its own when the server has none, and when the network fails', () => {
    expect(refusalErrors(new ApiError(502, 'Bad Gateway', null))).toEqual({
      newPassword: 'Failed to change password',
    });
    expect(refusalErrors(new TypeError('Failed to fetch'))).toEqual({
      newPassword: 'An error occurred while changing your password',
    });
  });
});

describe('A password that could not be reset', () => {
  it('has words of its own where the server sent none, and for what is no error', () => {
    expect(passwordResetFailure(refusedWith('Invalid or expired reset code'))).toBe(
      'Invalid or expired reset code',
    );
    expect(passwordResetFailure(new ApiError(502, 'Bad Gateway', null))).toBe('Failed to reset password');
    expect(passwordResetFailure('thrown')).toBe('An error occurred');
  });
});

const open = () => ({ body: { status: 'open' } });
const confirmation = { purpose: 'verify', user: null, next: null, passwordEnded: false };

function show(confirmed = jest.fn()) {
  const resend = jest.fn(() => Promise.resolve());
  const rendered = renderScreen(
    <CodeEntry purpose="verify" submit="Confirm" resend={resend} confirmed={confirmed}>
      We sent it
    </CodeEntry>,
    { user: aUser() },
  );
  return { ...rendered, resend, confirmed };
}

describe('The entry of a mailed code', () => {
  it('submits itself at six digits, once', async () => {
    const requests = fakeApi({
      'GET /api/confirm': open,
      'POST /api/confirm': () => ({ body: confirmation }),
    });
    const { confirmed } = show();
    await userEvent.type(screen.getByLabelText('6-digit code'), '12 34-56');
    await waitFor(() => expect(confirmed).toHaveBeenCalledWith(confirmation));
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual([{ purpose: 'verify', code: '123456' }]);
  });

  it('says that a code does not fit and takes another', async () => {
    fakeApi({
      'GET /api/confirm': open,
      'POST /api/confirm': () => refusal(400, 'CODE_INVALID', 'Invalid or expired code'),
    });
    const { resend, toasts } = show();
    await userEvent.type(screen.getByLabelText('6-digit code'), '123456');
    await screen.findByText('Invalid or expired code');
    expect(screen.getByLabelText<HTMLInputElement>('6-digit code').value).toBe('');
    await userEvent.click(screen.getByRole('button', { name: 'Send a new code' }));
    await waitFor(() => expect(toasts.at(-1)?.title).toBe('A new code is on its way'));
    expect(resend).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('Invalid or expired code')).toBeNull();
  });

  it('says that the link was opened on another device', async () => {
    fakeApi({ 'GET /api/confirm': () => ({ body: { status: 'confirmed' } }) });
    show();
    await screen.findByText('Confirmed on another device');
  });
});

// jsdom has no random numbers of its own.
const getRandomValues = jest.fn((bytes: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(bytes));
Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues }, configurable: true });

describe('A generated password', () => {
  it('has 8 characters out of upper-case letters, lower-case letters and digits', () => {
    expect(generatePassword()).toMatch(/^[A-Za-z0-9]{8}$/);
  });

  it('is another one each time', () => {
    const passwords = Array.from({ length: 200 }, () => generatePassword());
    expect(new Set(passwords).size).toBe(passwords.length);
  });

  it('throws away the bytes that would make some characters likelier, and asks for more', () => {
    getRandomValues.mockImplementationOnce((bytes) => {
      bytes.fill(255);
      bytes[0] = 0;
      bytes[1] = 247;
      bytes[2] = 248;
      return bytes;
    });
    getRandomValues.mockImplementationOnce((bytes) => bytes.fill(26));
    expect(generatePassword()).toBe('A9aaaaaa');
  });
});

/** jsdom goes to no other page, and says so. */
const attempts = jest.spyOn(console, 'error').mockImplementation(() => undefined);
const left = () => attempts.mock.calls.filter(([said]) => String(said).includes('navigation')).length;

function Leaver() {
  const leave = useLoggedOutRedirect();
  useEffect(() => {
    leave();
  }, [leave]);
  return null;
}

describe('Who is logged out', () => {
  let toast: Toast | undefined;
  beforeEach(() => {
    attempts.mockClear();
    jest.useFakeTimers();
    const show = (given: Toast) => (toast = given);
    render(
      <ToastContext value={show}>
        <Leaver />
      </ToastContext>,
    );
  });
  afterEach(() => jest.useRealTimers());

  const wait = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

  it('can read so for half a second from the moment that it is on screen, however late that is', async () => {
    await wait(4_000);
    expect(left()).toBe(0);
    act(() => toast?.shown?.());
    await wait(499);
    expect(left()).toBe(0);
    await wait(1);
    expect(left()).toBe(1);
    await wait(10_000);
    expect(left()).toBe(1);
  });

  it('is led to the login after five seconds if it never is', async () => {
    await wait(4_999);
    expect(left()).toBe(0);
    await wait(1);
    expect(left()).toBe(1);
  });
});

describe('The address that one returns to after signing in', () => {
  it.each(['/', '/dashboard', '/?event=1', '/my-events?x=1#y'])('may be %p', (path) => {
    expect(safeReturnTo(path)).toBe(path);
  });

  it.each([
    null,
    '',
    'dashboard',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\b',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/a/%2E%2E//evil.example',
    '/./\\evil.example',
    '/.\t.//evil.example',
  ])('may not be %p', (path) => {
    expect(safeReturnTo(path)).toBeNull();
  });

  it('stays on this site whatever it is made of, and is the same when it is judged again', () => {
    const pieces = [
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2F',
      '%5c',
      '\t',
      '\n',
      ':',
      '@',
      '?',
      '#',
      'a',
      'evil.example',
      'https:',
    ];
    const typed = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 8 });
    fc.assert(
      fc.property(typed, (parts) => {
        const path = safeReturnTo(`/${parts.join('')}`);
        if (path === null) return;
        expect(new URL(path, window.location.href).origin).toBe(window.location.origin);
        expect(safeReturnTo(path)).toBe(path);
      }),
      { numRuns: 2_000 },
    );
  });

  it('travels encoded to the login', () => {
    expect(loginPath('/?event=1&x=2')).toBe('/api/login?returnTo=%2F%3Fevent%3D1%26x%3D2');
  });
});

describe('The links of mails', () => {
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
      expect(requests.map(({ path, body }) => [path, body])).toEqual([
        ['/api/confirm/link', { token: TOKEN }],
      ]);
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
      await userEvent.click(
        screen.getByRole('button', { name: purpose === 'rsvp' ? 'Register' : 'Sign In' }),
      );
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
      window.history.replaceState(
        null,
        '',
        `/?signin=1&returnTo=${encodeURIComponent('/events/1?from=mail')}`,
      );
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
});
