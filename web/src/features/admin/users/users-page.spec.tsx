import { jest } from '@jest/globals';
import type { User } from '@meetmark/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { collectClickedLinks } from '../../../testing/clicked-links';
import { enterText } from '../../../testing/enter-text';
import { fillFields, findDialog, getField, getTexts, press } from '../../../testing/actions';
import { fakeApi, type Handlers, refusal } from '../../../testing/fake-api';
import { findToast, renderScreen, wideScreen } from '../../../testing/render-screen';
import { aUser } from '../../../testing/samples';
import { FreshSignIn } from '../../security/fresh-sign-in';
import { AddUserDialog, EditUserDialog } from './user-dialogs';
import { usersCsv, UsersPage } from './users-page';
import { userErrors } from './user-form';

const me = aUser({ id: 'me', firstName: 'Grace', lastName: 'Hopper', isAdmin: true });
const ada = aUser({ id: 'ada' });
const alan = aUser({ id: 'alan', firstName: 'Alan', lastName: 'Turing', isAdmin: true });

const respondWithUsers = (users: User[]) => () => ({
  body: users,
  headers: { 'X-Total-Count': String(users.length) },
});
const open = (calls: Handlers = {}, path = '/admin/users') => {
  const requests = fakeApi({ 'GET /api/admin/users': respondWithUsers([me, ada, alan]), ...calls });
  const page = (
    <>
      <FreshSignIn />
      <UsersPage />
    </>
  );
  return { requests, ...renderScreen(page, { user: me, path }) };
};
const findRow = async (name: string) => {
  const row = (await screen.findByText(name)).closest('tr');
  if (!row) throw new Error(`${name} has no row`);
  return within(row);
};
const openMenu = async (name: string) => press(/^More/, await findRow(name));
const choose = async (name: string, action: string) => {
  await openMenu(name);
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
};
const actAfterAsking = async (name: string, action: string) => {
  await choose(name, action);
  await press(action, await findDialog());
};
const cancelQuestion = async (...words: string[]) => {
  const dialog = await screen.findByRole('dialog');
  for (const said of words) expect(dialog.textContent).toContain(said);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
};
describe('The list of users', () => {
  it('offers every action on other accounts, but only Edit on your own', async () => {
    open();
    await screen.findByText('1–3 of 3');
    expect(screen.queryByRole('button', { name: /^(Previous|Next)$/ })).toBeNull();
    const items = async (name: string) => {
      await openMenu(name);
      const menu = (await screen.findAllByRole('menu')).at(-1)!;
      return getTexts(within(menu).getAllByRole('menuitem'));
    };
    expect(await items('Ada Lovelace')).toEqual(['Send reset code', 'Make Admin', 'Reset Email', 'Delete']);
    expect(await items('Alan Turing')).toContain('Remove Admin');
    const own = await findRow('Grace Hopper');
    expect(getTexts(own.getAllByRole('button'))).toEqual(['Grace Hopper', 'Edit']);
    await press(/^Edit/, own);
    const dialog = await findDialog();
    for (const option of dialog.getAllByRole<HTMLInputElement>('radio')) expect(option.disabled).toBe(true);
  });

  it('shows main actions in the rows from 1024 px, and others under More', async () => {
    wideScreen('64em');
    const withFactor = { ...ada, hasSecondFactor: true };
    open({ 'GET /api/admin/users': respondWithUsers([me, withFactor, alan]) });
    const words = async (name: string) => getTexts((await findRow(name)).getAllByRole('button'));
    const others = (right: string) => ['Edit', right, 'Reset Email', 'Delete', 'More'];
    expect(await words('Ada Lovelace')).toEqual(['Ada Lovelace', ...others('Make Admin')]);
    expect(await words('Alan Turing')).toEqual(['Alan Turing', ...others('Remove Admin')]);
    expect(await words('Grace Hopper')).toEqual(['Grace Hopper', 'Edit']);
    await press('Reset Email: Ada Lovelace');
    await cancelQuestion('Ada Lovelace', 'they’re signed out everywhere');
    await openMenu('Ada Lovelace');
    const items = getTexts(await screen.findAllByRole('menuitem'));
    expect(items).toEqual(['Send reset code', 'Remove second factors']);
  });

  it('shows the details of an account when its name is pressed', async () => {
    const promoted = {
      ...{ id: '1', action: 'user.updated', actorId: 'grace', actorName: 'Grace Hopper' },
      ...{ subjectId: 'ada', subjectName: 'Ada Lovelace', changed: ['role'] },
      values: { role: { before: 'member', after: 'organiser' } },
      at: '2026-11-20T10:00:00.000Z',
    };
    const shown = { ...ada, emailVerifiedAt: null, hasSecondFactor: true };
    open({
      'GET /api/admin/users': respondWithUsers([me, shown]),
      'GET /api/admin/users/ada/activity': () => ({
        body: { lastSeenAt: '2026-11-20T09:00:00.000Z', registered: 4, attended: 2, noShows: 1 },
      }),
      'GET /api/admin/audit': ({ query }) => ({
        body: query.get('subjectId') === 'ada' ? [promoted] : [],
        headers: { 'X-Total-Count': '11' },
      }),
    });
    await press('Ada Lovelace');
    const drawer = await findDialog();
    drawer.getByText('Not verified yet');
    drawer.getByText('Set up');
    await drawer.findByText('4: 2 attended, 1 missed');
    drawer.getByText('Nov 20, 2026, 9:00 AM');
    await drawer.findByText('Edited a user by Grace Hopper');
    drawer.getByText('User → Organiser');
    expect(drawer.getByRole('link', { name: 'Open in audit log' }).getAttribute('href')).toBe(
      '/admin/audit?subjectId=ada',
    );
  });

  it('requests a page with search, filter and sort order', async () => {
    const { requests } = open();
    await screen.findByText('Ada Lovelace');
    await enterText(screen.getByRole('searchbox'), 'love');
    await userEvent.click(screen.getByRole('radio', { name: 'Admins' }));
    await waitFor(() =>
      expect(String(requests.at(-1)?.query)).toBe('q=love&role=admin&sort=-createdAt&limit=20'),
    );
  });
});

