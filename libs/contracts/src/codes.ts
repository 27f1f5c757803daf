import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import { LOCALES, type ProductLocale } from './locales.js';
import { defineMessage, Nothing } from './message.js';
import type { PlaceOutcome, WantedPlace } from './registrations.js';
import { type GivenAnswers, IsAnswers } from './questions.js';
import { PersonFields, SHOW_ME, type SessionUser, type ShowMe, type User } from './users.js';
import { IfGiven, IsEmailAddress, IsId, IsName, IsPassword } from './validation.js';

// Codes and links that are mailed: to verify an address, to sign in, to choose a new password, to change an address, to register for an
// event or to write to its host without signing in first.

/** What a browser asks a code for. It has a flow, and a cookie, for each. */
export const FLOW_PURPOSES = ['verify', 'sign-in', 'reset', 'email', 'rsvp'] as const;
export type FlowPurpose = (typeof FLOW_PURPOSES)[number];
/** A `contact` proves the address of somebody who writes to a host: it is for no account, and has no mailed link. */
export type AskedPurpose = FlowPurpose | 'contact';

/** 128 random bits, as in the cookie of a flow and in a link. */
export const FLOW_SECRET_BYTES = 16;
export const FLOW_SECRET = /^[\w-]{22}$/;
const DEVICE = /^[\w-]{16}$/;
const NETWORK_LENGTH = 100;
const CODE_DIGITS = /^\d{6}$/;
/** The digits of a mail or of an authenticator. */
export const IsCode = () =>
  Matches(CODE_DIGITS, { message: 'Code must be 6 digits', context: { rule: 'isCode' } });

/** Who asks, as the gateway sees them; no body says it. */
export class Asker {
  /** The secret of the browser's flow. */
  @Matches(FLOW_SECRET)
  browser!: string;

  /** The /24 or /48 that the request came from. */
  @IsString()
  @MaxLength(NETWORK_LENGTH)
  network!: string;

  /** The name of a browser that has signed in to the account with the address before; it is the same for every flow. */
  @IfGiven()
  @Matches(DEVICE)
  device?: string;

  /** The language that somebody chose for the browser's pages; left out: the community's. */
  @IfGiven()
  @IsIn(LOCALES)
  locale?: ProductLocale;
}

/** Fields of an Asker in `asker` that are left out for a service whose version does not know them. */
export const DISPENSABLE_OF_ASKER = ['asker.device'];

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
  dispensable: DISPENSABLE_OF_ASKER,
})<void>();

/** POST /api/events/{id}/rsvp. The names are those of a new account. */
export class RsvpFields extends PersonFields {
  @IfGiven()
  @IsBoolean()
  waitlist?: boolean;

  @IfGiven()
  @IsIn(SHOW_ME)
  showMe?: ShowMe;

  /** Asks for the place that an organiser added for the address, also once registration is over for all others. */
  @IfGiven()
  @IsBoolean()
  takeOver?: boolean;

  @IfGiven()
  @IsAnswers()
  answers?: GivenAnswers;
}

export class RequestRsvpRequest extends RsvpFields {
  @IsId()
  eventId!: string;

  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

export interface RequestedRsvp {
  /** Names the flow among those of its browser; useless without its cookie. */
  flow: string;
}

/** Answers and works alike whether or not the account exists. No place is held before the code comes back. */
export const RequestRsvp = defineMessage({
  service: 'auth',
  name: 'codes.requestRsvp',
  access: 'public',
  request: RequestRsvpRequest,
  dispensable: DISPENSABLE_OF_ASKER,
})<RequestedRsvp>();

/** POST /api/rsvp/confirm. */
export class ConfirmRsvpFields {
  @Matches(FLOW_SECRET, { message: 'The flow is not complete', context: { rule: 'isFlow' } })
  flow!: string;

