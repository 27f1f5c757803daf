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
import { Access, BeforeConsent, FreshSignIn } from '../http/access.js';
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
    summary: 'Complete a sign-in with a second factor',
    description:
      'Call it after a 401 `SECOND_FACTOR_REQUIRED`, with the cookie of that response. Send exactly one of `code`, `recoveryCode` and `passkey`. You have five tries within ten minutes, then 401 `SECOND_FACTOR_EXPIRED`: sign in again. If the first step confirmed a registration, `rsvp` has its result.',
    answers: { 200: SignedIn },
    refuses: ['SECOND_FACTOR_INCORRECT', 'SECOND_FACTOR_EXPIRED', 'ACCOUNT_CLOSED'],
  })
  @Post('login/second-factor')
  @Access('public')
  async complete(
    @Fields(SecondStepFields) fields: SecondStepFields,
    @Req() request: FastifyRequest,
  ): Promise<SignedIn> {
    const token = this.pending.getToken(request);
    const { wanted, ...member } = await this.services.call(CompleteSecondStep, {
      ...fields,
      token,
      site: this.site,
    });
    await this.pending.requireOpen(request, member);
    this.pending.forget(request);
    const rsvp = wanted && (await this.places.register(member, wanted, { repeatable: false }));
    await this.sessions.startAfterSecondStep(request, member);
    return { ...member.user, rsvp };
  }

  @Describe({
    summary: 'Get passkey options for a sign-in',
    description:
      'Returns WebAuthn request options for `navigator.credentials.get()`. Send its result as `passkey` to `POST /api/login/second-factor`.',
    answers: { 200: PasskeyOptions },
    refuses: ['SECOND_FACTOR_EXPIRED'],
  })
  @Post('login/second-factor/passkey')
  @Access('public')
  passkeyOptions(@Req() request: FastifyRequest): Promise<object> {
    const token = this.pending.getToken(request);
    return this.services.call(SecondStepPasskeyOptions, { token, site: this.site });
  }

  @Describe({
    summary: 'Confirm your identity',
    description:
      'Makes your sign-in fresh again after a 403 `FRESH_SIGN_IN_REQUIRED`. Send exactly one of `password` and `code`, a code of your authenticator app.',
    answers: { 204: null },
    refuses: ['CURRENT_PASSWORD_INCORRECT', 'SECOND_FACTOR_INVALID'],
  })
  @Post('user/confirm')
  @Access('member')
  @BeforeConsent()
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
    summary: 'Check whether your sign-in is fresh',
    description:
      '204 if it is fresh enough for user administration, 403 `FRESH_SIGN_IN_REQUIRED` if not. Changes nothing.',
    answers: { 204: null },
  })
  @Get('user/confirm')
  @Access('member')
  @BeforeConsent()
  @FreshSignIn('administration')
  isFresh(): void {}

  @Describe({ summary: 'List your second factors', answers: { 200: SecondFactors } })
  @Get('user/second-factors')
  @Access('member')
  list(): Promise<SecondFactors> {
    return this.services.read(ListSecondFactors, {});
  }

  @Describe({
    summary: 'Start adding an authenticator app',
    description:
      'Returns the secret and the `otpauth:` URI for a QR code. Confirm it with a code of the app within 15 minutes.',
    answers: { 200: TotpSetup },
    refuses: ['EMAIL_PROOF_REQUIRED'],
  })
  @Post('user/second-factors/totp')
  @Access('member')
  @FreshSignIn('sensitive')
  async beginTotp(@Caller() caller: User): Promise<{ secret: string; uri: string }> {
    const { secret } = await this.services.call(BeginTotp, {});
    const issuer = encodeURIComponent(this.community.name);
    const label = `${issuer}:${encodeURIComponent(caller.email)}`;
    return { secret, uri: `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}` };
  }

  @Describe({
    summary: 'Add an authenticator app',
    description:
      '`code` is a current code of the app. The first second factor ends every other session and returns the recovery codes, which are shown only once. 400 `SECOND_FACTOR_INVALID` for a wrong code and after the 15 minutes.',
    answers: { 201: AddedFactor },
    refuses: ['EMAIL_PROOF_REQUIRED', 'SECOND_FACTOR_INVALID', 'SECOND_FACTOR_LIMIT'],
  })
  @Post('user/second-factors/totp/confirm')
  @Access('member')
  @FreshSignIn('sensitive')
  async confirmTotp(
    @Caller() caller: User,
    @Fields(ConfirmTotpFields) fields: ConfirmTotpFields,
    @Req() request: FastifyRequest,
  ): Promise<AddedFactor> {
    await this.limits.ownPassword(caller.id);
    return this.added(request, await this.services.call(ConfirmTotp, fields));
  }

  @Describe({
    summary: 'Start adding a passkey',
    description:
      'Returns WebAuthn creation options for `navigator.credentials.create()`. Confirm its result within 15 minutes.',
    answers: { 200: PasskeyOptions },
    refuses: ['EMAIL_PROOF_REQUIRED'],
  })
  @Post('user/second-factors/passkey')
  @Access('member')
  @FreshSignIn('sensitive')
  beginPasskey(): Promise<object> {
    return this.services.call(BeginPasskey, { site: this.site });
  }

  @Describe({
    summary: 'Add a passkey',
    description:
      '`response` is the result of `navigator.credentials.create()` as JSON. The first second factor ends every other session and returns the recovery codes, which are shown only once.',
    answers: { 201: AddedFactor },
    refuses: ['EMAIL_PROOF_REQUIRED', 'SECOND_FACTOR_INVALID', 'SECOND_FACTOR_LIMIT'],
  })
  @Post('user/second-factors/passkey/confirm')
  @Access('member')
  @FreshSignIn('sensitive')
  async confirmPasskey(
    @Fields(ConfirmPasskeyFields) fields: ConfirmPasskeyFields,
    @Req() request: FastifyRequest,
  ): Promise<AddedFactor> {
    return this.added(request, await this.services.call(ConfirmPasskey, { ...fields, site: this.site }));
  }

  @Describe({
    summary: 'Remove one of your second factors',
    description: 'Removing the last one also removes your recovery codes.',
    answers: { 204: null },
    refuses: ['SECOND_FACTOR_NOT_FOUND'],
  })
  @Delete('user/second-factors/:id')
  @Access('member')
  @FreshSignIn('sensitive')
  async remove(@Id() factorId: string): Promise<void> {
    await this.services.call(RemoveSecondFactor, { factorId });
  }

  @Describe({
    summary: 'Replace your recovery codes',
    description:
      'Returns ten new codes, which are shown only once. The previous codes stop working. 404 `SECOND_FACTOR_NOT_FOUND` if you have no second factor.',
    answers: { 201: RecoveryCodes },
    refuses: ['SECOND_FACTOR_NOT_FOUND'],
  })
  @Post('user/recovery-codes')
  @Access('member')
  @FreshSignIn('sensitive')
  renewRecoveryCodes(): Promise<{ recoveryCodes: string[] }> {
    return this.services.call(RenewRecoveryCodes, {});
  }

  @Describe({
    summary: "Remove a user's second factors",
    description:
      'For a user who lost their second factors. Removes all factors, ends every session of the user and emails them.',
    answers: { 204: null },
    refuses: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'SECOND_FACTOR_NOT_FOUND'],
  })
  @Delete('admin/users/:id/second-factors')
  @Access('admin')
  @FreshSignIn('sensitive')
  removeOf(@Id() userId: string): Promise<void> {
    return this.services.call(RemoveSecondFactorsOf, { userId });
  }

  /** Adding the first factor ends all other sessions. The current session continues under a new id. */
  private async added(
    request: FastifyRequest,
    { session, ...added }: AddedFactor & { session: SessionUser },
  ): Promise<AddedFactor> {
    if (added.recoveryCodes !== null) await this.sessions.renew(request, session);
    return added;
  }
}
