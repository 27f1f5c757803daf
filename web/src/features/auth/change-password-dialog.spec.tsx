import { jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import ChangePasswordDialog from './change-password-dialog';

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
