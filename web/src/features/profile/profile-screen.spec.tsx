import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import ProfileScreen from './profile-screen';

const SAVE = 'PUT /api/user/profile';
const saveProfile = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
};
const open = () => renderScreen(<ProfileScreen />, { user: aUser({ profileImageUrl: '/media/a.webp' }) });

describe('A profile that cannot be saved', () => {
  it('tells below the field what is wrong with it', async () => {
    fakeApi({
      [SAVE]: () =>
        refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
          fields: { linkedInUrl: ['linkedInUrl must be a web address'] },
          rules: { linkedInUrl: { rule: 'isWebUrl' } },
        }),
    });
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    // the browser itself would refuse it, in its own language
    await userEvent.type(screen.getByLabelText('LinkedIn URL'), 'nope');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText('Please enter a web address that begins with http:// or https://');
    expect(screen.getByLabelText('LinkedIn URL').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(screen.getByLabelText('LinkedIn URL'));
  });

  it('says so, and what can be done, when there is no connection', async () => {
    fakeApi({});
    const { toasts } = open();
    await saveProfile();
    await waitFor(() =>
      expect(toasts.at(-1)?.description).toBe('An error occurred while updating your profile.'),
    );
    expect(screen.getAllByText('Check your connection and try again.')).not.toEqual([]);
  });

  it('says that an administrator has changed it meanwhile, and saves over it only what was changed here', async () => {
    const theirs = aUser({ lastName: 'King', description: 'By us', version: 2 });
    const edits = [
      { by: null, own: false, at: '2026-11-22T09:00:00.000Z', changed: ['lastName', 'description'] },
    ];
    const answers = [
      () => refusal(409, 'EDIT_CONFLICT', 'This has been changed', { present: theirs, edits }),
      () => ({ body: theirs }),
    ];
    const requests = fakeApi({ [SAVE]: () => answers.shift()!() });
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    await userEvent.type(screen.getByLabelText('Last Name'), '-Byron');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText(/^An admin changed last name and about me/);
    expect(screen.getByLabelText<HTMLInputElement>('Last Name').value).toBe('Lovelace-Byron');
    await userEvent.click(screen.getByRole('button', { name: 'Save my changes' }));
    await waitFor(() => expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(2));
    const [first, second] = requests.filter(({ method }) => method === 'PUT');
    expect(first?.body).toMatchObject({ lastName: 'Lovelace-Byron', version: 1 });
    expect(second?.body).toEqual({ lastName: 'Lovelace-Byron', version: 2 });
  });

  it('leads to the login when the session has ended meanwhile', async () => {
    fakeApi({ [SAVE]: () => refusal(401, 'UNAUTHORIZED', 'Unauthorized: sign in to continue') });
    const { toasts } = open();
    await saveProfile();
    await waitFor(() =>
      expect(toasts).toEqual([
        {
          kind: 'error',
          title: 'Unauthorized',
          description: 'You are logged out. Logging in again...',
        },
      ]),
    );
  });
});
