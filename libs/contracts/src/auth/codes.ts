import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import { LOCALES, type ProductLocale } from '@meetmark/i18n/locales';
import { messagesTo, Nothing } from '../message.js';
import type { PlaceOutcome, WantedPlace } from '../events/registrations.js';
import { type GivenAnswers, IsAnswers } from '../events/questions.js';
import { LegalVersionFields } from './consents.js';
import { PersonFields, SHOW_ME, type SessionUser, type ShowMe, type User } from './users.js';
import { About, IfGiven, IsEmailAddress, IsName, IsPassword, withIds, withObjects } from '../validation.js';

const auth = messagesTo('auth');

export const FLOW_PURPOSES = ['verify', 'sign-in', 'reset', 'email', 'rsvp'] as const;
export type FlowPurpose = (typeof FLOW_PURPOSES)[number];
/**
 * `contact` verifies the email address of a visitor who writes to a host. This purpose needs no account, and
 * its email has no link.
 */
export type AskedPurpose = FlowPurpose | 'contact';

/** 128 bits. */
export const FLOW_SECRET_BYTES = 16;
export const FLOW_SECRET = /^[\w-]{22}$/;
const DEVICE = /^[\w-]{16}$/;
const NETWORK_LENGTH = 100;
const CODE_DIGITS = /^\d{6}$/;
export const IsCode = () =>
  Matches(CODE_DIGITS, { message: 'Code must be 6 digits', context: { rule: 'isCode' } });

/** The client, as identified by the gateway. Never taken from a request body. */
export class Asker {
  /** Secret from the browser's cookie. Each purpose has its own cookie. */
  @Matches(FLOW_SECRET)
  browser!: string;

  @IsString()
  @MaxLength(NETWORK_LENGTH)
  network!: string;

  /** Identifies a browser that has signed in to the account before. The id is the same for every purpose. */
  @IfGiven()
  @Matches(DEVICE)
  device?: string;

  @IfGiven()
  @IsIn(LOCALES)
  locale?: ProductLocale;

  /** Legal pages that a new account accepts. */
  @IfGiven()
  @ValidateNested()
  @Type(() => LegalVersionFields)
  legal?: LegalVersionFields;
}

export class AddressFields {
  @About('Where the code is sent', 'ada@example.org')
  @IsEmailAddress()
  email!: string;
}

export class RequestCodeRequest extends withObjects(AddressFields, { asker: Asker }) {
  @IsIn(['sign-in', 'reset'])
  purpose!: 'sign-in' | 'reset';
}

/** The response is the same whether or not the account exists. */
export const RequestCode = auth.public('codes.request', RequestCodeRequest)<void>();

export class RsvpFields extends PersonFields {
  @About('Join the waiting list if the event is full. Default: false')
  @IfGiven()
  @IsBoolean()
  waitlist?: boolean;

  @About('What other attendees see. Default: the setting of the account')
  @IfGiven()
  @IsIn(SHOW_ME)
  showMe?: ShowMe;

  @About(
    'Take over the registration that an organiser added for this email address, even if registration has closed',
  )
  @IfGiven()
  @IsBoolean()
  takeOver?: boolean;

  @About('Answers to the questions of the event, by the ID of the question')
  @IfGiven()
  @IsAnswers()
  answers?: GivenAnswers;
}

export class RequestRsvpRequest extends withObjects(withIds(RsvpFields, 'eventId'), { asker: Asker }) {}

export interface RequestedRsvp {
  /** Secret that identifies the flow. Works only together with the browser's cookie. */
  flow: string;
}

/**
 * The response is the same whether or not the account exists. No place is reserved until the code is
 * confirmed.
 */
export const RequestRsvp = auth.public('codes.requestRsvp', RequestRsvpRequest)<RequestedRsvp>();

export class ConfirmRsvpFields {
  @About('`flow` of the response to the request for the code')
  @Matches(FLOW_SECRET, { message: 'The flow is incomplete', context: { rule: 'isFlow' } })
  flow!: string;

  @About('The six digits in the email', '123456')
  @IsCode()
  code!: string;
}

export class ConfirmRsvpRequest extends withObjects(ConfirmRsvpFields, { asker: Asker }) {}

export class RequestVerificationRequest extends withObjects(Nothing, { asker: Asker }) {}

/** @throws EMAIL_VERIFIED */
export const RequestVerification = auth.member(
  'codes.requestVerification',
  RequestVerificationRequest,
)<void>();

/** Encryption context that binds a code to its row. Auth encrypts the code, and the worker decrypts it. */
export const codeSeal = (flowId: string) => `code-flow:${flowId}`;
export const revertSeal = (revertId: string) => `email-revert:${revertId}`;

export interface SealedCode {
  code: string | null;
  link: string;
}

export class ResetPasswordFields {
  @About('Email address of the account', 'ada@example.org')
  @IsEmailAddress()
  email!: string;

  // The specification's name for the code.
  @About('The six digits in the email', '123456')
  @Matches(CODE_DIGITS, { message: 'Token must be 6 digits', context: { rule: 'isCode' } })
  token!: string;

  @About('At least 6 characters, otherwise `PASSWORD_TOO_SHORT`')
  @IsPassword()
  newPassword!: string;
}

export class ResetPasswordRequest extends withObjects(ResetPasswordFields, { asker: Asker }) {}