describe('Saving a user', () => {
  const openAlert = async () =>
    (await screen.findByText('Unable to Complete Action')).closest('[role=dialog]');
  const NEW_USER = {
    Email: 'new@example.org',
    'First Name': 'New',
    'Last Name': 'Person',
    Password: 'secret1',
  };
  const openNewUser = () => {
    renderScreen(<AddUserDialog close={jest.fn()} />, { user: me });
    fillFields(NEW_USER);
  };
  const openAda = () => renderScreen(<EditUserDialog user={ada} close={jest.fn()} />, { user: me });

  const DOWN = 'The service is not available at the moment';
  const OWN = 'You cannot do this to your own account';
  it.each([
    [
      'the email address is taken',
      refusal(409, 'EMAIL_EXISTS', 'Exists'),
      'A user with this email address already exists. Please use a different email address.',
    ],
    [
      'a service is down',
      refusal(503, 'SERVICE_UNAVAILABLE', DOWN),
      'The service is not available at the moment',
    ],
    ['the reason is unknown', { status: 502 }, 'Failed to create user'],
  ])('explains in an alert that an account can’t be created: %s', async (_, answer, words) => {
    fakeApi({ 'POST /api/admin/users': () => answer });
    openNewUser();
    await press('Create User');
    expect((await openAlert())?.textContent).toContain(words);
    await press('OK');
    expect(getField('Email').value).toBe('new@example.org');
  });

  it.each([
    [
      'the email address is taken',
      refusal(409, 'EMAIL_TAKEN', 'Taken'),
      'This email address is already in use by another account. Please use a different email address.',
    ],
    ['it is the caller’s own', refusal(403, 'OWN_ACCOUNT', OWN), 'You cannot do this to your own account'],
    ['the reason is unknown', { status: 500 }, 'Failed to update user'],
  ])('explains in an alert that an account can’t be changed: %s', async (_, answer, words) => {
    fakeApi({ 'PUT /api/admin/users/ada': () => answer });
    openAda();
    await press('Update User');
    expect((await openAlert())?.textContent).toContain(words);
  });

  it('shows a concurrent change in the form, then saves only the changed field', async () => {
    const theirs = { ...ada, lastName: 'King', version: 2 };
    const edits = [{ by: 'Grace Hopper', own: false, at: '2026-11-22T09:00:00.000Z', changed: ['lastName'] }];
    const conflict = refusal(409, 'EDIT_CONFLICT', 'This has been changed', { present: theirs, edits });
    const answers = [conflict, { body: theirs }];
    const requests = fakeApi({ 'PUT /api/admin/users/ada': () => answers.shift()! });
    openAda();
    fillFields({ 'First Name': 'Augusta' });
    await press('Update User');
    await screen.findByText(/^Grace Hopper changed last name/);
    await press('Save my changes');
    await waitFor(() => expect(requests).toHaveLength(2));
    const [first, second] = requests.bodies();
    const unchanged = { id: 'ada', email: ada.email, lastName: 'Lovelace', role: 'member', isAdmin: false };
    expect(first).toEqual({ ...unchanged, firstName: 'Augusta', version: 1 });
    expect(second).toEqual({ id: 'ada', firstName: 'Augusta', version: 2 });
  });

  it('sends the chosen role in the fields role and isAdmin', async () => {
    const requests = fakeApi({ 'POST /api/admin/users': () => ({ status: 500 }) });
    openNewUser();
    for (const right of ['Admin', 'Organiser']) {
      await userEvent.click(screen.getByRole('radio', { name: right }));
      await press('Create User');
      await openAlert();
      await press('OK');
    }
    const user = { email: 'new@example.org', firstName: 'New', lastName: 'Person', password: 'secret1' };
    expect(requests.bodies()).toEqual([
      { ...user, role: 'owner', isAdmin: true },
      { ...user, role: 'organiser', isAdmin: false },
    ]);
  });

  it('resends the form with the same idempotency key after a network error', async () => {
    const requests = fakeApi({});
    openNewUser();
    for (const attempts of [1, 2]) {
      await press('Create User');
      await openAlert();
      await press('OK');
      await waitFor(() => expect(screen.queryByText('Unable to Complete Action')).toBeNull());
      expect(requests).toHaveLength(attempts);
    }
    const [first, second] = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });

  it('shows an error at the field and sends nothing', async () => {
    const requests = fakeApi({});
    openNewUser();
    fillFields({ Email: 'ada' });
    await press('Create User');
    await screen.findByText('Invalid email address');
    const email = getField('Email');
    expect(document.activeElement).toBe(email);
    expect(email.getAttribute('aria-invalid')).toBe('true');
    const note = document.getElementById(email.getAttribute('aria-describedby') ?? '');
    expect(note?.textContent).toBe('Invalid email address');
    expect(requests).toEqual([]);
  });
});

