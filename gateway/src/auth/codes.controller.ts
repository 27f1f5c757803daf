import {
  AddressFields,
  CancelEmailChange,
  ConfirmCode,
  ConfirmCodeFields,
  ConfirmLink,
  ConfirmLinkFields,
  FlowQuery,
  GetFlow,
  RequestCode,
  RequestVerification,
  ResendEmailCode,
  ResetPassword,
  ResetPasswordFields,
  RevertEmail,
  RevertEmailRequest,
  type ConfirmedFlow,
  type PlaceOutcome,
} from '@meetmark/contracts';
import { Controller, Delete, Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
import { Fields, Filter } from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Notice } from '../openapi/answers.js';
import { Describe } from '../openapi/describe.js';
import { CodeLimits } from '../rate-limits/sign-in-limits.js';
import { WantedPlaces } from '../registrations/wanted-places.js';
import { Services } from '../services.js';
import { FlowCookies, PendingSignIns } from '../sessions/browser-cookies.js';
import { Sessions } from '../sessions/sessions.js';
import { User } from '../users/users.dto.js';
import { Confirmation, FlowState, RevertedEmail } from './auth.dto.js';

/** Mailed codes and links: their requests and their use. A code belongs to the browser that requested it, by its cookie. */
@Controller('api')
export class CodesController {
  constructor(
    private readonly services: Services,
    private readonly limits: CodeLimits,
    private readonly flows: FlowCookies,
    private readonly sessions: Sessions,
    private readonly pending: PendingSignIns,
    private readonly places: WantedPlaces,
  ) {}

  @Describe({ summary: 'Have a reset code mailed; answers alike for any address', answers: { 202: Notice } })
  @Post('forgot-password')
  @Access('public')
  async forgotPassword(
    @Fields(AddressFields) { email }: AddressFields,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.request(request.ip);
    const asker = this.flows.begin(request, 'reset', email);
    await this.services.call(RequestCode, { email, purpose: 'reset', asker });
    return { message: 'If there is an account with this address, a reset code is on its way' };
  }

  @Describe({
    summary: 'Have a code to sign in with mailed; answers alike for any address',
    answers: { 202: Notice },
  })
  @Post('sign-in-code')
  @Access('public')
  async signInCode(
    @Fields(AddressFields) { email }: AddressFields,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.request(request.ip);
    const asker = this.flows.begin(request, 'sign-in', email);
    await this.services.call(RequestCode, { email, purpose: 'sign-in', asker });
    return { message: 'If there is an account with this address, a code is on its way' };
  }

  @Describe({
    summary: "Have a code mailed that verifies the caller's address",
    answers: { 202: Notice },
    refuses: ['EMAIL_VERIFIED'],
  })
  @Post('user/verification')
  @Access('member')
  async verification(@Caller() { email }: User, @Req() request: FastifyRequest): Promise<Notice> {
    await this.limits.request(request.ip);
    await this.services.call(RequestVerification, { asker: this.flows.begin(request, 'verify', email) });
    return { message: 'A code is on its way to your address' };
  }

  @Describe({
    summary: "A new code for the caller's address change, to the address whose turn it is",
    answers: { 202: Notice },
    refuses: ['CODE_INVALID'],
  })
  @Post('user/pending-email/code')
  @Access('member')
  async resendEmailCode(@Caller() { email }: User, @Req() request: FastifyRequest): Promise<Notice> {
    await this.limits.request(request.ip);
    await this.services.call(ResendEmailCode, { asker: this.flows.begin(request, 'email', email) });
    return { message: 'A new code is on its way' };
  }

  @Describe({ summary: 'Leave the own address as it is', answers: { 200: User } })
  @Delete('user/pending-email')
  @Access('member')
  async cancelEmailChange(@Req() request: FastifyRequest): Promise<User> {
    const { user } = await this.services.call(CancelEmailChange, {});
    this.flows.end(request, 'email');
    return user;
  }

