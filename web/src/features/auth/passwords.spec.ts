import type { ErrorCode } from '@meetmark/contracts';
import { ApiError } from '../../api/client';
import { passwordErrors, passwordResetFailure, refusalErrors } from './passwords';

const refusedWith = (message: string, code: ErrorCode = 'VALIDATION_FAILED') =>
  new ApiError(400, '', { statusCode: 400, code, message, requestId: 'test' });

describe('The change-password form', () => {
  it('asks for each field', () => {
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

  it('refuses a confirmation that differs', () => {
    expect(
      passwordErrors({ currentPassword: 'old', newPassword: '123456', confirmPassword: '123457' }),
    ).toEqual({ confirmPassword: 'New passwords do not match' });
  });

  it('finds nothing wrong with six characters twice', () => {
    expect(
      passwordErrors({ currentPassword: 'old', newPassword: '123456', confirmPassword: '123456' }),
    ).toEqual({});
  });
});

describe("The server's refusal of a password change", () => {
  it('shows below the current password when that is wrong', () => {
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
  ])('shows below the new password: %p', (message) => {
    expect(refusalErrors(refusedWith(message))).toEqual({ newPassword: message });
  });

  it('has words of its own when the server has none, and when the network fails', () => {
    expect(refusalErrors(new ApiError(502, 'Bad Gateway', null))).toEqual({
      newPassword: 'Failed to change password',
    });
    expect(refusalErrors(new TypeError('Failed to fetch'))).toEqual({
      newPassword: 'An error occurred while changing your password',
    });
  });
});

describe('A password that could not be reset', () => {
  it('has words of its own where the server sent none, and for what is no error', () => {
    expect(passwordResetFailure(refusedWith('Invalid or expired reset code'))).toBe(
      'Invalid or expired reset code',
    );
    expect(passwordResetFailure(new ApiError(502, 'Bad Gateway', null))).toBe('Failed to reset password');
    expect(passwordResetFailure('thrown')).toBe('An error occurred');
  });
});
