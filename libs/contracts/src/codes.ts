import { Type } from 'class-transformer';
import { IsIn, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';

import { defineMessage, Nothing } from './message.js';
import type { SessionUser, User } from './users.js';
import { IfGiven, IsEmailAddress, IsPassword } from './validation.js';

// Codes and links that are mailed: to verify an address, to sign in, to choose a new password, to change an address.

/** What a browser asks a code for. It has a flow, and a cookie, for each. */
export const FLOW_PURPOSES = ['verify', 'sign-in', 'reset', 'email'] as const;
export type FlowPurpose = (typeof FLOW_PURPOSES)[number];

/** 128 random bits, as in the cookie of a flow and in a link. */
export const FLOW_SECRET_BYTES = 16;
export const FLOW_SECRET = /^[\w-]{22}$/;
const NETWORK_LENGTH = 100;

/** Who asks, as the gateway sees them; no body says it. */
export class Asker {
  /** The secret of the browser's flow. */
  @Matches(FLOW_SECRET)
  browser!: string;

  /** The /24 or /48 that the request came from. */
  @IsString()
  @MaxLength(NETWORK_LENGTH)
  network!: string;
}

class Asked {
  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

/** POST /api/forgot-password and POST /api/sign-in-code. */
export class AddressFields {
  @IsEmailAddress()
  email!: string;
}

export class RequestCodeRequest extends AddressFields {
  @IsIn(['sign-in', 'reset'])
  purpose!: 'sign-in' | 'reset';

  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

/** Answers and works alike whether or not the account exists. */
export const RequestCode = defineMessage({
  service: 'auth',
  name: 'codes.request',
  access: 'public',
  request: RequestCodeRequest,
})<void>();

export class RequestVerificationRequest extends Asked {}

/** To the caller's own address. EMAIL_VERIFIED when there is nothing to verify. */
export const RequestVerification = defineMessage({
  service: 'auth',
  name: 'codes.requestVerification',
  access: 'member',
  request: RequestVerificationRequest,
})<void>();

/** What codes and links are sealed under until they are mailed (auth seals, the worker opens): they open for this row only. */
export const codeSeal = (flowId: string) => `code-flow:${flowId}`;
export const revertSeal = (revertId: string) => `email-revert:${revertId}`;

/** The sealed content: JSON of this. */
export interface SealedCode {
  /** Null in a mail that carries the link alone. */
  code: string | null;
  link: string;
}

/** POST /api/reset-password. */
export class ResetPasswordFields {
  @IsEmailAddress()
  email!: string;

  @Matches(/^\d{6}$/, { message: 'Token must be 6 digits' })
  token!: string;

  /** Its minimum length is judged by the service (PASSWORD_TOO_SHORT). */
  @IsPassword()
  newPassword!: string;
}

export class ResetPasswordRequest extends ResetPasswordFields {
  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

/** Uses up a code and ends every session of the account. RESET_CODE_INVALID whatever the reason. */
export const ResetPassword = defineMessage({
  service: 'auth',
  name: 'codes.resetPassword',
  access: 'public',
  request: ResetPasswordRequest,
})<SessionUser>();

const CONFIRMED_BY_CODE = ['verify', 'sign-in', 'email'] as const;

/** POST /api/confirm: a code, in the browser that asked for it. */
export class ConfirmCodeFields {
  @IsIn(CONFIRMED_BY_CODE)
  purpose!: (typeof CONFIRMED_BY_CODE)[number];

  @Matches(/^\d{6}$/, { message: 'Code must be 6 digits' })
  code!: string;
}

export class ConfirmCodeRequest extends ConfirmCodeFields {
  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

/** POST /api/confirm/link: the secret of a mailed link, in any browser. */
export class ConfirmLinkFields {
  @Matches(FLOW_SECRET, { message: 'The link is not complete' })
  token!: string;

  /** With a link that resets the password. */
  @IfGiven()
  @IsPassword()
  newPassword?: string;
}

/** What was confirmed, as the gateway learns it. */
export interface ConfirmedFlow {
  purpose: FlowPurpose;
  member: SessionUser | null;
  /** The browser that confirmed is to be signed in. */
  signsIn: boolean;
  /** The address is not changed yet: a code is on its way to the new one. */
  next: 'new-address' | null;
  /** The password and the sessions set before were ended: the address had not been verified. */
  passwordEnded: boolean;
}

/** And as the browser does. */
export interface Confirmation extends Pick<ConfirmedFlow, 'purpose' | 'next' | 'passwordEnded'> {
  /** Null when the browser is not signed in to the account. */
  user: User | null;
}

/** CODE_INVALID whatever the reason. */
export const ConfirmCode = defineMessage({
  service: 'auth',
  name: 'codes.confirm',
  access: 'public',
  request: ConfirmCodeRequest,
})<ConfirmedFlow>();

/** CODE_INVALID, and PASSWORD_TOO_SHORT where a password is chosen. */
export const ConfirmLink = defineMessage({
  service: 'auth',
  name: 'codes.confirmLink',
  access: 'public',
  request: ConfirmLinkFields,
})<ConfirmedFlow>();

/** GET /api/confirm. */
export class FlowQuery {
  @IsIn(FLOW_PURPOSES)
  purpose!: FlowPurpose;
}

export class GetFlowRequest extends FlowQuery {
  @Matches(FLOW_SECRET)
  browser!: string;
}

/** How the browser's newest flow stands. `none` as well when it never asked, or what it asked for is over. */
export interface FlowState {
  status: 'open' | 'confirmed' | 'none';
}

export const GetFlow = defineMessage({
  service: 'auth',
  name: 'codes.getFlow',
  access: 'public',
  request: GetFlowRequest,
})<FlowState>();

export class ResendEmailCodeRequest extends Asked {}

/** A new code for the address change that the caller has begun, to the address whose turn it is. CODE_INVALID when there is none. */
export const ResendEmailCode = defineMessage({
  service: 'auth',
  name: 'codes.resendEmailCode',
  access: 'member',
  request: ResendEmailCodeRequest,
})<void>();

/** Leaves the address as it is. */
export const CancelEmailChange = defineMessage({
  service: 'auth',
  name: 'codes.cancelEmailChange',
  access: 'member',
  request: Nothing,
})<SessionUser>();

/** POST /api/revert-email. */
export class RevertEmailRequest {
  @Matches(FLOW_SECRET, { message: 'The link is not complete' })
  token!: string;
}

export interface RevertedEmail {
  /** The address that the account has again. */
  email: string;
  /** Chooses its new password, as the token of a link that resets it. */
  resetToken: string;
}

/** CODE_INVALID whatever the reason. Ends every session and the password. */
export const RevertEmail = defineMessage({
  service: 'auth',
  name: 'codes.revertEmail',
  access: 'public',
  request: RevertEmailRequest,
})<RevertedEmail>();
