import { FRESH_CALLS, type FreshCall } from '@meetmark/testing/fresh-calls';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { fillFields, findDialog } from '../../testing/actions';
import { fakeApi, refusal } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { aUser, someSettings } from '../../testing/samples';
import { inThisTab, persist } from '../../ui/persisted-state';
import { SettingsPage } from '../admin/settings/settings-page';
import { UsersPage } from '../admin/users/users-page';
import { DeleteAccountCard } from '../profile/delete-account';
import { DownloadDataCard } from '../profile/download-data';
import { AddPasskeyDialog, SecurityCard } from '../profile/security-card';
import SetupScreen from '../setup/setup-screen';
import { FreshSignIn } from './fresh-sign-in';

const VERIFIED = '2027-01-01T00:00:00.000Z';
const me = aUser({ id: 'me', isAdmin: true, role: 'owner', emailVerifiedAt: VERIFIED });
const alan = aUser({ id: 'alan', firstName: 'Alan', lastName: 'Turing', hasSecondFactor: true });
const FACTOR = { id: 'phone', kind: 'totp', name: 'Phone', createdAt: VERIFIED, lastUsedAt: null };
const PASSKEY = {
  challenge: 'AAAA',
  rp: { name: 'Meetmark' },
  user: { id: 'AAAA', name: 'me', displayName: 'Me' },
  pubKeyCredParams: [],
};
const READS = {
  'GET /api/setup': () => refusal(404, 'NOT_FOUND', 'Not Found'),
  'GET /api/admin/users': () => ({ body: [me, alan], headers: { 'X-Total-Count': '2' } }),
  'GET /api/admin/settings': () => ({
    body: { version: 1, settings: someSettings(), locked: [], changedBy: null, changedAt: null },
  }),
  'GET /api/admin/settings/versions': () => ({ body: [] }),
  'GET /api/user/export': () => ({ body: null }),
  'GET /api/user/second-factors': () => ({
    body: { factors: [FACTOR], recoveryCodesLeft: 10, required: false },
  }),
  'POST /api/user/second-factors/totp': () => ({ body: { secret: 'ABCDEFGH', uri: 'otpauth://totp/x' } }),
  'POST /api/user/second-factors/passkey': () => ({ body: PASSKEY }),
};

const press = async (name: string) => pressForPart(await screen.findByRole('button', { name }));
const fill = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
const actOnAlan =
  (action: string, confirm = action) =>
  async () => {
    await press('More: Alan Turing');
    await userEvent.click(await screen.findByRole('menuitem', { name: action }));
    await userEvent.click((await findDialog()).getByRole('button', { name: confirm }));
  };
const NAMES = { 'First Name': 'Ada', 'Last Name': 'Lovelace' };
const addPasskey = async () => {
  await press('Add a passkey');
  await fill('Name', 'Laptop');
  await press('Continue');
};

const deleteAccount = async () => {
  await press('Delete my account');
  await userEvent.click((await findDialog()).getByRole('button', { name: 'Delete my account' }));
};
const importSettings = async () => {
  const file = new File(['{}'], 'settings.json', { type: 'application/json' });
  Object.assign(file, { text: async () => '{}' });
  await userEvent.upload(await screen.findByLabelText('Import', { selector: 'input' }), file);
};
const saveSettings = async () => {
  await fill('Line below the headline', 'By the river');
  await press('Save Settings');
};
const addUser = async () => {
  await press('Add User');
  await screen.findByLabelText('Password');
  fillFields({ Email: 'ada@example.org', ...NAMES, Password: 'correct horse' });
  await press('Create User');
};
const inviteOrganiser = async () => {
  const organiser = within(await screen.findByRole('group', { name: 'Organiser 1' }));
  fillFields({ ...NAMES, 'Email Address': 'ada@example.org' }, organiser);
  await userEvent.click(organiser.getByRole('button', { name: 'Invite' }));
};
const editUser = async () => {
  await press('Edit: Alan Turing');
  await fill('Email', 'turing@example.org');
  await press('Update User');
};
const addApp = async () => {
  await press('Add an authenticator app');
  await fill('Name', 'Tablet');
  await fill('Code from the app', '123456');
  await press('Add');
};

