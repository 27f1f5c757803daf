import { resetRequestText as text } from '../../strings/auth';
import { type FieldErrors, looksLikeEmail } from '../../ui/use-form';

export interface ResetRequestFields {
  firstName: string;
  lastName: string;
  email: string;
}

export function emailError(email: string): string | undefined {
  if (!email.trim()) return text.emailRequired;
  return looksLikeEmail(email) ? undefined : text.emailInvalid;
}

/** What is wrong with the fields that a mail to the administrator needs (section 5 of the specification). */
export function resetRequestErrors({
  firstName,
  lastName,
  email,
}: ResetRequestFields): FieldErrors<ResetRequestFields> {
  const errors: FieldErrors<ResetRequestFields> = {};
  if (!firstName.trim()) errors.firstName = text.firstNameRequired;
  if (!lastName.trim()) errors.lastName = text.lastNameRequired;
  const wrongEmail = emailError(email);
  if (wrongEmail) errors.email = wrongEmail;
  return errors;
}
