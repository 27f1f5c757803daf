import {
  BeginPasskey,
  BeginTotp,
  CompleteSecondStep,
  ConfirmPasskey,
  ConfirmPasskeyFields,
  ConfirmTotp,
  ConfirmTotpFields,
  ListSecondFactors,
  Reauthenticate,
  ReauthenticateRequest,
  RemoveSecondFactor,
  RemoveSecondFactorsOf,
  RenewRecoveryCodes,
  SecondStepFields,
  SecondStepPasskeyOptions,
  type Community,
  type PasskeySite,
  type SessionUser,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Controller, Delete, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { Access, FreshSignIn } from '../http/access.js';
import { Fields, Id } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Describe } from '../openapi/describe.js';
import { SignInLimits } from '../rate-limits/sign-in-limits.js';
import { WantedPlaces } from '../registrations/wanted-places.js';
import { Services } from '../services.js';
import { PendingSignIns } from '../sessions/browser-cookies.js';
import { Sessions } from '../sessions/sessions.js';
import { User } from '../users/users.dto.js';
import {
  AddedFactor,
  PasskeyOptions,
  RecoveryCodes,
  SecondFactors,
  SignedIn,
  TotpSetup,
} from './auth.dto.js';

/** The second step of a sign-in, its factors, and the new proof that dangerous actions need. */
@Controller('api')
export class SecondFactorsController {
  private readonly origin: string;

  constructor(
    private readonly services: Services,
    private readonly sessions: Sessions,
    private readonly pending: PendingSignIns,
    private readonly limits: SignInLimits,
    private readonly places: WantedPlaces,
    @InjectCommunity() private readonly community: Community,
    config: GatewayConfig,
  ) {
    this.origin = new URL(config.publicUrl).origin;
  }

  private get site(): PasskeySite {
    return { name: this.community.name, origin: this.origin };
  }

  @Describe({
    summary: 'The second step of a sign-in, after a 401 SECOND_FACTOR_REQUIRED',
    answers: { 200: SignedIn },
    refuses: ['SECOND_FACTOR_INCORRECT', 'SECOND_FACTOR_EXPIRED'],
  })
  @Post('login/second-factor')
  @Access('public')
  async complete(
    @Fields(SecondStepFields) fields: SecondStepFields,
    @Req() request: FastifyRequest,
  ): Promise<SignedIn> {
    const token = this.pending.tokenOf(request);
    const { wanted, ...member } = await this.services.call(CompleteSecondStep, {
      ...fields,
      token,
      site: this.site,
    });
    this.pending.forget(request);
    const rsvp = wanted && (await this.places.register(member, wanted, { repeatable: false }));
    await this.sessions.startAfterSecondStep(request, member);
    return { ...member.user, rsvp };
  }

  @Describe({
    summary: 'What the browser needs to ask for a passkey in the second step (WebAuthn request options)',
    answers: { 200: PasskeyOptions },
    refuses: ['SECOND_FACTOR_EXPIRED'],
  })
  @Post('login/second-factor/passkey')
  @Access('public')
  passkeyOptions(@Req() request: FastifyRequest): Promise<object> {
    const token = this.pending.tokenOf(request);
    return this.services.call(SecondStepPasskeyOptions, { token, site: this.site });
  }

  @Describe({
    summary: 'Prove who you are again, for the actions that ask for it within ten minutes',
    answers: { 204: null },
    refuses: ['CURRENT_PASSWORD_INCORRECT', 'SECOND_FACTOR_INVALID'],
  })
  @Post('user/confirm')
  @Access('member')
  async confirm(
    @Caller() caller: User,
    @Fields(ReauthenticateRequest) fields: ReauthenticateRequest,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.limits.ownPassword(caller.id);
    await this.services.call(Reauthenticate, fields);
    await this.sessions.confirm(request);
  }

  @Describe({
    summary: 'Whether the sign-in is fresh: 403 when a new proof is asked for first',
    answers: { 204: null },
  })
  @Get('user/confirm')
  @Access('member')
  @FreshSignIn()
  isFresh(): void {}

  @Describe({ summary: 'The own second factors', answers: { 200: SecondFactors } })
  @Get('user/second-factors')
  @Access('member')
  list(): Promise<SecondFactors> {
    return this.services.read(ListSecondFactors, {});
  }