const WAYS: Record<FreshCall, [Screen: ComponentType, act: () => Promise<void>][]> = {
  'DELETE /api/admin/users/{id}': [[UsersPage, actOnAlan('Delete', 'Delete User')]],
  'DELETE /api/admin/users/{id}/second-factors': [[UsersPage, actOnAlan('Remove second factors')]],
  'DELETE /api/user': [[DeleteAccountCard, deleteAccount]],
  'DELETE /api/user/second-factors/{id}': [[SecurityCard, () => press('Remove Phone')]],
  'GET /api/user/confirm': [[UsersPage, () => press('Export Users')]],
  'POST /api/admin/settings/import': [[SettingsPage, importSettings]],
  'POST /api/admin/users': [
    [UsersPage, addUser],
    [SetupScreen, inviteOrganiser],
  ],
  'POST /api/user/export': [[DownloadDataCard, () => press('Prepare my download')]],
  'POST /api/user/recovery-codes': [[SecurityCard, () => press('New recovery codes')]],
  'POST /api/user/second-factors/passkey': [[SecurityCard, addPasskey]],
  'POST /api/user/second-factors/passkey/confirm': [[SecurityCard, addPasskey]],
  'POST /api/user/second-factors/totp': [[SecurityCard, () => press('Add an authenticator app')]],
  'POST /api/user/second-factors/totp/confirm': [[SecurityCard, addApp]],
  'PUT /api/admin/settings': [[SettingsPage, saveSettings]],
  'PUT /api/admin/users/{id}': [[UsersPage, editUser]],
  'PUT /api/admin/users/{id}/reset-password': [[UsersPage, actOnAlan('Reset Email')]],
  'PUT /api/admin/users/{id}/toggle-admin': [[UsersPage, actOnAlan('Make Admin')]],
};

const spelled = (call: FreshCall) =>
  call.replace('users/{id}', 'users/alan').replace('factors/{id}', 'factors/phone');

describe('A call that requires a fresh sign-in', () => {
  const key = new ArrayBuffer(4);
  const made = { attestationObject: key, clientDataJSON: key };
  beforeAll(async () => {
    await AddPasskeyDialog.arrived();
    const passkey = { id: 'made', rawId: key, response: made, getClientExtensionResults: Object };
    const create = async () => passkey;
    for (const global of [globalThis, window]) Object.assign(global, { PublicKeyCredential: class {} });
    Object.assign(navigator, { credentials: { create } });
  });
  afterAll(() => {
    for (const global of [globalThis, window]) Reflect.deleteProperty(global, 'PublicKeyCredential');
    Reflect.deleteProperty(navigator, 'credentials');
  });
  beforeEach(() => persist('setup', 'organisers', inThisTab));

  const ways = FRESH_CALLS.flatMap((call) => WAYS[call].map(([Screen, way]) => ({ call, Screen, way })));

  it.each(ways)(
    '$call asks for the password, and shows no error on Cancel',
    async ({ call, Screen, way }) => {
      const refused = spelled(call);
      const requests = fakeApi({
        ...READS,
        [refused]: () => refusal(403, 'FRESH_SIGN_IN_REQUIRED', 'Confirm that it’s you to continue'),
      });
      const { toasts } = renderScreen(
        <>
          <FreshSignIn />
          <Screen />
        </>,
        { user: me },
      );
      await way();
      const dialog = (
        await screen.findByLabelText('Password', { selector: '[autocomplete=current-password]' })
      ).closest('[role=dialog]')!;
      await userEvent.click(within(dialog as HTMLElement).getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(dialog.isConnected).toBe(false));
      expect(toasts).toEqual([]);
      expect(screen.queryByRole('alert')).toBeNull();
      expect(document.querySelector('[aria-invalid=true]')).toBeNull();
      expect(requests.sent(refused)).toHaveLength(1);
      if (Screen === UsersPage) expect(screen.getByText('Alan Turing')).toBeTruthy();
    },
  );
});
