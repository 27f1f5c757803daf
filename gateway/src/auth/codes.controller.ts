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

  @Describe({
    summary: 'Email a password reset code',
    description:
      'The response is the same whether or not the address has an account. Keep the cookie that this response sets: `POST /api/reset-password` accepts the code from the same client only. The link in the email works in any browser, through `POST /api/confirm/link`.',
    answers: { 202: Notice },
  })
  @Post('forgot-password')
  @Access('public')
  async forgotPassword(
    @Fields(AddressFields) { email }: AddressFields,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.request(request, email);
    const asker = this.flows.begin(request, 'reset', email);
    await this.services.call(RequestCode, { email, purpose: 'reset', asker });
    return { message: 'If an account with this email address exists, a reset code is on its way' };
  }

  @Describe({
    summary: 'Email a sign-in code',
    description:
      'The response is the same whether or not the address has an account. Keep the cookie that this response sets, and send the code to `POST /api/confirm` with `purpose` `sign-in`.',
    answers: { 202: Notice },
  })
  @Post('sign-in-code')
  @Access('public')
  async signInCode(
    @Fields(AddressFields) { email }: AddressFields,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.request(request, email);
    const asker = this.flows.begin(request, 'sign-in', email);
    await this.services.call(RequestCode, { email, purpose: 'sign-in', asker });
    return { message: 'If an account with this email address exists, a code is on its way' };
  }

  @Describe({
    summary: 'Email a code that verifies your address',
    description: 'Send the code to `POST /api/confirm` with `purpose` `verify`, from the same client.',
    answers: { 202: Notice },
    refuses: ['EMAIL_VERIFIED'],
  })
  @Post('user/verification')
  @Access('member')
  async verification(@Caller() { email }: User, @Req() request: FastifyRequest): Promise<Notice> {
    await this.limits.request(request, email);
    await this.services.call(RequestVerification, { asker: this.flows.begin(request, 'verify', email) });
    return { message: 'A code is on its way to your email address' };
  }

  @Describe({
    summary: 'Resend the code for your email change',
    description:
      'Emails a new code to the address that has to confirm next: the current one or the new one. 400 `CODE_INVALID` if no change is pending.',
    answers: { 202: Notice },
    refuses: ['CODE_INVALID'],
  })
  @Post('user/pending-email/code')
  @Access('member')
  async resendEmailCode(@Caller() { email }: User, @Req() request: FastifyRequest): Promise<Notice> {
    await this.limits.request(request, email);
    await this.services.call(ResendEmailCode, { asker: this.flows.begin(request, 'email', email) });
    return { message: 'A new code is on its way' };
  }

  @Describe({
    summary: 'Cancel your pending email change',
    description: 'Your current address stays. Does nothing if no change is pending.',
    answers: { 200: User },
  })
  @Delete('user/pending-email')
  @Access('member')
  async cancelEmailChange(@Req() request: FastifyRequest): Promise<User> {
    const { user } = await this.services.call(CancelEmailChange, {});
    this.flows.end(request, 'email');
    return user;
  }

  @Describe({
    summary: 'Get the state of a code',
    description:
      '`open`: the code can still be used. `confirmed`: it was used. `none`: this client requested no such code, or the code has expired.',
    answers: { 200: FlowState },
  })
  @Get('confirm')
  @Access('public')
  async flow(
    @Filter(FlowQuery) { purpose, flow }: FlowQuery,
    @Req() request: FastifyRequest,
  ): Promise<FlowState> {
    const browser = this.flows.getSecret(request, purpose);
    return browser === null ? { status: 'none' } : this.services.read(GetFlow, { browser, purpose, flow });
  }

  @Describe({
    summary: 'Confirm an emailed code',
    description:
      'Accepts the code only from the client that requested it, which its cookie shows. `purpose` `sign-in` sets the session cookie. Every failure is 400 `CODE_INVALID`: wrong, expired, already used, or another client. A code has five tries and expires after ten minutes. A new code ends the previous one of the same client.',
    answers: { 200: Confirmation },
    refuses: ['CODE_INVALID', 'ACCOUNT_CLOSED'],
  })
  @Post('confirm')
  @Access('public')
  async confirm(
    @Fields(ConfirmCodeFields) fields: ConfirmCodeFields,
    @Req() request: FastifyRequest,
  ): Promise<Confirmation> {
    await this.limits.attempt(request, fields.purpose);
    const asker = this.flows.present(request, fields.purpose);
    return this.confirmed(request, await this.services.call(ConfirmCode, { ...fields, asker }));
  }

  /** Opening a link must not confirm it, because email scanners open every link. */
  @Describe({
    summary: 'Confirm an emailed link',
    description:
      '`token` is the secret in the link. Works in any browser and once. Opening the link changes nothing: only this call does. A link that resets the password needs `newPassword`. A link that registers for an event may need the names: if they are missing, the response is 400 and the link stays valid.',
    answers: { 200: Confirmation },
    refuses: ['CODE_INVALID', 'PASSWORD_TOO_SHORT', 'SECOND_FACTOR_REQUIRED', 'ACCOUNT_CLOSED'],
  })
  @Post('confirm/link')
  @Access('public')
  async confirmLink(
    @Fields(ConfirmLinkFields) fields: ConfirmLinkFields,
    @Req() request: FastifyRequest,
  ): Promise<Confirmation> {
    await this.limits.attempt(request);
    // Only links that register someone need this.
    const asker = this.flows.agreeing(this.flows.present(request, 'rsvp'));
    return this.confirmed(request, await this.services.call(ConfirmLink, { ...fields, asker }));
  }

  @Describe({
    summary: 'Set a new password with a reset code',
    description:
      '`token` is the six-digit code from `POST /api/forgot-password`, sent from the same client. A code that an owner sent works from any client. Ends every other session of the account. Every failure of the code is 400 `RESET_CODE_INVALID`.',
    answers: { 200: Notice },
    refuses: ['RESET_CODE_INVALID', 'PASSWORD_TOO_SHORT'],
  })
  @Post('reset-password')
  @Access('public')
  async resetPassword(
    @Fields(ResetPasswordFields) fields: ResetPasswordFields,
    @Req() request: FastifyRequest,
  ): Promise<Notice> {
    await this.limits.attempt(request, 'reset');
    const asker = this.flows.present(request, 'reset');
    const member = await this.services.call(ResetPassword, { ...fields, asker });
    // A user who resets their own password stays signed in on this browser.
    if (request.caller?.id === member.user.id) await this.sessions.renew(request, member);
    return { message: 'Your password has been reset successfully' };
  }

  @Describe({
    summary: 'Undo an email change',
    description:
      '`token` is the secret in the link that the previous address received. The link works for 72 hours. Restores the previous address and ends the password and every session of the account. Set a new password with `resetToken`.',
    answers: { 200: RevertedEmail },
    refuses: ['CODE_INVALID'],
  })
  @Post('revert-email')
  @Access('public')
  async revertEmail(
    @Fields(RevertEmailRequest) fields: RevertEmailRequest,
    @Req() request: FastifyRequest,
  ): Promise<RevertedEmail> {
    await this.limits.attempt(request);
    return this.services.call(RevertEmail, fields);
  }

  /** Signs in only the browser that confirms, not the one that requested the code. */
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
      // The link can't be used again, so a failed registration must not prevent the sign-in.
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
