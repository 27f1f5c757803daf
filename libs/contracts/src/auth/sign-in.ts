import { Asker } from './codes.js';
import { LIMITS } from '../limits.js';
import { messagesTo } from '../message.js';
import { PersonFields, type SessionUser } from './users.js';
import {
  About,
  EmptyAsNull,
  IfGiven,
  IsEmailAddress,
  IsIdempotencyKey,
  IsPassword,
  IsWebUrl,
  withObjects,
} from '../validation.js';

const auth = messagesTo('auth');

export class SignUpFields extends PersonFields {
  @About('Your password')
  @IsPassword()
  password!: string;

  @About('URL of a LinkedIn profile')
  @EmptyAsNull()
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;
}

export class SignUpRequest extends withObjects(SignUpFields, { asker: Asker }) {}

export class KeyedSignUpRequest extends SignUpRequest {
  @IfGiven()
  @IsIdempotencyKey()
  idempotencyKey?: string;
}

/**
 * Emails a verification code. Idempotent for a day if a key is given.
 * @throws EMAIL_EXISTS
 * @throws IDEMPOTENCY_CONFLICT
 */
export const SignUp = auth.public('users.signUp', KeyedSignUpRequest)<SessionUser>();

export class SignInRequest {
  @About('Email address of the account', 'ada@example.org')
  @IsEmailAddress()
  email!: string;

  @About('Password of the account')
  @IsPassword()
  password!: string;
}

/**
 * An unknown email address takes as long to reject as a wrong password.
 * @throws CREDENTIALS_INCORRECT
 */
export const SignIn = auth.public('users.signIn', SignInRequest)<SessionUser>();

export class ChangePasswordRequest {
  @About('Your current password')
  @IsPassword()
  currentPassword!: string;

  @About('At least 6 characters, otherwise `PASSWORD_TOO_SHORT`')
  @IsPassword()
  newPassword!: string;
}

/**
 * Ends the caller's other sessions by raising the account's epoch. The gateway renews the current session.
 */
export const ChangePassword = auth.member('users.changePassword', ChangePasswordRequest)<SessionUser>();
