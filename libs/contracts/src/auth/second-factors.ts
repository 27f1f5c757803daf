import { Type } from 'class-transformer';
import { IsObject, IsUrl, MaxLength, ValidateNested } from 'class-validator';
import { IsCode } from './codes.js';
import { LIMITS } from '../limits.js';
import { messagesTo, Nothing } from '../message.js';
import { type PlaceOutcome, WantedPlace } from '../events/registrations.js';
import { type SessionUser, type User, UserIdRequest } from './users.js';
import { About, IfGiven, IsFilled, IsId, IsPassword, SingleLine, withObjects } from '../validation.js';

const auth = messagesTo('auth');

export type FactorKind = 'totp' | 'passkey';
export type SecondStepMethod = FactorKind | 'recovery';

export interface SecondFactor {
  id: string;
  kind: FactorKind;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface SecondFactors {
  factors: SecondFactor[];
  recoveryCodesLeft: number;
  required: boolean;
}

/** `recoveryCodes` is null unless this is the first factor. The codes are shown only once. */
export interface AddedFactor {
  factor: SecondFactor;
  recoveryCodes: string[] | null;
}

export class PasskeySite {
  @SingleLine(200)
  name!: string;

  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  origin!: string;
}

export class BeginPasskeyRequest extends withObjects(Nothing, { site: PasskeySite }) {}

class FactorName {
  @About('A name that helps you recognise the factor', 'Phone')
  @IsFilled('Name is required')
  @SingleLine(LIMITS.factorName)
  name!: string;
}

export class ConfirmTotpFields extends FactorName {
  @About('A current code of the app', '123456')
  @IsCode()
  code!: string;
}

export class ConfirmPasskeyFields extends FactorName {
  @About('The result of `navigator.credentials.create()` as JSON')
  @IsObject()
  response!: object;
}

export class ConfirmPasskeyRequest extends withObjects(ConfirmPasskeyFields, { site: PasskeySite }) {}

export class FactorIdRequest {
  @IsId()
  factorId!: string;
}

export const ListSecondFactors = auth.member('secondFactors.list', Nothing)<SecondFactors>();

/**
 * Returns a secret in base32. The secret becomes active when the caller sends a correct code (ConfirmTotp).
 * @throws SECOND_FACTOR_LIMIT
 */
export const BeginTotp = auth.member('secondFactors.beginTotp', Nothing, { fresh: 'sensitive' })<{
  secret: string;
}>();

/**
 * Adding the first factor ends all other sessions.
 * @throws SECOND_FACTOR_INVALID for a wrong or late code
 */
export const ConfirmTotp = auth.member('secondFactors.confirmTotp', ConfirmTotpFields, {
  fresh: 'sensitive',
})<AddedFactor & { session: SessionUser }>();

/** @throws SECOND_FACTOR_LIMIT */
export const BeginPasskey = auth.member('secondFactors.beginPasskey', BeginPasskeyRequest, {
  fresh: 'sensitive',
})<object>();

export const ConfirmPasskey = auth.member('secondFactors.confirmPasskey', ConfirmPasskeyRequest, {
  fresh: 'sensitive',
})<AddedFactor & { session: SessionUser }>();

/**
 * Removing the last factor also removes the recovery codes.
 * @throws SECOND_FACTOR_NOT_FOUND
 */
export const RemoveSecondFactor = auth.member('secondFactors.remove', FactorIdRequest, {
  fresh: 'sensitive',
})<SessionUser>();

/** @throws SECOND_FACTOR_NOT_FOUND if the caller has no factor */
export const RenewRecoveryCodes = auth.member('secondFactors.renewRecoveryCodes', Nothing, {
  fresh: 'sensitive',
})<{ recoveryCodes: string[] }>();

export const RemoveSecondFactorsOf = auth.admin('secondFactors.removeOf', UserIdRequest, {
  fresh: 'sensitive',
})<void>();

export interface PendingSignIn {
  token: string;
  methods: SecondStepMethod[];
}

export class BeginSecondStepRequest extends UserIdRequest {
  @IfGiven()
  @ValidateNested()
  @Type(() => WantedPlace)
  wanted?: WantedPlace;
}

/**
 * Returns null if the user has no second factor. The gateway has already verified the first step of the
 * sign-in.
 */
export const BeginSecondStep = auth.internal(
  'secondStep.begin',
  BeginSecondStepRequest,
)<PendingSignIn | null>();

class PendingRequest {
  @MaxLength(100)
  token!: string;
}

export class PasskeyOptionsRequest extends withObjects(PendingRequest, { site: PasskeySite }) {}

/** @throws SECOND_FACTOR_EXPIRED */
export const SecondStepPasskeyOptions = auth.public(
  'secondStep.passkeyOptions',
  PasskeyOptionsRequest,
)<object>();

/** Clients must send exactly one field. */
export class SecondStepFields {
  @About('A current code of the authenticator app', '123456')
  @IfGiven()
  @IsCode()
  code?: string;

  @About('A recovery code. Ignores case, spaces and hyphens')
  @IfGiven()
  @SingleLine(40)
  recoveryCode?: string;

  @About('The result of `navigator.credentials.get()` as JSON')
  @IfGiven()
  @IsObject()
  passkey?: object;
}

export class CompleteSecondStepRequest extends withObjects(SecondStepFields, { site: PasskeySite }) {
  @MaxLength(100)
  token!: string;
}

export interface CompletedSignIn extends SessionUser {
  wanted?: WantedPlace;
}

export interface SignedIn extends User {
  rsvp?: PlaceOutcome;
}

/**
 * @throws SECOND_FACTOR_INCORRECT
 * @throws SECOND_FACTOR_EXPIRED after ten minutes or five attempts
 */
export const CompleteSecondStep = auth.public(
  'secondStep.complete',
  CompleteSecondStepRequest,
)<CompletedSignIn>();

/** Clients must send exactly one field. */
export class ReauthenticateRequest {
  @About('Your password')
  @IfGiven()
  @IsPassword()
  password?: string;

  @About('A current code of the authenticator app')
  @IfGiven()
  @IsCode()
  code?: string;
}

/**
 * Confirms the caller's identity again. Sensitive actions require this if the sign-in is over ten minutes
 * old.
 * @throws CURRENT_PASSWORD_INCORRECT
 * @throws SECOND_FACTOR_INVALID
 */
export const Reauthenticate = auth.member('secondStep.reauthenticate', ReauthenticateRequest)<void>();

export interface OwnSession {
  id: string;
  current: boolean;
  device: string | null;
  /**
   * Network that the user signed in from: the first 24 bits of an IPv4 address, or the first 48 bits of an
   * IPv6 address.
   */
  network: string | null;
  createdAt: string;
  /** Rounded to the hour. */
  lastUsedAt: string;
}
