import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { jest } from '@jest/globals';
import type { ErrorCode } from '@meetmark/contracts';
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

  beforeAll(() => LegalNote.arrived());

  it('shows Sign In as the only large button, and the sign-in code as a link', () => {
    fakeApi({});
    renderScreen(<AuthPanel />, { user: null });
    const large = document.querySelectorAll('form .ant-btn-lg');
    expect([...large].map(({ textContent }) => textContent)).toEqual(['Sign In']);
    const code = screen.getByRole('button', { name: 'Email me a sign-in code' });
    expect(code.className).toContain('ant-btn-link');
    expect(code.previousElementSibling).toBe(screen.getByRole('link', { name: 'Forgot your password?' }));
  });

  it('sends nothing when the passwords differ', async () => {
    const requests = fakeApi({});
    renderScreen(<AuthPanel />, { user: null });
    await fillSignUp('secrets');
    expect(screen.getByText('Passwords do not match')).toBeTruthy();
    expect(requests).toEqual([]);
  });

  it('sends no password confirmation, and null for a missing LinkedIn URL', async () => {
    const requests = fakeApi({ 'POST /api/register': () => refusal(409, 'EMAIL_EXISTS', 'exists') });
    renderScreen(<AuthPanel />, { user: null });
    await fillSignUp('secret');
    screen.getByText(/^Members can see your name, photo and LinkedIn profile/);
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

  it('retries a sign-up with unknown outcome, using the same idempotency key', async () => {
    let tries = 0;
    const requests = fakeApi({
      'POST /api/register': () =>
        (tries += 1) === 1
          ? refusal(503, 'DEADLINE_EXCEEDED', 'late', { outcome: 'unknown', retryAfter: 1 })
          : refusal(409, 'EMAIL_EXISTS', 'exists'),
    });
    renderScreen(<AuthPanel />, { user: null });
    await fillSignUp('secret');
    screen.getByText(/^Members can see your name, photo and LinkedIn profile/);
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

  it('reports wrong credentials and clears the error when the tab changes', async () => {
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

  it('moves between the Sign In and Sign Up tabs by arrow keys', async () => {
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
const getFieldError = (label: string) => {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby');
  return id ? document.getElementById(id)?.textContent : null;
};

describe('The Change Password dialog', () => {
  it('enables its button only when all three fields are filled', async () => {
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
  ])('shows an error when %s is left empty', async (label, error) => {
    fakeApi({});
    renderScreen(<ChangePasswordDialog close={jest.fn()} />, { user: aUser() });
    await userEvent.click(screen.getByLabelText(label));
    expect(getFieldError(label)).toBeFalsy();
    await userEvent.tab();
    expect(getFieldError(label)).toBe(error);
    expect(submit().disabled).toBe(true);
  });

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['the Close button', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
    ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Cancel' }))],
  ])('closes by %s without asking, even after typing', async (_, leave) => {
    fakeApi({});
    const close = jest.fn();
    renderScreen(<ChangePasswordDialog close={close} />, { user: aUser() });
    await fill('old', 'secret');
    await leave();
    await waitFor(() => expect(close).toHaveBeenCalled());
  });

  it('shows the server’s error below the field it concerns', async () => {
    fakeApi({
      'PUT /api/user/change-password': () =>
        refusal(400, 'CURRENT_PASSWORD_INCORRECT', 'Current password is incorrect'),
    });
    renderScreen(<ChangePasswordDialog close={jest.fn()} />, { user: aUser() });
    await fill('wrong', 'secret');
    await userEvent.click(submit());
    await screen.findByText('Current password is incorrect');
    expect(getFieldError('Current Password')).toBe('Current password is incorrect');
    expect(getFieldError('New Password')).toBeNull();
  });

  it('reports an ended session in a toast instead of below a field', async () => {
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
    expect([getFieldError('Current Password'), getFieldError('New Password')]).toEqual([null, null]);
  });

  it('closes with a success message and sends no password confirmation', async () => {
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
  it('requires each field', () => {
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

  it('refuses a confirmation that differs from the new password', () => {
    expect(
      passwordErrors({ currentPassword: 'old', newPassword: '123456', confirmPassword: '123457' }),
    ).toEqual({ confirmPassword: 'New passwords do not match' });
  });

  it('accepts a new password of six characters', () => {
    expect(
      passwordErrors({ currentPassword: 'old', newPassword: '123456', confirmPassword: '123456' }),
    ).toEqual({});
  });
});

describe('A rejected password change', () => {
  it('shows that the current password is incorrect below its field', () => {
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
  ])('shows any other error below the new password: %p', (message) => {
    expect(refusalErrors(refusedWith(message))).toEqual({ newPassword: message });
  });

  it('shows a generic message when the server sends none or the network fails', () => {
    expect(refusalErrors(new ApiError(502, 'Bad Gateway', null))).toEqual({
      newPassword: 'Failed to change password',
    });
    expect(refusalErrors(new TypeError('Failed to fetch'))).toEqual({
      newPassword: 'An error occurred while changing your password',
    });
  });
});

describe('A failed password reset', () => {
  it('shows the server’s message, or else a generic one', () => {
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

describe('The form for an emailed code', () => {
  it('submits itself once when six digits are entered', async () => {
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

  it('shows an error for an invalid code, and sends a new code on request', async () => {
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

  it('says when the emailed link was used on another device', async () => {
    fakeApi({ 'GET /api/confirm': () => ({ body: { status: 'confirmed' } }) });
    show();
    await screen.findByText('Confirmed on another device');
  });
});

const getRandomValues = jest.spyOn(crypto, 'getRandomValues');

describe('A generated password', () => {
  it('has 8 characters, each a letter or a digit', () => {
    expect(generatePassword()).toMatch(/^[A-Za-z0-9]{8}$/);
  });

  it('is different each time', () => {
    const passwords = Array.from({ length: 200 }, () => generatePassword());
    expect(new Set(passwords).size).toBe(passwords.length);
  });

  it('discards random bytes that would make some characters more likely', () => {
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

describe('The return path after sign-in', () => {
  it.each(['/', '/dashboard', '/?event=1', '/my-events?x=1#y'])('accepts the path %p', (path) => {
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
  ])('rejects the path %p', (path) => {
    expect(safeReturnTo(path)).toBeNull();
  });

  it('never leaves this site, and stays the same when checked twice', () => {
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

  it('is encoded as a parameter of the login URL', () => {
    expect(loginPath('/?event=1&x=2')).toBe('/api/login?returnTo=%2F%3Fevent%3D1%26x%3D2');
  });
});

describe('Email links', () => {
  const TOKEN = 'abcdefghij-_0123456789';
  const LINK = 'POST /api/confirm/link';
  const EVENT_ID = '0190b000-0000-7000-8000-000000000001';
  const confirmation = (given: object) => ({
    body: { purpose: 'verify', user: null, next: null, passwordEnded: false, ...given },
  });
  const at = (hash: string, user: ReturnType<typeof aUser> | null = null) =>
    renderScreen(<ConfirmScreen />, { user, path: `/confirm${hash}` });

  describe('The confirmation page', () => {
    it('sends no request until its button is pressed', async () => {
      const requests = fakeApi({ [LINK]: () => confirmation({ user: aUser() }) });
      at(`#verify.${TOKEN}`, aUser());
      expect(requests).toEqual([]);
      await userEvent.click(screen.getByRole('button', { name: 'Confirm my email' }));
      await screen.findByRole('heading', { name: 'Your email address is confirmed' });
      expect(requests.map(({ path, body }) => [path, body])).toEqual([
        ['/api/confirm/link', { token: TOKEN }],
        ['/api/user', undefined],
      ]);
      expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    });

    it('says that the earlier password no longer works, and offers to choose another', async () => {
      fakeApi({ [LINK]: () => confirmation({ user: aUser(), passwordEnded: true }) });
      at(`#verify.${TOKEN}`);
      await userEvent.click(screen.getByRole('button', { name: 'Confirm my email' }));
      await screen.findByText(/Your earlier password no longer works/);
      expect(screen.getByRole('link', { name: 'Choose a password' }).getAttribute('href')).toBe(
        '/forgot-password',
      );
    });

    it('says that a second code was sent to the new email address', async () => {
      fakeApi({ [LINK]: () => confirmation({ purpose: 'email', next: 'new-address' }) });
      at(`#email.${TOKEN}`);
      await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
      await screen.findByText(/a second code to the new address/);
    });

    it('asks for a name when the email address has no account', async () => {
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
      await screen.findByText(/^This email address has no account yet/);
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

    it('asks for a new password on a reset link', async () => {
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

    it('says that an expired or incomplete link doesn’t work', async () => {
      fakeApi({ [LINK]: () => refusal(400, 'CODE_INVALID', 'Invalid or expired code') });
      const { unmount } = at(`#sign-in.${TOKEN}`);
      await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
      await screen.findByRole('heading', { name: 'This link doesn’t work' });
      unmount();
      at('#verify.cut-off');
      expect(screen.getByRole('heading', { name: 'This link doesn’t work' })).toBeTruthy();
    });
  });

  describe('The second step after an email link', () => {
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

    it('opens the event after a registration', async () => {
      await enter('rsvp', { rsvp: { eventId: EVENT_ID, registration: {} } });
      await isAt(`/events/${EVENT_ID}`);
    });

    it('explains a failed registration and links to the event', async () => {
      const gone = { code: 'EVENT_FULL', message: 'This event is full' };
      await enter('rsvp', { rsvp: { eventId: EVENT_ID, registration: null, refusal: gone } });
      await screen.findByText('This event is full');
      const link = screen.getByRole('link', { name: 'Go to event' });
      expect(link.getAttribute('href')).toBe(`/events/${EVENT_ID}`);
    });

    it('returns to the page where the sign-in started', async () => {
      window.history.replaceState(
        null,
        '',
        `/?signin=1&returnTo=${encodeURIComponent('/events/1?from=mail')}`,
      );
      noteReturnTo();
      await enter('sign-in', {});
      await isAt('/events/1?from=mail');
    });

    it('opens the home page when there is no return path', async () => {
      window.history.replaceState(null, '', '/?signin=1');
      noteReturnTo();
      await enter('sign-in', {});
      await isAt('/');
    });

    it('is skipped without a second factor, and Continue links to the return path', async () => {
      window.history.replaceState(null, '', `/?signin=1&returnTo=${encodeURIComponent('/events/1')}`);
      noteReturnTo();
      fakeApi({ [LINK]: () => confirmation({ purpose: 'sign-in', user: aUser() }) });
      at(`#sign-in.${TOKEN}`);
      await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
      const back = await screen.findByRole('link', { name: 'Continue' });
      expect(back.getAttribute('href')).toBe('/events/1');
    });
  });

  describe('The page that restores an email address', () => {
    it('restores the email address, then asks for a new password', async () => {
      const requests = fakeApi({
        'POST /api/revert-email': () => ({ body: { email: 'ada@example.org', resetToken: TOKEN } }),
        [LINK]: () => confirmation({ purpose: 'reset' }),
      });
      renderScreen(<RevertEmailScreen />, { user: null, path: `/revert-email#${TOKEN}` });
      await userEvent.click(screen.getByRole('button', { name: 'Restore my address' }));
      await screen.findByText(/Choose a new password for ada@example.org/);
      await userEvent.type(screen.getByLabelText('New Password'), 'secret');
      await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }));
      await waitFor(() => expect(requests.at(-1)?.body).toEqual({ token: TOKEN, newPassword: 'secret' }));
    });
  });
});