describe('An account action', () => {
  it('removes the row immediately and restores it when the call fails', async () => {
    let answer = (): void => undefined;
    let asked = 0;
    const { toasts } = open({
      'GET /api/admin/users': () =>
        (asked += 1) === 1 ? respondWithUsers([me, ada])() : new Promise(() => undefined),
      'DELETE /api/admin/users/ada': async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return refusal(500, 'INTERNAL', 'Something went wrong on our side');
      },
    });
    await choose('Ada Lovelace', 'Delete');
    await press('Delete User');
    await waitFor(() => expect(screen.queryByText('Ada Lovelace')).toBeNull());
    answer();
    await screen.findByText('Ada Lovelace');
    await findToast(toasts, 'Failed to delete user');
  });

  it('asks for confirmation and explains the consequence', async () => {
    const { requests } = open();
    for (const [name, action, consequence] of [
      ['Ada Lovelace', 'Make Admin', 'They’ll be able to see, change and delete all events and accounts'],
      ['Ada Lovelace', 'Delete', 'Delete User Account'],
      ['Alan Turing', 'Remove Admin', 'They lose access to the admin area immediately.'],
    ] as const) {
      await choose(name, action);
      await cancelQuestion(name, consequence);
      const button = screen.getByRole('button', { name: `More: ${name}` });
      await waitFor(() => expect(document.activeElement).toBe(button));
    }
    expect(requests.sent()).toEqual([]);
  });

  it('removes a user’s second factors after a fresh sign-in', async () => {
    let confirmed = false;
    const { requests, toasts } = open({
      'GET /api/admin/users': respondWithUsers([me, ada, { ...alan, hasSecondFactor: true }]),
      'DELETE /api/admin/users/alan/second-factors': () =>
        confirmed
          ? { status: 204 }
          : refusal(403, 'FRESH_SIGN_IN_REQUIRED', 'Confirm that it’s you to continue'),
      'POST /api/user/confirm': () => {
        confirmed = true;
        return { status: 204 };
      },
    });
    await actAfterAsking('Alan Turing', 'Remove second factors');
    await screen.findByLabelText('Password');
    fillFields({ Password: 'correct horse' });
    await press('Confirm');
    await findToast(toasts, 'The second factors of Alan Turing have been removed.');
    expect(requests.sent().map(({ method }) => method)).toEqual(['DELETE', 'POST', 'DELETE']);
  });

  it.each([
    ['Ada Lovelace', 'Make Admin', true, 'Ada Lovelace promoted to admin successfully.'],
    ['Alan Turing', 'Remove Admin', false, 'Alan Turing removed from admin successfully.'],
  ])('%s: %s changes the role and shows a success message', async (name, action, isAdmin, words) => {
    const user = name === 'Ada Lovelace' ? ada : alan;
    let saved = user;
    const { requests, toasts } = open({
      'GET /api/admin/users': () => respondWithUsers([me, saved])(),
      [`PUT /api/admin/users/${user.id}/toggle-admin`]: () => {
        saved = { ...user, isAdmin, role: isAdmin ? 'owner' : 'member' };
        return { body: saved };
      },
    });
    await actAfterAsking(name, action);
    await findToast(toasts, words);
    expect(requests.bodies()).toEqual([{ isAdmin }]);
    await (await findRow(name)).findByText(isAdmin ? 'Admin' : 'User');
    const button = screen.getByRole('button', { name: `More: ${name}` });
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it('shows the server’s message, or a generic one, when the role can’t be changed', async () => {
    const { toasts } = open({
      'PUT /api/admin/users/alan/toggle-admin': () =>
        refusal(409, 'LAST_ADMINISTRATOR', 'At least one admin must remain'),
    });
    await actAfterAsking('Alan Turing', 'Remove Admin');
    await findToast(toasts, 'At least one admin must remain');
    await actAfterAsking('Ada Lovelace', 'Make Admin');
    await findToast(toasts, 'Failed to update user permissions');
  });

  it('refreshes the list when someone else has deleted the account', async () => {
    let users = [me, ada];
    const { toasts } = open({
      'GET /api/admin/users': () => respondWithUsers(users)(),
      'PUT /api/admin/users/ada/toggle-admin': () => {
        users = [me];
        return refusal(404, 'USER_NOT_FOUND', 'User not found');
      },
    });
    await actAfterAsking('Ada Lovelace', 'Make Admin');
    await findToast(toasts, 'User not found');
    expect(screen.queryByText('Ada Lovelace')).toBeNull();
  });

  it('sets a random password and opens an email draft with it', async () => {
    const opened = collectClickedLinks();
    const { requests, toasts } = open({ 'PUT /api/admin/users/ada/reset-password': () => ({ body: ada }) });
    await actAfterAsking('Ada Lovelace', 'Reset Email');
    await findToast(toasts, 'Password reset successfully. Email draft opened.');
    const { newPassword } = requests.bodies()[0] as { newPassword: string };
    expect(newPassword).toMatch(/^[A-Za-z0-9]{8}$/);
    expect(opened).toHaveLength(1);
    expect(opened[0]?.href).toMatch(/^mailto:ada@example\.org\?subject=/);
    expect(decodeURIComponent(opened[0]?.href ?? '')).toContain(newPassword);
  });

  it('makes Reset Email the primary button, and offers a reset code instead', async () => {
    const { requests, toasts } = open({
      'POST /api/admin/users/ada/send-reset-code': () => ({ status: 204 }),
    });
    await choose('Ada Lovelace', 'Reset Email');
    const dialog = await screen.findByRole('dialog');
    expect(dialog.querySelector('.ant-btn-primary')?.textContent).toBe('Reset Email');
    await press('Send a reset code instead');
    await findToast(toasts, 'Reset code sent to ada@example.org');
    expect(requests.sent().map(({ path }) => path)).toEqual(['/api/admin/users/ada/send-reset-code']);
  });

  it('exports selected or matching users after checking that the sign-in is fresh', async () => {
    const saved = collectClickedLinks();
    const calls = { 'GET /api/user/confirm': () => ({ status: 204 }) };
    const { requests, toasts } = open(calls, '/admin/users?q=ada&role=user');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Ada Lovelace' }));
    const asked = requests.length;
    await press('Export selected');
    await waitFor(() => expect(toasts).toHaveLength(1));
    await press('Export Users');
    await waitFor(() => expect(toasts).toHaveLength(2));
    const name = expect.stringMatching(/^users-export-\d{4}-\d\d-\d\d\.csv$/);
    expect(saved.map(({ download }) => download)).toEqual([name, name]);
    // the selected users are already loaded, so their export only checks the sign-in
    expect(requests.slice(asked).map(({ path, query }) => `${path}?${query}`)).toEqual([
      '/api/user/confirm?',
      '/api/admin/users?q=ada&role=user&sort=-createdAt',
      '/api/user/confirm?',
    ]);
  });

  it('says that there are no users to export, without checking the sign-in', async () => {
    const { requests, toasts } = open({ 'GET /api/admin/users': respondWithUsers([]) });
    await screen.findByText('No users found.');
    await press('Export Users');
    await waitFor(() =>
      expect(toasts).toEqual([{ kind: 'info', title: 'No Data', description: 'No users to export' }]),
    );
    expect(requests.map(({ path }) => path)).not.toContain('/api/user/confirm');
  });
});

describe('The export of users', () => {
  it('writes the specified columns, with dates in the community’s format', () => {
    const csv = usersCsv(
      [
        aUser({ id: '1', isAdmin: true }),
        aUser({ id: '2', email: 'eve@example.org', firstName: '=cmd()', lastName: 'O, Neil' }),
      ],
      'en-US',
    );
    expect(csv.slice(1).split('\r\n')).toEqual([
      'ID,Email,First Name,Last Name,Admin,Created At',
      '1,ada@example.org,Ada,Lovelace,Yes,1/15/2026',
      `2,eve@example.org,'=cmd(),"O, Neil",No,1/15/2026`,
    ]);
  });
});

const VALID = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace', role: 'member' as const };

describe('The user form', () => {
  it('returns an error for each invalid field', () => {
    const invalid = { ...VALID, email: 'ada', firstName: ' ', lastName: '', password: '12345' };
    expect(userErrors(invalid)).toEqual({
      email: 'Invalid email address',
      firstName: 'First name is required',
      lastName: 'Last name is required',
      password: 'Password must be at least 6 characters',
    });
  });

  it('requires a password of six characters only for a new user', () => {
    expect([userErrors({ ...VALID, password: '123456' }), userErrors(VALID)]).toEqual([{}, {}]);
  });

  it.each(['ada', '@example.org', 'ada@example', 'a b@example.org', 'ada@@example.org', 'ada@example..org'])(
    'rejects %j as an email address',
    (email) => expect(userErrors({ ...VALID, email }).email).toBe('Invalid email address'),
  );
});
