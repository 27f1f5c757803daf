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

/** What the event's state means for somebody who wants to register, as the service itself says it when they do. */
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

/** While a place that an organiser added can become that of an account. */
const TAKEN_OVER: RegistrationState[] = ['waitlist', 'full', 'scheduled', 'closed', 'started'];

/** Registering without signing in first: an address, a code from its mail, and the browser has an account, a session and a place. */
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
    summary:
      'Have a code mailed that registers for the event; answers alike for any address, and holds no place',
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
    // only somebody who proves the address learns whether there is a place to take over
    const takesOver = fields.takeOver && TAKEN_OVER.includes(state);
    const refusal = waits || takesOver ? null : REFUSED[state];
    if (refusal !== null) throw new DomainError(refusal);
    const { problems } = checkAnswers(content.questions, fields.answers, { complete: !fields.takeOver });
    if (Object.keys(problems).length > 0) throw new DomainError('VALIDATION_FAILED', { fields: problems });
    await this.limits.request(request.ip);
    const asker = this.flows.begin(request, 'rsvp', fields.email);
    return this.services.call(RequestRsvp, { ...fields, eventId, asker });
  }

  /** The session begins last: a browser that has none may ask again with the same code, for as long as that lives. */
  @Describe({
    summary:
      'Register with the code, in the browser that asked for it; signs in, to a new account where there was none',
    answers: { 200: ConfirmedRsvp },
    refuses: ['CODE_INVALID', 'SECOND_FACTOR_REQUIRED'],
  })
  @Post('rsvp/confirm')
  @Access('public')
  async confirm(
    @Fields(ConfirmRsvpFields) fields: ConfirmRsvpFields,
    @Req() request: FastifyRequest,
  ): Promise<ConfirmedRsvp> {
    await this.limits.attempt(request.ip);
    const asker = this.flows.present(request, 'rsvp');
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
