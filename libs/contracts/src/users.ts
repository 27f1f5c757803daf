import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { PictureChange } from './pictures.js';
import { EmptyAsNull, IsEmailAddress, IsId, IsName, IsPassword, IsWebUrl, PlainText } from './validation.js';

/** A user as every answer shows it to themselves and to administrators (D20); never a password. Dates are ISO 8601 UTC. */
export interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  description: string | null;
  linkedInUrl: string | null;
  isAdmin: boolean;
  createdAt: string;
  updatedAt: string;
}

/** What the gateway keeps beside a session: the user and what decides whether the session still stands. */
export interface SessionUser {
  user: User;
  /** Raised when the password changes: sessions made under a lower epoch are over. */
  epoch: number;
  /** Raised by every change of the row: a cache never replaces a newer value by an older one. */
  version: number;
}

export class UserIdRequest {
  @IsId()
  userId!: string;
}

/** The session's user, or null when the account is gone. */
export const GetSessionUser = defineMessage({
  service: 'auth',
  name: 'users.getSessionUser',
  access: 'internal',
  request: UserIdRequest,
})<SessionUser | null>();

/** Who an account belongs to, wherever a form asks for it. */
export class PersonFields {
  @IsEmailAddress()
  email!: string;

  @IsName('First name is required')
  firstName!: string;

  @IsName('Last name is required')
  lastName!: string;
}

export class SignUpRequest extends PersonFields {
  @IsPassword()
  password!: string;

  @EmptyAsNull()
  @ValidateIf((_, value) => value !== null)
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;
}

/** Creates a member. EMAIL_EXISTS when the address is taken. */
export const SignUp = defineMessage({
  service: 'auth',
  name: 'users.signUp',
  access: 'public',
  request: SignUpRequest,
})<SessionUser>();

export class SignInRequest {
  @IsEmailAddress()
  email!: string;

  @IsPassword()
  password!: string;
}

/** CREDENTIALS_INCORRECT takes as long for an unknown address as for a wrong password (D16). */
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

/** PUT /api/user/profile as the browser sends it; the gateway turns the picture's data URL into a PictureChange. */
export class ProfileFields extends PersonFields {
  @EmptyAsNull()
  @ValidateIf((_, value) => value !== null)
  @PlainText(LIMITS.description)
  description: string | null = null;

  @EmptyAsNull()
  @ValidateIf((_, value) => value !== null)
  @IsWebUrl(LIMITS.linkedInUrl)
  linkedInUrl: string | null = null;
}

export class UpdateProfileRequest extends ProfileFields {
  @ValidateNested()
  @Type(() => PictureChange)
  picture!: PictureChange;
}

/** EMAIL_TAKEN when another account has the address. */
export const UpdateProfile = defineMessage({
  service: 'auth',
  name: 'users.updateProfile',
  access: 'member',
  request: UpdateProfileRequest,
})<SessionUser>();

/** What a member may be written to about (D28); security and account mails are always sent. */
export class MailPreferences {
  /** Confirmations, changes and cancellations of events the member registered for. */
  @IsBoolean()
  eventUpdates!: boolean;

  /** The reminder the day before. */
  @IsBoolean()
  reminders!: boolean;
}

export const GetMailPreferences = defineMessage({
  service: 'auth',
  name: 'users.getMailPreferences',
  access: 'member',
  request: Nothing,
})<MailPreferences>();

export const SetMailPreferences = defineMessage({
  service: 'auth',
  name: 'users.setMailPreferences',
  access: 'member',
  request: MailPreferences,
})<MailPreferences>();

export class UnsubscribeRequest extends UserIdRequest {
  @IsOptional()
  @IsBoolean()
  eventUpdates?: boolean;

  @IsOptional()
  @IsBoolean()
  reminders?: boolean;
}

/** One-click unsubscribe; the gateway has verified the signed link. */
export const Unsubscribe = defineMessage({
  service: 'auth',
  name: 'users.unsubscribe',
  access: 'internal',
  request: UnsubscribeRequest,
})<void>();
