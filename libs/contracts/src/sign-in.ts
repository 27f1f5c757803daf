import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';
import { Asker, DISPENSABLE_OF_ASKER } from './codes.js';
import { LIMITS } from './limits.js';
import { defineMessage } from './message.js';
import { PersonFields, type SessionUser } from './users.js';
import { EmptyAsNull, IsEmailAddress, IsIdempotencyKey, IsPassword, IsWebUrl } from './validation.js';

/** POST /api/register. */
export class SignUpFields extends PersonFields {
  @IsPassword()
  password!: string;

  @EmptyAsNull()
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;
}

export class SignUpRequest extends SignUpFields {
  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

export class KeyedSignUpRequest extends SignUpRequest {
  @IsOptional()
  @IsIdempotencyKey()
  idempotencyKey?: string;
}

/**
 * Creates a member, whose address is mailed a code to verify it with. EMAIL_EXISTS when the address is taken. With a key it is safe
 * to repeat for a day (IDEMPOTENCY_CONFLICT).
 */
export const SignUp = defineMessage({
  service: 'auth',
  name: 'users.signUp',
  access: 'public',
  request: KeyedSignUpRequest,
  dispensable: DISPENSABLE_OF_ASKER,
})<SessionUser>();

export class SignInRequest {
  @IsEmailAddress()
  email!: string;

  @IsPassword()
  password!: string;
}

/** CREDENTIALS_INCORRECT takes as long for an unknown address as for a wrong password. */
export const SignIn = defineMessage({
  service: 'auth',
  name: 'users.signIn',
  access: 'public',
  request: SignInRequest,
})<SessionUser>();

export class ChangePasswordRequest {
  @IsPassword()
  currentPassword!: string;

  /** Its minimum length is judged by the service, which words the refusal (PASSWORD_TOO_SHORT). */
  @IsPassword()
  newPassword!: string;
}

/** Raises the epoch: every other session of the caller ends, the gateway renews the caller's own. */
export const ChangePassword = defineMessage({
  service: 'auth',
  name: 'users.changePassword',
  access: 'member',
  request: ChangePasswordRequest,
})<SessionUser>();
