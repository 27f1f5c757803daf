import { jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { fillFields, getField, press } from '../../testing/actions';
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

const CODE = { '6-digit code': '123456' };
const NAMES = { 'First Name': 'Ada', 'Last Name': 'Lovelace' };
/** What signs in, its screen, the fields to fill in, the button to press, the instructions, and the path. */
type Way = [string, ReactElement, Record<string, string>, string | null, string, string?];
const WAYS: Way[] = [
  ['a password', <AuthPanel key="" />, { Email: 'ada@example.org', Password: 'secret' }, 'Sign In', NOT_KEPT],
  [
    'a sign-up',
    <AuthPanel key="" first="signup" />,
    { ...NAMES, Email: 'ada@example.org', Password: 'secret', 'Confirm Password': 'secret' },
    'Create Account',
    DONE_NOT_KEPT,
  ],
  ['an emailed code', codeEntry(), CODE, null, NOT_KEPT],
  ['a registration code', codeEntry('flow'), CODE, null, DONE_NOT_KEPT],
  ['an emailed link', <ConfirmScreen key="" />, {}, 'Sign In', NOT_KEPT, `/confirm#sign-in.${TOKEN}`],
  [
    'a password reset link',
    <ConfirmScreen key="" />,
    { 'New Password': 'long enough' },
    'Reset Password',
    DONE_NOT_KEPT,
    `/confirm#reset.${TOKEN}`,
  ],
  [
    'a second step',
    <SecondStep key="" methods={['recovery']} close={() => undefined} />,
    { 'Recovery code': 'abcd-efgh' },
    'Continue',
    NOT_KEPT,
  ],
  [
    'the setup of the first account',
    <SetupScreen key="" />,
    { ...NAMES, 'Email Address': 'ada@example.org', Password: 'long enough to own' },
    'Continue',
    DONE_NOT_KEPT,
    '/setup#secret',
  ],
];
const signIn = async ([, place, fields, button, , path]: Way) => {
  renderScreen(place, { user: null, path });
  await waitFor(() => fillFields(fields));
  if (button) await press(button);
};

describe('A browser that does not keep the session', () => {
  it.each(WAYS)('gets instructions after %s', async (...way) => {
    api(false);
    await signIn(way);
    const [, , , , words] = way;
    expect((await screen.findByRole('alert')).textContent).toBe(words);
  });

  it('still shows the typed email address after the sign-in', async () => {
    api(false);
    await signIn(WAYS[0]!);
    await screen.findByText(NOT_KEPT);
    expect(getField('Email').value).toBe('ada@example.org');
  });
});

describe('A browser that keeps the session', () => {
  it('gets no warning', async () => {
    const requests = api(true);
    await signIn(WAYS[0]!);
    await waitFor(() => expect(requests.sent('GET /api/user')).not.toEqual([]));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('A browser that blocks cookies', () => {
  beforeEach(() => void jest.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false));

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