  @IsCode()
  code!: string;
}

export class ConfirmRsvpRequest extends ConfirmRsvpFields {
  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

export class RequestVerificationRequest extends Asked {
  /** The event at which the caller has just taken a place that lapses: the mail says until when. */
  @IfGiven()
  @IsId()
  eventId?: string;
}

/** To the caller's own address. EMAIL_VERIFIED when there is nothing to verify. */
export const RequestVerification = defineMessage({
  service: 'auth',
  name: 'codes.requestVerification',
  access: 'member',
  request: RequestVerificationRequest,
  dispensable: [...DISPENSABLE_OF_ASKER, 'eventId'],
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

  @Matches(CODE_DIGITS, { message: 'Token must be 6 digits', context: { rule: 'isCode' } })
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

  @IsCode()
  code!: string;
}

export class ConfirmCodeRequest extends ConfirmCodeFields {
  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

/** POST /api/confirm/link: the secret of a mailed link, in any browser. */
export class ConfirmLinkFields {
  @Matches(FLOW_SECRET, { message: 'The link is not complete', context: { rule: 'isLink' } })
  token!: string;

  /** With a link that resets the password. */
  @IfGiven()
  @IsPassword()
  newPassword?: string;

  // With a link that registers for an event: what its reader chooses. Left out, what was typed when it was asked for counts in that browser
  // alone; in any other the account's own choices.

  /** The name of a new account; needed in another browser than the one that asked. */
  @IfGiven()
  @IsName('First name is required')
  firstName?: string;

  @IfGiven()
  @IsName('Last name is required')
  lastName?: string;

  @IfGiven()
  @IsIn(SHOW_ME)
  showMe?: ShowMe;

  @IfGiven()
  @IsBoolean()
  waitlist?: boolean;

  @IfGiven()
  @IsAnswers()
  answers?: GivenAnswers;
}

export class ConfirmLinkRequest extends ConfirmLinkFields {
  /** Left out by gateways of the version before: what was typed then counts everywhere. */
  @IfGiven()
  @ValidateNested()
  @Type(() => Asker)
  asker?: Asker;
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
  /** To be made in the member's name. */
  wanted?: WantedPlace;
}

/** And as the browser does; with the outcome where a registration was wanted. */
export interface Confirmation
  extends Pick<ConfirmedFlow, 'purpose' | 'next' | 'passwordEnded'>, Partial<PlaceOutcome> {
  /** Null when the browser is not signed in to the account. */
  user: User | null;
}

/** What POST /api/rsvp/confirm answers. */
export interface ConfirmedRsvp extends PlaceOutcome {
  user: User;
  passwordEnded: boolean;
}

/**
 * CODE_INVALID whatever the reason. Makes the account where there is none. Safe to repeat in the same browser for as long as the code
 * lives, until that browser is signed in to the account: an answer that was lost is given again.
 */
export const ConfirmRsvp = defineMessage({
  service: 'auth',
  name: 'codes.confirmRsvp',
  access: 'public',
  request: ConfirmRsvpRequest,
})<ConfirmedFlow>();

/** CODE_INVALID whatever the reason. */
export const ConfirmCode = defineMessage({
  service: 'auth',
  name: 'codes.confirm',
  access: 'public',
  request: ConfirmCodeRequest,
})<ConfirmedFlow>();

/** CODE_INVALID; PASSWORD_TOO_SHORT where a password is chosen; VALIDATION_FAILED where a new account has no names yet: the link stays. */
export const ConfirmLink = defineMessage({
  service: 'auth',
  name: 'codes.confirmLink',
  access: 'public',
  request: ConfirmLinkRequest,
  dispensable: ['asker'],
})<ConfirmedFlow>();

/** GET /api/confirm. */
export class FlowQuery {
  @IsIn(FLOW_PURPOSES)
  purpose!: FlowPurpose;

  /** One of the browser's; left out: its newest. */
  @IfGiven()
  @Matches(FLOW_SECRET, { message: 'The flow is not complete', context: { rule: 'isFlow' } })
  flow?: string;
}

export class GetFlowRequest extends FlowQuery {
  @Matches(FLOW_SECRET)
  browser!: string;
}

/** How the browser's flow stands. `none` as well when it never asked, or what it asked for is over. */
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
  dispensable: DISPENSABLE_OF_ASKER,
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
  @Matches(FLOW_SECRET, { message: 'The link is not complete', context: { rule: 'isLink' } })
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
