import { jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import ImportDialog from '../features/admin/imports/import-dialog';
import { SystemPage } from '../features/admin/system/system-page';
import { EditUserDialog } from '../features/admin/users/user-dialogs';
import { UsersPage } from '../features/admin/users/users-page';
import { AuthPanel } from '../features/auth/auth-panel';
import ChangePasswordDialog from '../features/auth/change-password-dialog';
import ForgotPasswordScreen from '../features/auth/forgot-password-screen';
import ResetPasswordScreen from '../features/auth/reset-password-screen';
import { BrowseEvents } from '../features/events/browse-events';
import { EventForm } from '../features/events/event-form/event-form';
import { RegisterButton } from '../features/registrations/register-button';
import UnregisterDialog from '../features/registrations/unregister-dialog';
import { Notifications, Privacy } from '../features/profile/profile-parts';
import ProfileScreen from '../features/profile/profile-screen';
import { fillFields, press } from '../testing/actions';
import { fakeApi } from '../testing/fake-api';
import { renderScreen } from '../testing/render-screen';
import { anEvent, aUser } from '../testing/samples';
import { LegalNote } from '../features/legal/lazy-legal-note';

const close = jest.fn();
const member = aUser({ profileImageUrl: '/media/a.webp' });
const EVENT = `/api/events/${anEvent().id}`;

const EMAIL = { Email: 'ada@example.org' };
const PASSWORD = { 'New Password': 'secret' };
const LINK = { 'Or from a URL': 'https://example.org/events.ics' };
/** A control, its screen, the call that it starts, and the fields or the button that must be used before. */
type Place = [control: string, screen: ReactNode, call: string, before?: Record<string, string> | string];

const PLACES: Place[] = [
  ['Sign In', <AuthPanel key="" />, 'POST /api/login', { ...EMAIL, Password: 'secret' }],
  [
    'Create Account',
    <AuthPanel key="" first="signup" />,
    'POST /api/register',
    {
      ...{ 'First Name': 'Ada', 'Last Name': 'Lovelace', ...EMAIL },
      ...{ Password: 'secret', 'Confirm Password': 'secret' },
    },
  ],
  ['Email me a reset code', <ForgotPasswordScreen key="" />, 'POST /api/forgot-password', EMAIL],
  [
    'Reset Password',
    <ResetPasswordScreen key="" />,
    'POST /api/reset-password',
    { ...EMAIL, 'Reset Code': '123456', ...PASSWORD },
  ],
  [
    'Change Password',
    <ChangePasswordDialog key="" close={close} />,
    'PUT /api/user/change-password',
    { 'Current Password': 'old', ...PASSWORD, 'Confirm New Password': 'secret' },
  ],
  ['Save Changes', <ProfileScreen key="" />, 'PUT /api/user/profile', 'Edit Profile'],
  ['Create a feed link', <Notifications key="" />, 'POST /api/user/calendar-feed'],
  ['Prepare my download', <Privacy key="" />, 'POST /api/user/export'],
  ['Reminders', <Notifications key="" />, 'PUT /api/user/mail-preferences'],
  ['Register', <RegisterButton key="" event={anEvent()} />, `POST ${EVENT}/register`],
  ['Unregister', <UnregisterDialog key="" event={anEvent()} close={close} />, `DELETE ${EVENT}/register`],
  ['Refresh', <BrowseEvents key="" heading="h1" />, 'GET /api/events/public'],
  ['Show more', <BrowseEvents key="" heading="h1" />, 'GET /api/events/public'],
  ['Update Event', <EventForm key="" event={anEvent()} dismiss={close} />, `PUT ${EVENT}`],
  ['Check', <SystemPage key="" />, 'POST /api/admin/mail-check'],
  ['Load', <ImportDialog key="" close={close} />, 'POST /api/admin/imports/fetch', LINK],
  ['Export Users', <UsersPage key="" />, 'GET /api/admin/users'],
  ['Update User', <EditUserDialog key="" user={member} close={close} />, `PUT /api/admin/users/${member.id}`],
];

const LISTS = { processes: [], queues: [], lastMails: [], refusedMails: [], lastSchedulerTick: null };
const PREFERENCES = ['eventUpdates', 'reminders', 'messages', 'announcements', 'digest'];
const ANSWERS: Record<string, unknown> = {
  'GET /api/my-events': [],
  'GET /api/user/mail-preferences': Object.fromEntries(PREFERENCES.map((name) => [name, true])),
  'GET /api/user/calendar-feed': null,
  'GET /api/user/export': null,
  'GET /api/event-roles': [],
  'GET /api/events/public': [anEvent()],
  'GET /api/admin/users': [member],
  'GET /api/user/confirm': null,
  'GET /api/admin/system': LISTS,
  'GET /api/admin/imports': [],
  'GET /api/admin/imports/options': { urls: true },
  'GET /api/admin/checklist': { items: [], mailArrived: false, mailCheck: null, lastBackup: null },
};

beforeAll(() => LegalNote.arrived());

describe('A button with a pending action', () => {
  it.each(PLACES)('keeps the focus on %s and sends one request', async (name, place, call, before = {}) => {
    let held = false;
    const headers = { Link: '</api/events/public?cursor=x>; rel="next"', 'X-Total-Count': '2' };
    const answer = async (key: string) => {
      if (held && key === call) await new Promise(() => undefined);
      return { body: ANSWERS[key], headers };
    };
    const keys = new Set([...Object.keys(ANSWERS), call]);
    const requests = fakeApi(Object.fromEntries([...keys].map((key) => [key, () => answer(key)])));
    renderScreen(place, { user: ['Sign In', 'Create Account'].includes(name) ? null : member });
    if (typeof before === 'string') await press(before);
    else await waitFor(() => fillFields(before));
    const control = await (name === 'Reminders'
      ? screen.findByRole('switch', { name: /^Reminders/ })
      : screen.findByRole('button', { name }));
    if (call.startsWith('GET')) await waitFor(() => expect(control.getAttribute('aria-disabled')).toBeNull());

    held = true;
    const sentBefore = requests.sent(call).length;
    control.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(control.getAttribute('aria-disabled')).toBe('true'));
    expect(control.matches(':disabled')).toBe(false);
    expect(document.activeElement).toBe(control);
    await userEvent.keyboard('{Enter}');
    expect(requests.sent(call)).toHaveLength(sentBefore + 1);
  });
});
