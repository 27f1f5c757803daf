import { LIMITS } from '@meetmark/contracts/limits';
import { adminUsersText as text } from '../../../strings/admin';

export interface UserFields {
  email: string;
  firstName: string;
  lastName: string;
  isAdmin: boolean;
  /** Only of a new user. */
  password?: string;
}

export type UserErrors = Partial<Record<keyof UserFields, string>>;

// What every mail server needs; whether the address exists only a mail can tell.
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** What is wrong with each field, in the specification's words; empty when nothing is. */
export function userErrors({ email, firstName, lastName, password }: UserFields): UserErrors {
  const errors: UserErrors = {};
  if (!EMAIL.test(email.trim())) errors.email = text.emailInvalid;
  if (firstName.trim() === '') errors.firstName = text.firstNameRequired;
  if (lastName.trim() === '') errors.lastName = text.lastNameRequired;
  if (password !== undefined && password.length < LIMITS.passwordMin) errors.password = text.passwordTooShort;
  return errors;
}
