import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { fillFields, getField, press } from '../../testing/actions';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { AuthPanel } from './auth-panel';
import { LegalNote } from '../legal/lazy-legal-note';
import { aUser } from '../../testing/samples';
import ChangePasswordDialog from './change-password-dialog';
import { ApiError } from '../../api/client';
import { passwordErrors, type PasswordFields, passwordResetFailure, refusalErrors } from './passwords';
import { CodeEntry } from './code-entry';
import { generatePassword } from './generate-password';
import { loginPath, safeReturnTo, noteReturnTo } from './return-to';
import ConfirmScreen, { RevertEmailScreen } from './confirm-screen';

describe('The sign-in and sign-up panel', () => {
  const FAILED = 'Unable to create account. Please check your information and try again.';
  const signUp = (confirmation = 'secret') => {
    renderScreen(<AuthPanel first="signup" />, { user: null });
    fillFields({ 'First Name': 'Ada', 'Last Name': 'Lovelace', Email: 'ada@example.org' });
    fillFields({ Password: 'secret', 'Confirm Password': confirmation });
    return press('Create Account');
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
    await signUp('secrets');
    screen.getByText('Passwords do not match');
    expect(requests).toEqual([]);
  });

  it('sends no password confirmation, and null for a missing LinkedIn URL', async () => {
    const requests = fakeApi({ 'POST /api/register': () => refusal(409, 'EMAIL_EXISTS', 'exists') });
    await signUp();
    screen.getByText(/^Members can see your name, photo and LinkedIn profile/);
    await screen.findByText('Unable to create account. Please check your information and try again.');
    const names = { firstName: 'Ada', lastName: 'Lovelace' };
    const account = { ...names, email: 'ada@example.org', password: 'secret', linkedInUrl: null };
    expect(requests.bodies()).toEqual([account]);
  });

  it('retries a sign-up with unknown outcome, using the same idempotency key', async () => {
    let tries = 0;
    const requests = fakeApi({
      'POST /api/register': () =>
        (tries += 1) === 1
          ? refusal(503, 'DEADLINE_EXCEEDED', 'late', { outcome: 'unknown', retryAfter: 1 })
          : refusal(409, 'EMAIL_EXISTS', 'exists'),
    });
    await signUp();
    await screen.findByText(FAILED);
    await press('Create Account');
    await waitFor(() => expect(requests).toHaveLength(3));
    fillFields({ 'Last Name': 'Lovelace!' });
    await press('Create Account');
    await waitFor(() => expect(requests).toHaveLength(4));
    const [first, again, pressed, other] = requests.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([again, pressed]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });

  it('reports wrong credentials and clears the error when the tab changes', async () => {
    fakeApi({ 'POST /api/login': () => refusal(401, 'CREDENTIALS_INCORRECT', 'Incorrect') });
    renderScreen(<AuthPanel />, { user: null });
    fillFields({ Email: 'ada@example.org', Password: 'wrong' });
    await press('Sign In');
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

describe('The Change Password dialog', () => {
  const fill = (current = 'old') =>
    fillFields({ 'Current Password': current, 'New Password': 'secret', 'Confirm New Password': 'secret' });
  const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Change Password' });
  const getFieldError = (label: string) => {
    const id = getField(label).getAttribute('aria-describedby');
    return id ? document.getElementById(id)?.textContent : null;
  };
  const open = (answer: ReturnType<typeof refusal> = {}) => {
    const requests = fakeApi({ 'PUT /api/user/change-password': () => answer });
    const close = jest.fn();
    return { requests, close, ...renderScreen(<ChangePasswordDialog close={close} />, { user: aUser() }) };
  };

  it('enables its button only when all three fields are filled', () => {
    open();
    expect(submit().disabled).toBe(true);
    fill();
    expect(submit().disabled).toBe(false);
  });

  it('shows an error when a field is left empty', async () => {
    open();
    await userEvent.click(getField('New Password'));
    expect(getFieldError('New Password')).toBeFalsy();
    await userEvent.tab();
    expect(getFieldError('New Password')).toBe('New password is required');
    expect(submit().disabled).toBe(true);
  });

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['Cancel', () => press('Cancel')],
  ])('closes by %s without asking, even after typing', async (_, leave) => {
    const { close } = open();
    fill();
    await leave();
    await waitFor(() => expect(close).toHaveBeenCalled());
  });

  it('shows the server’s error below the field it concerns', async () => {
    open(refusal(400, 'CURRENT_PASSWORD_INCORRECT', 'Current password is incorrect'));
    fill('wrong');
    await userEvent.click(submit());
    await screen.findByText('Current password is incorrect');
    expect(getFieldError('Current Password')).toBe('Current password is incorrect');
    expect(getFieldError('New Password')).toBeNull();
  });

  it('reports an ended session in a toast instead of below a field', async () => {
    const { toasts } = open(refusal(401, 'UNAUTHORIZED', 'Unauthorized'));
    fill();
    await userEvent.click(submit());
    const description = 'You are logged out. Logging in again...';
    await waitFor(() => expect(toasts).toEqual([{ kind: 'error', title: 'Unauthorized', description }]));
    expect([getFieldError('Current Password'), getFieldError('New Password')]).toEqual([null, null]);
  });

  it('closes with a success message and sends no password confirmation', async () => {
    const { requests, close, toasts } = open({ body: {} });
    fill();
    await userEvent.click(submit());
    await waitFor(() => expect(close).toHaveBeenCalled());
    const description = 'Your password has been successfully updated.';
    expect(toasts).toEqual([{ kind: 'success', title: 'Password changed', description }]);
    expect(requests.bodies()).toEqual([{ currentPassword: 'old', newPassword: 'secret' }]);
  });
});

const refusedWith = (message: string) =>
  new ApiError(400, '', { statusCode: 400, code: 'VALIDATION_FAILED', message, requestId: 'test' });

describe('The change-password form', () => {
  const accepted = { currentPassword: 'old', newPassword: '123456', confirmPassword: '123456' };

  const required = {
    ...{ currentPassword: 'Current password is required', newPassword: 'New password is required' },
    confirmPassword: 'Please confirm your new password',
  };
  const short = { newPassword: '12345', confirmPassword: '12345' };

  it.each<[string, Partial<PasswordFields>, Partial<PasswordFields>]>([
    ['requires each field', { currentPassword: '', newPassword: '', confirmPassword: '' }, required],
    ['requires six characters', short, { newPassword: 'New password must be at least 6 characters long' }],
    [
      'refuses another confirmation',
      { confirmPassword: '1' },
      { confirmPassword: 'New passwords do not match' },
    ],
    ['accepts a new password of six characters', {}, {}],
  ])('%s', (_, given, errors) => {
    expect(passwordErrors({ ...accepted, ...given })).toEqual(errors);
  });

  it.each<[string, unknown, string]>([
    ...[
      'New password must be different from the current password',
      'New password must be at least 6 characters long',
      'The service is busy: try again shortly',
    ].map((words): [string, unknown, string] => ['the server’s message', refusedWith(words), words]),
    ['a generic message', new ApiError(502, 'Bad Gateway', null), 'Failed to change password'],
    ['a network error', new TypeError(), 'An error occurred while changing your password'],
  ])('shows %s below the new password', (_, error, newPassword) => {
    expect(refusalErrors(error)).toEqual({ newPassword });
  });
});

describe('A failed password reset', () => {
  it.each([
    ['the server’s message', refusedWith('Invalid code'), 'Invalid code'],
    ['a generic message', new ApiError(502, 'Bad Gateway', null), 'Failed to reset password'],
    ['an unexpected error', 'thrown', 'An error occurred'],
  ])('shows %s', (_, error, words) => {
    expect(passwordResetFailure(error)).toBe(words);
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
    fillFields({ '6-digit code': '12 34-56' });
    await waitFor(() => expect(confirmed).toHaveBeenCalledWith(confirmation));
    expect(requests.bodies()).toEqual([{ purpose: 'verify', code: '123456' }]);
  });

  it('shows an error for an invalid code, and sends a new code on request', async () => {
    fakeApi({
      'GET /api/confirm': open,
      'POST /api/confirm': () => refusal(400, 'CODE_INVALID', 'Invalid or expired code'),
    });
    const { resend, toasts } = show();
    fillFields({ '6-digit code': '123456' });
    await screen.findByText('Invalid or expired code');
    expect(getField('6-digit code').value).toBe('');
    await press('Send a new code');
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

describe('A generated password', () => {
  it('discards random bytes that would make some characters more likely', () => {
    jest
      .spyOn(crypto, 'getRandomValues')
      .mockImplementationOnce((bytes) => Object.assign(bytes!, [0, 247, 248, 255, 255, 255, 255, 255]))
      .mockImplementationOnce((bytes) => Object.assign(bytes!, Array(8).fill(26)));
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
    '/a\\b',
    'https://evil.example/',
    '/\t/evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
  ])('rejects the path %p', (path) => {
    expect(safeReturnTo(path)).toBeNull();
  });

  it('never leaves this site, and stays the same when checked twice', () => {
    const pieces = [...'/\\.\t\n:@?#a', '//', '..', '%2e', '%2F', '%5c', 'evil.example', 'https:'];
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
      await press('Confirm my email');
      await screen.findByRole('heading', { name: 'Your email address is confirmed' });
      expect(requests.map(({ path }) => path)).toEqual(['/api/confirm/link', '/api/user']);
      expect(requests.bodies()).toEqual([{ token: TOKEN }]);
      expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    });

    it('says that the earlier password no longer works, and offers to choose another', async () => {
      fakeApi({ [LINK]: () => confirmation({ user: aUser(), passwordEnded: true }) });
      at(`#verify.${TOKEN}`);
      await press('Confirm my email');
      await screen.findByText(/Your earlier password no longer works/);
      expect(screen.getByRole('link', { name: 'Choose a password' }).getAttribute('href')).toBe(
        '/forgot-password',
      );
    });

    it('says that a second code was sent to the new email address', async () => {
      fakeApi({ [LINK]: () => confirmation({ purpose: 'email', next: 'new-address' }) });
      at(`#email.${TOKEN}`);
      await press('Confirm');
      await screen.findByText(/a second code to the new address/);
    });

    it('asks for a name when the email address has no account', async () => {
      const missing = { firstName: ['First name is required'], lastName: ['Last name is required'] };
      const answers = [
        refusal(400, 'VALIDATION_FAILED', 'First name is required', { fields: missing }),
        confirmation({ purpose: 'rsvp', user: aUser(), eventId: EVENT_ID, registration: {} }),
      ];
      const requests = fakeApi({ [LINK]: () => answers.shift()! });
      at(`#rsvp.${TOKEN}`);
      await press('Register');
      await screen.findByText(/^This email address has no account yet/);
      await press('Register');
      await screen.findByText('First name is required');
      expect(requests).toHaveLength(1);
      fillFields({ 'First name': 'Ada', 'Last name': 'Lovelace' });
      await userEvent.click(screen.getByLabelText('Show my name to other people who are coming'));
      await press('Register');
      await screen.findByRole('heading', { name: 'You’re in' });
      const names = { firstName: 'Ada', lastName: 'Lovelace' };
      expect(requests.bodies()).toEqual([{ token: TOKEN }, { token: TOKEN, ...names, showMe: 'no' }]);
    });

    it('asks for a new password on a reset link', async () => {
      const requests = fakeApi({ [LINK]: () => confirmation({ purpose: 'reset' }) });
      at(`#reset.${TOKEN}`);
      fillFields({ 'New Password': '12345' });
      await press('Reset Password');
      await screen.findByText('Password must be at least 6 characters');
      expect(requests).toEqual([]);
      fillFields({ 'New Password': '123456' });
      await press('Reset Password');
      await screen.findByText('Password Reset Successful');
      expect(requests[0]?.body).toEqual({ token: TOKEN, newPassword: '123456' });
    });

    it('says that an expired or incomplete link doesn’t work', async () => {
      fakeApi({ [LINK]: () => refusal(400, 'CODE_INVALID', 'Invalid or expired code') });
      const { unmount } = at(`#sign-in.${TOKEN}`);
      await press('Sign In');
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
      await press(purpose === 'rsvp' ? 'Register' : 'Sign In');
      await screen.findByLabelText('Recovery code');
      fillFields({ 'Recovery code': 'abcd-efgh' });
      await userEvent.type(getField('Recovery code'), '{Enter}');
    };
    const startAt = (path: string) => {
      window.history.replaceState(null, '', path);
      noteReturnTo();
    };
    const isAt = (path: string) =>
      waitFor(() => expect(window.location.pathname + window.location.search).toBe(path));

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

    it.each([
      ['the page where the sign-in started', '/?signin=1&returnTo=%2Fevents%2F1%3Fa%3Db', '/events/1?a=b'],
      ['the home page without a return path', '/?signin=1', '/'],
    ])('returns to %s', async (_, start, path) => {
      startAt(start);
      await enter('sign-in', {});
      await isAt(path);
    });

    it('is skipped without a second factor, and Continue links to the return path', async () => {
      startAt('/?signin=1&returnTo=%2Fevents%2F1');
      fakeApi({ [LINK]: () => confirmation({ purpose: 'sign-in', user: aUser() }) });
      at(`#sign-in.${TOKEN}`);
      await press('Sign In');
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
      await press('Restore my address');
      await screen.findByText(/Choose a new password for ada@example.org/);
      fillFields({ 'New Password': 'secret' });
      await press('Reset Password');
      await waitFor(() => expect(requests.at(-1)?.body).toEqual({ token: TOKEN, newPassword: 'secret' }));
    });
  });
});
