import { LIMITS } from '@meetmark/contracts/limits';
import { adminUsersText as text } from '../../../strings/admin';
import { type FieldErrors, looksLikeEmail } from '../../../ui/use-form';

export interface UserFields {
  email: string;
  firstName: string;
  lastName: string;
  isAdmin: boolean;
  /** Only of a new user. */
  password?: string;
}

/** What is wrong with each field, in the specification's words; empty when nothing is. */
export function userErrors({ email, firstName, lastName, password }: UserFields): FieldErrors<UserFields> {
  const errors: FieldErrors<UserFields> = {};
  if (!looksLikeEmail(email)) errors.email = text.emailInvalid;
  if (firstName.trim() === '') errors.firstName = text.firstNameRequired;
  if (lastName.trim() === '') errors.lastName = text.lastNameRequired;
  if (password !== undefined && password.length < LIMITS.passwordMin) errors.password = text.passwordTooShort;
  return errors;
}
