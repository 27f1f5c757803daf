import { Type } from 'class-transformer';
import { IsObject, IsUrl, MaxLength, ValidateNested } from 'class-validator';
import { IsCode } from './codes.js';
import { LIMITS } from './limits.js';
import { defineMessage, Nothing } from './message.js';
import { type PlaceOutcome, WantedPlace } from './registrations.js';
import { type SessionUser, type User, UserIdRequest } from './users.js';
import { IfGiven, IsFilled, IsId, IsPassword, SingleLine } from './validation.js';

export type FactorKind = 'totp' | 'passkey';
/** How the second step of a sign-in can be taken. */
export type SecondStepMethod = FactorKind | 'recovery';

export interface SecondFactor {
  id: string;
  kind: FactorKind;
  /** As its owner named it. */
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface SecondFactors {
  factors: SecondFactor[];
  recoveryCodesLeft: number;
  /** Whether the caller has an administrator's rights only with a factor. */
  required: boolean;
}

/** A new factor. The recovery codes come with the first one and are shown once. */
export interface AddedFactor {
  factor: SecondFactor;
  recoveryCodes: string[] | null;
}

/** The site that passkeys are bound to; the gateway knows it. */
export class PasskeySite {
  @SingleLine(200)
  name!: string;

  /** Scheme, host and port of the address that browsers use. */
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  origin!: string;
}

export class BeginPasskeyRequest {
  @ValidateNested()
  @Type(() => PasskeySite)
  site!: PasskeySite;
}

class FactorName {
  @IsFilled('Name is required')
  @SingleLine(LIMITS.factorName)
  name!: string;
}

export class ConfirmTotpFields extends FactorName {
  @IsCode()
  code!: string;
}

/** What the browser's authenticator answered, as WebAuthn's JSON; the service judges its content. */
export class ConfirmPasskeyFields extends FactorName {
  @IsObject()
  response!: object;
}

export class ConfirmPasskeyRequest extends ConfirmPasskeyFields {
  @ValidateNested()
  @Type(() => PasskeySite)
  site!: PasskeySite;
}

export class FactorIdRequest {
  @IsId()
  factorId!: string;
}

const member = { service: 'auth', access: 'member' } as const;

/** The caller's factors. */
export const ListSecondFactors = defineMessage({
  ...member,
  name: 'secondFactors.list',
  request: Nothing,
})<SecondFactors>();

/** A new secret for an authenticator, base32; it counts once a code of it was confirmed. SECOND_FACTOR_LIMIT. */
export const BeginTotp = defineMessage({
  ...member,
  fresh: true,
  name: 'secondFactors.beginTotp',
  request: Nothing,
})<{ secret: string }>();

/** SECOND_FACTOR_INVALID for a wrong code or one that comes too late. The first factor ends every other session. */
export const ConfirmTotp = defineMessage({
  ...member,
  fresh: true,
  name: 'secondFactors.confirmTotp',
  request: ConfirmTotpFields,
})<AddedFactor & { session: SessionUser }>();

/** WebAuthn's creation options, as JSON. SECOND_FACTOR_LIMIT. */
export const BeginPasskey = defineMessage({
  ...member,
  fresh: true,
  name: 'secondFactors.beginPasskey',
  request: BeginPasskeyRequest,
})<object>();

export const ConfirmPasskey = defineMessage({
  ...member,
  fresh: true,
  name: 'secondFactors.confirmPasskey',
  request: ConfirmPasskeyRequest,
})<AddedFactor & { session: SessionUser }>();

/** Removes one of the caller's factors; with the last one the recovery codes go too. SECOND_FACTOR_NOT_FOUND. */
export const RemoveSecondFactor = defineMessage({
  ...member,
  fresh: true,
  name: 'secondFactors.remove',
  request: FactorIdRequest,
})<SessionUser>();

/** Ten new recovery codes in place of the old ones. SECOND_FACTOR_NOT_FOUND without a factor. */
export const RenewRecoveryCodes = defineMessage({
  ...member,
  fresh: true,
  name: 'secondFactors.renewRecoveryCodes',
  request: Nothing,
})<{ recoveryCodes: string[] }>();

/** For a person who lost their factors: removes all of them and ends every session of the account. */
export const RemoveSecondFactorsOf = defineMessage({
  service: 'auth',
  access: 'admin',
  fresh: true,
  name: 'secondFactors.removeOf',
  request: UserIdRequest,
})<void>();

/** A sign-in whose first step was taken; `token` is the secret of the browser that took it. */
export interface PendingSignIn {
  token: string;
  methods: SecondStepMethod[];
}

export class BeginSecondStepRequest extends UserIdRequest {
  /** Kept until the second step is taken. */
  @IfGiven()
  @ValidateNested()
  @Type(() => WantedPlace)
  wanted?: WantedPlace;
}

/** Begins the second step for the user whose first step the gateway has just seen. Null when the account has no factor. */
export const BeginSecondStep = defineMessage({
  service: 'auth',
  access: 'internal',
  name: 'secondStep.begin',
  request: BeginSecondStepRequest,
})<PendingSignIn | null>();

class PendingRequest {
  @MaxLength(100)
  token!: string;
}

export class PasskeyOptionsRequest extends PendingRequest {
  @ValidateNested()
  @Type(() => PasskeySite)
  site!: PasskeySite;
}

/** WebAuthn's request options for a pending sign-in. SECOND_FACTOR_EXPIRED. */
export const SecondStepPasskeyOptions = defineMessage({
  service: 'auth',
  access: 'public',
  name: 'secondStep.passkeyOptions',
  request: PasskeyOptionsRequest,
})<object>();

/** What is given in the second step: exactly one of the three. */
export class SecondStepFields {
  /** A code of an authenticator. */
  @IfGiven()
  @IsCode()
  code?: string;

