import { LIMITS } from '@meetmark/contracts/limits';
import { changePasswordText as text, resetText } from '@meetmark/i18n/texts/passwords';
import { ApiError, hasCode, serverMessage } from '../../api/client';
import { type FieldErrors, looksLikeEmail } from '../../ui/use-form';
import type { PasswordReset } from './auth.api';

export interface PasswordFields {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}

type PasswordErrors = FieldErrors<PasswordFields>;

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

export function refusalErrors(error: unknown): PasswordErrors {
  if (!(error instanceof ApiError)) return { newPassword: text.networkError };
  const message = serverMessage(error) ?? text.failed;
  return hasCode(error, 'CURRENT_PASSWORD_INCORRECT')
    ? { currentPassword: message }
    : { newPassword: message };
}

export function passwordResetErrors({
  email,
  token,
  newPassword,
}: PasswordReset): FieldErrors<PasswordReset> {
  const errors: FieldErrors<PasswordReset> = {};
  if (!looksLikeEmail(email)) errors.email = resetText.emailInvalid;
  if (token.length !== LIMITS.resetCode) errors.token = resetText.codeInvalid;
  if (newPassword.length < LIMITS.passwordMin) errors.newPassword = resetText.passwordTooShort;
  return errors;
}

export function passwordResetFailure(error: unknown): string {
  if (!(error instanceof Error)) return resetText.unexpected;
  return serverMessage(error) ?? resetText.failed;
}
