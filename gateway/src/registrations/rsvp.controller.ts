import {
  checkAnswers,
  ConfirmRsvp,
  ConfirmRsvpFields,
  DomainError,
  GetEvent,
  RequestRsvp,
  RsvpFields,
  type ErrorCode,
  type RegistrationState,
} from '@meetmark/contracts';
import { Body, Controller, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
import { checkedOfEvent, Fields, Id } from '../http/fields.js';
import { Describe } from '../openapi/describe.js';
import { CodeLimits } from '../rate-limits/sign-in-limits.js';
import { Services } from '../services.js';
import { FlowCookies, PendingSignIns } from '../sessions/browser-cookies.js';
import { Sessions } from '../sessions/sessions.js';
import { Installation } from '../site/installation.js';
import { ConfirmedRsvp, RequestedRsvp } from './registrations.dto.js';
import { WantedPlaces } from './wanted-places.js';

const REFUSED: Record<RegistrationState, ErrorCode | null> = {
  open: null,
  waitlist: 'EVENT_FULL',
  full: 'EVENT_FULL',
  scheduled: 'REGISTRATION_NOT_OPEN',
  closed: 'REGISTRATION_ENDED',
  started: 'REGISTRATION_CLOSED',
  ended: 'REGISTRATION_CLOSED',
  cancelled: 'EVENT_CANCELLED',
};

const TAKEN_OVER: RegistrationState[] = ['waitlist', 'full', 'scheduled', 'closed', 'started'];

@Controller('api')
export class RsvpController {
  constructor(
    private readonly services: Services,
    private readonly limits: CodeLimits,
    private readonly flows: FlowCookies,
    private readonly pending: PendingSignIns,
    private readonly sessions: Sessions,
    private readonly places: WantedPlaces,
    private readonly installation: Installation,
  ) {}

  @Describe({
    summary: 'Email a code that registers a visitor',
    description:
      "The response is the same whether or not the address has an account. Doesn't hold a place. Keep the cookie that this response sets, and send `flow` and the code to `POST /api/rsvp/confirm`. The names are used for a new account only. 409 `ALREADY_SIGNED_IN` with a session: use `POST /api/events/{id}/register`.",
    answers: { 202: RequestedRsvp },
    refuses: [
      'EVENT_NOT_FOUND',
      'NOT_SET_UP',
      'ALREADY_SIGNED_IN',
      'EVENT_FULL',
      'EVENT_CANCELLED',
      'REGISTRATION_CLOSED',
      'REGISTRATION_ENDED',
      'REGISTRATION_NOT_OPEN',
    ],
    body: RsvpFields,
  })
  @Post('events/:id/rsvp')
  @Access('public')
  async request(
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<RequestedRsvp> {
    await this.installation.requireOwner();
    const fields = await checkedOfEvent(this.services, eventId, RsvpFields, body);
    const { registrationState: state, content } = await this.services.read(GetEvent, { eventId });
    if (request.caller !== null) throw new DomainError('ALREADY_SIGNED_IN');
    const waits = state === 'waitlist' && fields.waitlist;
    // Doesn't check whether a guest registration exists, because an unverified visitor must not learn this.
    const takesOver = fields.takeOver && TAKEN_OVER.includes(state);
    const refusal = waits || takesOver ? null : REFUSED[state];
    if (refusal !== null) throw new DomainError(refusal);
    const { problems } = checkAnswers(content.questions, fields.answers, { complete: !fields.takeOver });
    if (Object.keys(problems).length > 0) throw new DomainError('VALIDATION_FAILED', { fields: problems });
    await this.limits.requestForAnyone(request, fields.email);
    const asker = this.flows.begin(request, 'rsvp', fields.email);
    return this.services.call(RequestRsvp, { ...fields, eventId, asker });
  }

  /** Starts the session last, so that the browser can send the same code again if anything fails before. */
  @Describe({
    summary: 'Register as a visitor with a code',
    description:
      'Creates an account without a password if the address has none, registers and signs in. If registration fails now, the response is still 200, with `registration` `null` and the reason in `refusal`. Safe to repeat while the code is valid. With a second factor, the registration is made after `POST /api/login/second-factor`.',
    answers: { 200: ConfirmedRsvp },
    refuses: ['CODE_INVALID', 'SECOND_FACTOR_REQUIRED', 'ACCOUNT_CLOSED'],
  })
  @Post('rsvp/confirm')
  @Access('public')
  async confirm(
    @Fields(ConfirmRsvpFields) fields: ConfirmRsvpFields,
    @Req() request: FastifyRequest,
  ): Promise<ConfirmedRsvp> {
    await this.limits.attempt(request, 'rsvp');
    const asker = this.flows.agreeing(this.flows.present(request, 'rsvp'));
    const confirmed = await this.services.call(ConfirmRsvp, { ...fields, asker });
    const { member, wanted, passwordEnded } = confirmed;
    if (member === null || wanted === undefined) throw new DomainError('CODE_INVALID');
    request.confirmed = 'rsvp';
    request.subjectEmail = member.user.email;
    await this.pending.requireSecondStep(request, member, wanted);
    const outcome = await this.places.register(member, wanted, { repeatable: true });
    await this.sessions.startAfterSecondStep(request, member);
    return { user: member.user, passwordEnded, ...outcome };
  }
}