/**
 * Ends all sessions of the account. The gateway starts a new one if the caller was signed in to the account.
 * @throws RESET_CODE_INVALID whatever the reason
 */
export const ResetPassword = auth.public('codes.resetPassword', ResetPasswordRequest)<SessionUser>();

const CONFIRMED_BY_CODE = ['verify', 'sign-in', 'email'] as const;

export class ConfirmCodeFields {
  @About('What the code was requested for', 'sign-in')
  @IsIn(CONFIRMED_BY_CODE)
  purpose!: (typeof CONFIRMED_BY_CODE)[number];

  @About('The six digits in the email', '123456')
  @IsCode()
  code!: string;
}

export class ConfirmCodeRequest extends withObjects(ConfirmCodeFields, { asker: Asker }) {}

export class ConfirmLinkFields {
  @About('The secret in the link')
  @Matches(FLOW_SECRET, { message: 'The link is incomplete', context: { rule: 'isLink' } })
  token!: string;

  @About('Required for a link that resets the password')
  @IfGiven()
  @IsPassword()
  newPassword?: string;

  // The fields below are optional. In the browser that requested the link, they default to the values of its
  // form. In other browsers, they default to the account's values.

  @About('First name of a new account. Required in another browser than the one that requested the link')
  @IfGiven()
  @IsName('First name is required')
  firstName?: string;

  @About('Last name of a new account. Required in another browser than the one that requested the link')
  @IfGiven()
  @IsName('Last name is required')
  lastName?: string;

  @About('For a link that registers: what other attendees see')
  @IfGiven()
  @IsIn(SHOW_ME)
  showMe?: ShowMe;

  @About('For a link that registers: join the waiting list if the event is full')
  @IfGiven()
  @IsBoolean()
  waitlist?: boolean;

  @About('For a link that registers: answers by the ID of the question')
  @IfGiven()
  @IsAnswers()
  answers?: GivenAnswers;
}

export class ConfirmLinkRequest extends ConfirmLinkFields {
  /**
   * Gateways of the previous version omit this field. Then the defaults always come from the form of the
   * requesting browser.
   */
  @IfGiven()
  @ValidateNested()
  @Type(() => Asker)
  asker?: Asker;
}

export interface ConfirmedFlow {
  purpose: FlowPurpose;
  member: SessionUser | null;
  signsIn: boolean;
  /** `new-address`: a second code was sent to the new email address, which isn't active yet. */
  next: 'new-address' | null;
  /**
   * True if the account's previous password and sessions ended, because its address was verified for the
   * first time.
   */
  passwordEnded: boolean;
  wanted?: WantedPlace;
}

export interface Confirmation
  extends Pick<ConfirmedFlow, 'purpose' | 'next' | 'passwordEnded'>, Partial<PlaceOutcome> {
  user: User | null;
}

export interface ConfirmedRsvp extends PlaceOutcome {
  user: User;
  passwordEnded: boolean;
}

/**
 * Creates the account if it doesn't exist. The browser can repeat the request until it signs in or the code
 * expires.
 * @throws CODE_INVALID whatever the reason
 */
export const ConfirmRsvp = auth.public('codes.confirmRsvp', ConfirmRsvpRequest)<ConfirmedFlow>();

/**
 * Works only in the browser that requested the code.
 * @throws CODE_INVALID whatever the reason
 */
export const ConfirmCode = auth.public('codes.confirm', ConfirmCodeRequest)<ConfirmedFlow>();

/**
 * @throws CODE_INVALID whatever the reason
 * @throws PASSWORD_TOO_SHORT
 * @throws VALIDATION_FAILED if a new account lacks names; the link stays valid
 */
export const ConfirmLink = auth.public('codes.confirmLink', ConfirmLinkRequest)<ConfirmedFlow>();

export class FlowQuery {
  @About('What the code was requested for')
  @IsIn(FLOW_PURPOSES)
  purpose!: FlowPurpose;

  @About('For several `rsvp` codes at the same time: which one. Default: the newest')
  @IfGiven()
  @Matches(FLOW_SECRET, { message: 'The flow is incomplete', context: { rule: 'isFlow' } })
  flow?: string;
}

export class GetFlowRequest extends FlowQuery {
  @Matches(FLOW_SECRET)
  browser!: string;
}

export interface FlowState {
  status: 'open' | 'confirmed' | 'none';
}

export const GetFlow = auth.public('codes.getFlow', GetFlowRequest)<FlowState>();

export class ResendEmailCodeRequest extends withObjects(Nothing, { asker: Asker }) {}

/** @throws CODE_INVALID if no email change is pending */
export const ResendEmailCode = auth.member('codes.resendEmailCode', ResendEmailCodeRequest)<void>();

export const CancelEmailChange = auth.member('codes.cancelEmailChange', Nothing)<SessionUser>();

export class RevertEmailRequest {
  @About('The secret in the link')
  @Matches(FLOW_SECRET, { message: 'The link is incomplete', context: { rule: 'isLink' } })
  token!: string;
}

export interface RevertedEmail {
  email: string;
  resetToken: string;
}

/**
 * Ends all sessions and removes the password.
 * @throws CODE_INVALID whatever the reason
 */
export const RevertEmail = auth.public('codes.revertEmail', RevertEmailRequest)<RevertedEmail>();
