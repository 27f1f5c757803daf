import { LIMITS } from '@meetmark/contracts/limits';
import { ApiError, serverMessage } from '../../api/client';
import { changePasswordText as text } from '../../strings/auth';
import type { FieldErrors } from '../../ui/use-form';

export interface PasswordFields {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}

type PasswordErrors = FieldErrors<PasswordFields>;

/** What the form refuses before it asks the server (section 5 of the specification). */
export function passwordErrors({
  currentPassword,
  newPassword,
  confirmPassword,
}: PasswordFields): PasswordErrors {
  const errors: PasswordErrors = {};
  if (!currentPassword) errors.currentPassword = text.currentRequired;
  if (!newPassword) errors.newPassword = text.newRequired;
  else if (newPassword.length < LIMITS.passwordMin) errors.newPassword = text.newTooShort;
  if (!confirmPassword) errors.confirmPassword = text.confirmRequired;
  else if (confirmPassword !== newPassword) errors.confirmPassword = text.differ;
  return errors;
}

/** Where the server's refusal shows (section 8): below the current password when it is wrong, else below the new one. */
export function refusalErrors(error: unknown): PasswordErrors {
  if (!(error instanceof ApiError)) return { newPassword: text.networkError };
  const message = serverMessage(error) ?? text.failed;
  return message.includes(text.server.currentIncorrect)
    ? { currentPassword: message }
    : { newPassword: message };
}