  /** Letter case, spaces and hyphens do not matter. */
  @IfGiven()
  @SingleLine(40)
  recoveryCode?: string;

  /** What the browser's authenticator answered, as WebAuthn's JSON. */
  @IfGiven()
  @IsObject()
  passkey?: object;
}

export class CompleteSecondStepRequest extends SecondStepFields {
  @MaxLength(100)
  token!: string;

  @ValidateNested()
  @Type(() => PasskeySite)
  site!: PasskeySite;
}

export interface CompletedSignIn extends SessionUser {
  /** To be made in the member's name: what the first step was taken for. */
  wanted?: WantedPlace;
}

/** What POST /api/login/second-factor answers. */
export interface SignedIn extends User {
  /** What became of a registration that was confirmed by the first step. */
  rsvp?: PlaceOutcome;
}

/** SECOND_FACTOR_INCORRECT; SECOND_FACTOR_EXPIRED once ten minutes or five tries are over. */
export const CompleteSecondStep = defineMessage({
  service: 'auth',
  access: 'public',
  name: 'secondStep.complete',
  request: CompleteSecondStepRequest,
})<CompletedSignIn>();

/** Proof that the person at the keyboard is the account's owner: exactly one of the two. */
export class ReauthenticateRequest {
  @IfGiven()
  @IsPassword()
  password?: string;

  /** A code of an authenticator. */
  @IfGiven()
  @IsCode()
  code?: string;
}

/** CURRENT_PASSWORD_INCORRECT, SECOND_FACTOR_INVALID; dangerous actions ask for it ten minutes after a sign-in. */
export const Reauthenticate = defineMessage({
  ...member,
  name: 'secondStep.reauthenticate',
  request: ReauthenticateRequest,
})<void>();

/** One browser that is signed in to the caller's account. */
export interface OwnSession {
  id: string;
  /** Whether it is the one that asks. */
  current: boolean;
  /** Such as 'Firefox on Windows'; null when the browser does not say. */
  device: string | null;
  /** The network that it signed in from: the /24 of an IPv4 address, the /48 of an IPv6 one. */
  network: string | null;
  createdAt: string;
  /** To the hour. */
  lastUsedAt: string;
}