  @Describe({
    summary: 'Begin to add an authenticator: its secret, and the address that its QR code holds',
    answers: { 200: TotpSetup },
    refuses: ['EMAIL_PROOF_REQUIRED'],
  })
  @Post('user/second-factors/totp')
  @Access('member')
  @FreshSignIn()
  async beginTotp(@Caller() caller: User): Promise<{ secret: string; uri: string }> {
    const { secret } = await this.services.call(BeginTotp, {});
    const issuer = encodeURIComponent(this.community.name);
    const label = `${issuer}:${encodeURIComponent(caller.email)}`;
    return { secret, uri: `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}` };
  }

  @Describe({
    summary: 'Add the authenticator by a code that it shows; the first factor ends every other session',
    answers: { 201: AddedFactor },
    refuses: ['EMAIL_PROOF_REQUIRED', 'SECOND_FACTOR_INVALID', 'SECOND_FACTOR_LIMIT'],
  })
  @Post('user/second-factors/totp/confirm')
  @Access('member')
  @FreshSignIn()
  async confirmTotp(
    @Caller() caller: User,
    @Fields(ConfirmTotpFields) fields: ConfirmTotpFields,
    @Req() request: FastifyRequest,
  ): Promise<AddedFactor> {
    await this.limits.ownPassword(caller.id);
    return this.added(request, await this.services.call(ConfirmTotp, fields));
  }

  @Describe({
    summary: 'Begin to add a passkey (WebAuthn creation options)',
    answers: { 200: PasskeyOptions },
    refuses: ['EMAIL_PROOF_REQUIRED'],
  })
  @Post('user/second-factors/passkey')
  @Access('member')
  @FreshSignIn()
  beginPasskey(): Promise<object> {
    return this.services.call(BeginPasskey, { site: this.site });
  }

  @Describe({
    summary: 'Add the passkey that the browser made; the first factor ends every other session',
    answers: { 201: AddedFactor },
    refuses: ['EMAIL_PROOF_REQUIRED', 'SECOND_FACTOR_INVALID', 'SECOND_FACTOR_LIMIT'],
  })
  @Post('user/second-factors/passkey/confirm')
  @Access('member')
  @FreshSignIn()
  async confirmPasskey(
    @Fields(ConfirmPasskeyFields) fields: ConfirmPasskeyFields,
    @Req() request: FastifyRequest,
  ): Promise<AddedFactor> {
    return this.added(request, await this.services.call(ConfirmPasskey, { ...fields, site: this.site }));
  }

  @Describe({
    summary: 'Remove an own second factor; the recovery codes go with the last one',
    answers: { 204: null },
    refuses: ['SECOND_FACTOR_NOT_FOUND'],
  })
  @Delete('user/second-factors/:id')
  @Access('member')
  @FreshSignIn()
  async remove(@Id() factorId: string): Promise<void> {
    await this.services.call(RemoveSecondFactor, { factorId });
  }

  @Describe({
    summary: 'New recovery codes in place of the old ones',
    answers: { 201: RecoveryCodes },
    refuses: ['SECOND_FACTOR_NOT_FOUND'],
  })
  @Post('user/recovery-codes')
  @Access('member')
  @FreshSignIn()
  renewRecoveryCodes(): Promise<{ recoveryCodes: string[] }> {
    return this.services.call(RenewRecoveryCodes, {});
  }

  @Describe({
    summary: 'Remove the second factors of a person who lost them; ends their sessions',
    answers: { 204: null },
    refuses: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'SECOND_FACTOR_NOT_FOUND'],
  })
  @Delete('admin/users/:id/second-factors')
  @Access('admin')
  @FreshSignIn()
  removeOf(@Id() userId: string): Promise<void> {
    return this.services.call(RemoveSecondFactorsOf, { userId });
  }

  /** The first factor ended every session, also this one: it continues under a new id. */
  private async added(
    request: FastifyRequest,
    { session, ...added }: AddedFactor & { session: SessionUser },
  ): Promise<AddedFactor> {
    if (added.recoveryCodes !== null) await this.sessions.renew(request, session);
    return added;
  }
}
