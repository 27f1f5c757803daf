import { jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { inThisTab, persist } from '../../ui/persisted-state';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import { LegalNote } from '../legal/lazy-legal-note';
import SetupScreen from '../setup/setup-screen';
import { AuthPanel } from './auth-panel';
import { CodeEntry } from './code-entry';
import ConfirmScreen from './confirm-screen';
import ResetPasswordScreen from './reset-password-screen';
import SecondStep from './second-step';

const TOKEN = 'abcdefghij-_0123456789';
const NOT_KEPT =
  'Your browser didn’t keep you signed in. Allow cookies for this site in your browser’s settings, then sign in again.';
const DONE_NOT_KEPT =
  'That worked, but your browser didn’t keep you signed in. Allow cookies for this site in your browser’s settings, then sign in.';
const NEEDED =
  'Your browser blocks cookies for this site, so codes don’t work here. Allow cookies in your browser’s settings, then start again.';

const confirmation = (purpose: string) => ({
  body: { purpose, user: aUser(), next: null, passwordEnded: false },
});

/** Fakes the API. Unless `isKept`, the browser drops the session cookie. */
const api = (isKept: boolean) =>
  fakeApi({
    'GET /api/user': () => (isKept ? { body: aUser() } : refusal(401, 'UNAUTHORIZED', 'Unauthorized')),
    'POST /api/login': () => ({ body: aUser() }),
    'POST /api/register': () => ({ status: 201, body: aUser() }),
    'POST /api/sign-in-code': () => ({ status: 202, body: { message: 'sent' } }),
    'GET /api/confirm': () => ({ body: { status: 'none' } }),
    'POST /api/confirm': () => confirmation('sign-in'),
    'POST /api/confirm/link': ({ body }) =>
      confirmation((body as { newPassword?: string }).newPassword ? 'reset' : 'sign-in'),
    'POST /api/rsvp/confirm': () => ({ body: { user: aUser(), eventId: '1', registration: {} } }),
    'POST /api/login/second-factor': () => ({ body: aUser() }),
    'GET /api/setup': () => ({ body: { open: true } }),
    'POST /api/setup': () => ({ status: 201, body: aUser({ isAdmin: true }) }),
  });

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const codeEntry = (flow?: string) => (
  <CodeEntry
    purpose={flow === undefined ? 'sign-in' : 'rsvp'}
    flow={flow}
    submit="Sign In"
    resend={() => Promise.resolve()}
    confirmed={() => undefined}
  >
    We sent it
  </CodeEntry>
);

beforeAll(() => LegalNote.arrived());

const WAYS: [string, () => Promise<void>, string][] = [
  [
    'a password',
    async () => {
      renderScreen(<AuthPanel />, { user: null });
      await type('Email', 'ada@example.org');
      await type('Password', 'secret');
      await press('Sign In');
    },
    NOT_KEPT,
  ],
  [
    'a sign-up',
    async () => {
      renderScreen(<AuthPanel first="signup" />, { user: null });
      await type('First Name', 'Ada');
      await type('Last Name', 'Lovelace');
      await type('Email', 'ada@example.org');
      await type('Password', 'secret');
      await type('Confirm Password', 'secret');
      await press('Create Account');
    },
    DONE_NOT_KEPT,
  ],
  [
    'an emailed code',
    async () => {
      renderScreen(codeEntry(), { user: null });
      await type('6-digit code', '123456');
    },
    NOT_KEPT,
  ],
  [
    'a registration code',
    async () => {
      renderScreen(codeEntry('flow'), { user: null });
      await type('6-digit code', '123456');
    },
    DONE_NOT_KEPT,
  ],
  [
    'an emailed link',
    async () => {
      renderScreen(<ConfirmScreen />, { user: null, path: `/confirm#sign-in.${TOKEN}` });
      await press('Sign In');
    },
    NOT_KEPT,
  ],
  [
    'a password reset link',
    async () => {
      renderScreen(<ConfirmScreen />, { user: null, path: `/confirm#reset.${TOKEN}` });
      await type('New Password', 'long enough');
      await press('Reset Password');
    },
    DONE_NOT_KEPT,
  ],
  [
    'a second step',
    async () => {
      renderScreen(<SecondStep methods={['recovery']} close={() => undefined} />, { user: null });
      await type('Recovery code', 'abcd-efgh{Enter}');
    },
    NOT_KEPT,
  ],
  [
    'the setup of the first account',
    async () => {
      persist('setup', null, inThisTab);
      renderScreen(<SetupScreen />, { user: null, path: '/setup#secret' });
      await screen.findByLabelText('Password');
      await type('First Name', 'Ada');
      await type('Last Name', 'Lovelace');
      await type('Email Address', 'ada@example.org');
      await type('Password', 'long enough to own');
      await press('Continue');
    },
    DONE_NOT_KEPT,
  ],
];

describe('A browser that does not keep the session', () => {
  it.each(WAYS)('gets instructions after %s', async (_, signIn, words) => {
    api(false);
    await signIn();
    expect((await screen.findByRole('alert')).textContent).toBe(words);
  });

  it('still shows the typed email address after the sign-in', async () => {
    api(false);
    await WAYS[0]![1]();
    await screen.findByText(NOT_KEPT);
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.org');
  });
});

describe('A browser that keeps the session', () => {
  it.each(WAYS)('gets no warning after %s', async (_, signIn) => {
    const requests = api(true);
    await signIn();
    const isChecked = () => requests.slice(1).some(({ path }) => path === '/api/user');
    await waitFor(() => expect(isChecked()).toBe(true));
    expect([NOT_KEPT, DONE_NOT_KEPT, NEEDED].filter((words) => screen.queryByText(words))).toEqual([]);
  });
});

describe('A browser that blocks cookies', () => {
  beforeEach(() => void jest.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['a code', codeEntry()],
    ['a second step', <SecondStep key="step" methods={['totp']} close={() => undefined} />],
    ['a reset code', <ResetPasswordScreen key="reset" />],
  ])('shows a cookie warning before %s is entered', async (_, form) => {
    api(false);
    renderScreen(form, { user: null });
    await screen.findByText(NEEDED);
  });
});
