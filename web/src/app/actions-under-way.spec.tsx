import { jest } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { SystemPage } from '../features/admin/system/system-page';
import { UsersPage } from '../features/admin/users/users-page';
import { AuthPanel } from '../features/auth/auth-panel';
import ChangePasswordDialog from '../features/auth/change-password-dialog';
import ForgotPasswordScreen from '../features/auth/forgot-password-screen';
import ResetPasswordScreen from '../features/auth/reset-password-screen';
import { BrowseEvents } from '../features/events/browse-events';
import { EventForm } from '../features/events/event-form/event-form';
import { RegisterButton } from '../features/registrations/register-button';
import UnregisterDialog from '../features/registrations/unregister-dialog';
import { Notifications } from '../features/profile/profile-parts';
import ProfileScreen from '../features/profile/profile-screen';
import { fakeApi } from '../testing/fake-api';
import { renderScreen } from '../testing/render-screen';
import { anEvent, aUser } from '../testing/samples';
import { LegalNote } from '../features/legal/lazy-legal-note';

const close = jest.fn();
const member = aUser({ profileImageUrl: '/media/a.webp' });
const EVENT = `/api/events/${anEvent().id}`;

const fill = async (fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) {
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  }
};
const press = async (name: string, role = 'button') =>
  userEvent.click(await screen.findByRole(role, { name }));
const nothing = () => Promise.resolve();

/** A control and its screen, the steps to take before pressing the control, and the call that it starts. */
type Place = [control: string, screen: ReactNode, prepare: () => Promise<void>, call: string];

const PLACES: Place[] = [
  [
    'Sign In',
    <AuthPanel key="" />,
    () => fill({ Email: 'ada@example.org', Password: 'secret' }),
    'POST /api/login',
  ],
  [
    'Create Account',
    <AuthPanel key="" />,
    async () => {
      await press('Sign Up', 'tab');
      await fill({
        'First Name': 'Ada',
        'Last Name': 'Lovelace',
        Email: 'ada@example.org',
        Password: 'secret',
        'Confirm Password': 'secret',
      });
    },
    'POST /api/register',
  ],
  [
    'Email me a reset code',
    <ForgotPasswordScreen key="" />,
    () => fill({ Email: 'ada@example.org' }),
    'POST /api/forgot-password',
  ],
  [
    'Reset Password',
    <ResetPasswordScreen key="" />,
    () => fill({ Email: 'ada@example.org', 'Reset Code': '123456', 'New Password': 'secret' }),
    'POST /api/reset-password',
  ],
  [
    'Change Password',
    <ChangePasswordDialog key="" close={close} />,
    () => fill({ 'Current Password': 'old', 'New Password': 'secret', 'Confirm New Password': 'secret' }),
    'PUT /api/user/change-password',
  ],
  ['Save Changes', <ProfileScreen key="" />, () => press('Edit Profile'), 'PUT /api/user/profile'],
  ['Create a feed link', <Notifications key="" />, nothing, 'POST /api/user/calendar-feed'],
  ['Reminders', <Notifications key="" />, nothing, 'PUT /api/user/mail-preferences'],
  ['Register', <RegisterButton key="" event={anEvent()} />, nothing, `POST ${EVENT}/register`],
  [
    'Unregister',
    <UnregisterDialog key="" event={anEvent()} close={close} />,
    nothing,
    `DELETE ${EVENT}/register`,
  ],
  ['Refresh', <BrowseEvents key="" heading="h1" />, nothing, 'GET /api/events/public'],
  ['Show more', <BrowseEvents key="" heading="h1" />, nothing, 'GET /api/events/public'],
  [
    'Create Event',
    <EventForm key="" dismiss={close} />,
    () =>
      fill({
        'Event Title': 'Copy clinic',
        'Start Date': '2030-05-01',
        'Start Time': '09:00',
        'End Date': '2030-05-01',
        'End Time': '11:00',
      }),
    'POST /api/events',
  ],
  ['Check', <SystemPage key="" />, nothing, 'POST /api/admin/mail-check'],
  ['Export Users', <UsersPage key="" />, nothing, 'GET /api/admin/users'],
  [
    'Update User',
    <UsersPage key="" />,
    () => press('Edit: Ada Lovelace'),
    `PUT /api/admin/users/${aUser().id}`,
  ],
];

beforeAll(() => LegalNote.arrived());

describe('A button with a pending action', () => {
  it.each(PLACES)('%s keeps the focus and sends no second request', async (name, place, prepare, call) => {
    let held = false;
    const answers: Record<string, unknown> = {
      'GET /api/my-events': [],
      'GET /api/user/mail-preferences': {
        eventUpdates: true,
        reminders: true,
        messages: true,
        announcements: true,
        digest: true,
      },
      'GET /api/user/calendar-feed': null,
      'GET /api/events/public': [anEvent()],
      'GET /api/admin/users': [member],
      'GET /api/user/confirm': null,
      'GET /api/admin/system': {
        processes: [],
        queues: [],
        lastMails: [],
        refusedMails: [],
        lastSchedulerTick: null,
      },
      'GET /api/admin/checklist': { items: [], mailArrived: false, mailCheck: null, lastBackup: null },
    };
    const headers = { Link: '</api/events/public?cursor=x>; rel="next"', 'X-Total-Count': '2' };
    const answer = async (key: string) => {
      if (held && key === call) await new Promise(() => undefined);
      return { body: answers[key], headers };
    };
    const keys = new Set([...Object.keys(answers), call]);
    const requests = fakeApi(Object.fromEntries([...keys].map((key) => [key, () => answer(key)])));
    renderScreen(place, { user: ['Sign In', 'Create Account'].includes(name) ? null : member });
    await prepare();
    const control = await (name === 'Reminders'
      ? screen.findByRole('switch', { name: /^Reminders/ })
      : screen.findByRole('button', { name }));
    if (call.startsWith('GET')) await waitFor(() => expect(control.getAttribute('aria-disabled')).toBeNull());

    held = true;
    const before = requests.length;
    control.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(control.getAttribute('aria-disabled')).toBe('true'));
    expect(control.matches(':disabled')).toBe(false);
    expect(document.activeElement).toBe(control);
    await userEvent.keyboard('{Enter}');
    const sent = requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(sent.filter((key) => key === call)).toEqual([call]);
  });
});