  @Describe({ summary: 'How the code stands that this browser asked for last', answers: { 200: FlowState } })
  @Get('confirm')
  @Access('public')
  async flow(
    @Filter(FlowQuery) { purpose, flow }: FlowQuery,
    @Req() request: FastifyRequest,
  ): Promise<FlowState> {
    const browser = this.flows.secretOf(request, purpose);
    return browser === null ? { status: 'none' } : this.services.read(GetFlow, { browser, purpose, flow });
  }

  @Describe({
    summary: 'Use a code in the browser that asked for it; signs in where that is what it is for',
    answers: { 200: Confirmation },
    refuses: ['CODE_INVALID'],
  })
  @Post('confirm')
  @Access('public')
  async confirm(
    @Fields(ConfirmCodeFields) fields: ConfirmCodeFields,
    @Req() request: FastifyRequest,
  ): Promise<Confirmation> {
    await this.limits.attempt(request.ip);
    const asker = this.flows.present(request, fields.purpose);
    return this.confirmed(request, await this.services.call(ConfirmCode, { ...fields, asker }));
  }

  /** Only this call acts: scanners open every link of a mail, so the page behind it acts only when its button is pressed. */
  @Describe({
    summary: 'Act on a mailed link, in any browser',
    answers: { 200: Confirmation },
    refuses: ['CODE_INVALID', 'PASSWORD_TOO_SHORT', 'SECOND_FACTOR_REQUIRED'],
  })
  @Post('confirm/link')
  @Access('public')
  async confirmLink(
    @Fields(ConfirmLinkFields) fields: ConfirmLinkFields,
    @Req() request: FastifyRequest,
  ): Promise<Confirmation> {
    await this.limits.attempt(request.ip);
    const asker = this.flows.present(request, 'rsvp');
    return this.confirmed(request, await this.services.call(ConfirmLink, { ...fields, asker }));
  }

  @Describe({
    summary: 'Set a new password with a reset code; ends every other session',
    answers: { 200: Notice },
    refuses: ['RESET_CODE_INVALID', 'PASSWORD_TOO_SHORT'],
  })
  @Post('reset-password')
  @Access('public')
  async resetPassword(
    @Fields(ResetPasswordFields) fields: ResetPasswordFields,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.attempt(request.ip);
    const asker = this.flows.present(request, 'reset');
    const member = await this.services.call(ResetPassword, { ...fields, asker });
    // a signed-in user who resets their own password keeps this session
    if (request.caller?.id === member.user.id) await this.sessions.renew(request, member);
    return { message: 'Your password has been reset successfully' };
  }

  @Describe({
    summary: 'Take the old address back, by the link that it was mailed; ends every session and the password',
    answers: { 200: RevertedEmail },
    refuses: ['CODE_INVALID'],
  })
  @Post('revert-email')
  @Access('public')
  async revertEmail(
    @Fields(RevertEmailRequest) fields: RevertEmailRequest,
    @Req() request: FastifyRequest,
  ): Promise<RevertedEmail> {
    await this.limits.attempt(request.ip);
    return this.services.call(RevertEmail, fields);
  }

  /** The session begins in the browser that confirms, never in the one that requested the code. */
  private async confirmed(
    request: FastifyRequest,
    { purpose, member, signsIn, next, passwordEnded, wanted }: ConfirmedFlow,
  ): Promise<Confirmation> {
    request.confirmed = next === null ? purpose : null;
    request.subjectEmail = member?.user.email ?? null;
    const isCaller = member !== null && request.caller?.id === member.user.id;
    let outcome: PlaceOutcome | undefined;
    if (member !== null && signsIn) {
      await this.pending.requireSecondStep(request, member, wanted);
      // a link works once, so nothing after it may stand in the way of the session
      outcome = wanted && (await this.places.register(member, wanted, { repeatable: false }));
      await this.sessions.startAfterSecondStep(request, member);
    } else if (isCaller) {
      this.sessions.remember(request, member);
      if (request.session?.epoch !== member.epoch) await this.sessions.renew(request, member);
    }
    const shown = member !== null && (signsIn || isCaller) ? member.user : null;
    return { purpose, user: shown, next, passwordEnded, ...outcome };
  }
}
