import { LIMITS } from '@meetmark/contracts/limits';
import { serverMessage } from '../../api/client';
import { resetText as text } from '../../strings/auth';
import { type FieldErrors, looksLikeEmail } from '../../ui/use-form';
import type { PasswordReset } from './auth.api';

export function passwordResetErrors({
  email,
  token,
  newPassword,
}: PasswordReset): FieldErrors<PasswordReset> {
  const errors: FieldErrors<PasswordReset> = {};
  if (!looksLikeEmail(email)) errors.email = text.emailInvalid;
  if (token.length !== LIMITS.resetCode) errors.token = text.codeInvalid;
  if (newPassword.length < LIMITS.passwordMin) errors.newPassword = text.passwordTooShort;
  return errors;
}

/** The server's sentence, or what section 8 says in its place. */
export function passwordResetFailure(error: unknown): string {
  if (!(error instanceof Error)) return text.unexpected;
  return serverMessage(error) ?? text.failed;
}
