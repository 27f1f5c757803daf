import {
  ChangeRegistration,
  checkPlaceShows,
  type Community,
  DomainError,
  GetEventActivity,
  ListAttendees,
  ListFaces,
  ListFacesRequest,
  ListRegistrations,
  ListWaitlist,
  MyEventsRequest,
  PageRequest,
  PromoteWaiting,
  Register,
  RegistrationFields,
  RemoveWaiting,
  RequestVerification,
  SummariseAnswers,
  Unregister,
  type User,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Body, Controller, Delete, Get, HttpCode, Logger, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventResponses } from '../cache/event-responses.js';
import { Attendee, Event, Registration } from '../events/events.dto.js';
import { Access, Limited } from '../http/access.js';
import { Caller } from '../http/request.js';
import { answerPage, checkedFields, checkedOfEvent, Filter, Id } from '../http/fields.js';
import { Describe, listOf, pageOf } from '../openapi/describe.js';
import { CodeLimits } from '../rate-limits/sign-in-limits.js';
import { Pseudonyms, wideNetwork } from '../networks.js';
import { Services } from '../services.js';
import { FlowCookies } from '../sessions/browser-cookies.js';
import {
  AnswerSummary,
  EventFaces,
  EventActivityDay,
  PromotionBody,
  RegisterBody,
  RegistrationAnswer,
  RegistrationWithMember,
  WaitingMember,
} from './registrations.dto.js';

const REGISTERED_NOW = [
  'Successfully registered for event',
  'You are already registered for this event',
] as const;
const WAITING_NOW = ['You are on the waiting list', 'You are already on the waiting list'] as const;

@Controller('api')
export class RegistrationsController {
  private readonly logger = new Logger(RegistrationsController.name);

  constructor(
    private readonly services: Services,
    private readonly responses: EventResponses,
    private readonly pseudonyms: Pseudonyms,
    private readonly limits: CodeLimits,
    private readonly flows: FlowCookies,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @Describe({
    summary: 'Register for an event, or with `waitlist` wait for a place when it is full; safe to repeat',
    answers: { 200: RegistrationAnswer, 201: RegistrationAnswer },
    refuses: [
      'EVENT_NOT_FOUND',
      'EVENT_FULL',
      'EMAIL_UNVERIFIED',
      'ADDRESS_NOT_VERIFIED',
      'EVENT_CANCELLED',
      'REGISTRATION_CLOSED',
      'REGISTRATION_ENDED',
      'REGISTRATION_NOT_OPEN',
    ],
    body: RegisterBody,
    bodyOptional: true,
  })
  @Post('events/:id/register')
  @Access('member')
  @Limited('registrations')
  async register(
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistrationAnswer> {
    const fields = await checkedOfEvent(this.services, eventId, RegisterBody, body);
    checkPlaceShows(fields, this.community);
    const from = `${eventId.toLowerCase()} ${wideNetwork(request.ip)}`;
    const network = this.pseudonyms.of('network of a place', from);
    const { created, ...answer } = await this.services.call(Register, { eventId, ...fields, network });
    if (created && answer.registration.lapsesAt !== undefined) await this.mailCode(request, eventId);
    void reply.status(created ? 201 : 200);
    const [first, again] = answer.waiting === undefined ? REGISTERED_NOW : WAITING_NOW;
    return { message: created ? first : again, ...answer };
  }

  /** The code that keeps the place. The place is taken, whatever becomes of it: the event's page offers another one. */
  private async mailCode(request: FastifyRequest, eventId: string): Promise<void> {
    try {
      await this.limits.request(request.ip);
      const asker = this.flows.begin(request, 'verify', request.caller!.email);
      await this.services.call(RequestVerification, { eventId, asker });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn({ msg: 'the code for a new place was not requested', code: error.code });
    }
  }

  @Describe({
    summary:
      'Choose what others learn of the caller: `public` says name and picture to visitors too, where the community lets people',
    answers: { 200: Registration },
    refuses: ['EVENT_NOT_FOUND', 'NOT_REGISTERED'],
    body: RegistrationFields,
  })
  @Put('events/:id/register')
  @Access('member')
  @Limited('registrations')
  async change(@Id() eventId: string, @Body() body: unknown): Promise<Registration> {
    const fields = await checkedOfEvent(this.services, eventId, RegistrationFields, body);
    checkPlaceShows(fields, this.community);
    return this.services.call(ChangeRegistration, { eventId, ...fields });
  }

  @Describe({
    summary:
      'Give up the own place, or leave the waiting list; done as well where there was none, or no such event',
    answers: { 204: null },
    refuses: ['REGISTRATION_CLOSED'],
  })
  @Delete('events/:id/register')
  @Access('member')
  @Limited('registrations')
  async unregister(@Id() eventId: string): Promise<void> {
    await this.services.call(Unregister, { eventId });
  }

  @Describe({
    summary: 'Events that the caller is registered for, and with `include=waiting` those where they wait',
    answers: { 200: pageOf(Event) },
    query: MyEventsRequest,
  })
  @Get('my-events')
  @Access('member')
  async myEvents(@Res() reply: FastifyReply): Promise<void> {
    const { caller, query } = reply.request;
    const answer = await this.responses.mine(caller!, query as object);
    await answer.send(reply, 'no-store');
  }

  @Describe({
    summary:
      'Who comes and wants to be shown; nobody any more 30 days after the end, or to who has not verified their address. The total counts everybody',
    answers: { 200: pageOf(Attendee) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/attendees')
  @Access('member')
  async attendees(
    @Id() eventId: string,
    @Caller() { emailVerifiedAt }: User,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Attendee[]> {
    const found = await this.services.read(ListAttendees, { eventId, ...page });
    const shown = emailVerifiedAt === null ? { ...found, items: [], nextCursor: null } : found;
    return answerPage(reply, page, shown);
  }

  @Describe({
    summary:
      'The first of those who come and want to be shown, of up to 60 events. Where nobody is shown, the event is left out',
    answers: { 200: listOf(EventFaces) },
    query: ListFacesRequest,
  })
  @Get('event-faces')
  @Access('member')
  async faces(
    @Caller() { emailVerifiedAt }: User,
    @Filter(ListFacesRequest) request: ListFacesRequest,
  ): Promise<EventFaces[]> {
    return emailVerifiedAt === null ? [] : this.services.read(ListFaces, request);
  }

  @Describe({
    summary: 'Every place at an event, taken or given up',
    answers: { 200: pageOf(RegistrationWithMember) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/registrations')
  @Access('manager')
  async registrations(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistrationWithMember[]> {
    return answerPage(reply, page, await this.services.read(ListRegistrations, { eventId, ...page }));
  }

  @Describe({
    summary:
      'Places taken on each of the last 14 days that nobody has given up since, oldest first, today last, in the community’s time zone',
    answers: { 200: listOf(EventActivityDay) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('admin/events/:id/activity')
  @Access('manager')
  activity(@Id() eventId: string): Promise<EventActivityDay[]> {
    return this.services.read(GetEventActivity, { eventId });
  }

  @Describe({
    summary: 'How often each question was answered, and with what',
    answers: { 200: listOf(AnswerSummary) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('admin/events/:id/answers')
  @Access('manager')
  answers(@Id() eventId: string): Promise<AnswerSummary[]> {
    return this.services.read(SummariseAnswers, { eventId });
  }

  @Describe({
    summary: 'Who waits for a place, first come first',
    answers: { 200: pageOf(WaitingMember) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/waitlist')
  @Access('manager')
  async waitlist(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WaitingMember[]> {
    return answerPage(reply, page, await this.services.read(ListWaitlist, { eventId, ...page }));
  }

  @Describe({
    summary: 'Give a free place to somebody who waits, out of turn, or with `raiseCapacity` a new one',
    answers: { 200: Registration },
    refuses: ['EVENT_NOT_FOUND', 'NOT_WAITING', 'EVENT_CANCELLED', 'REGISTRATION_CLOSED', 'EVENT_FULL'],
    body: PromotionBody,
    bodyOptional: true,
  })
  @Post('events/:id/waitlist/:userId/promote')
  @HttpCode(200)
  @Access('manager')
  async promote(
    @Id() eventId: string,
    @Id('userId') userId: string,
    @Body() body: unknown,
  ): Promise<Registration> {
    const fields = await checkedFields(PromotionBody, body);
    return this.services.call(PromoteWaiting, { eventId, userId, ...fields });
  }

  @Describe({
    summary: 'Take somebody off the waiting list; they are told',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND', 'NOT_WAITING'],
  })
  @Delete('events/:id/waitlist/:userId')
  @Access('manager')
  remove(@Id() eventId: string, @Id('userId') userId: string): Promise<void> {
    return this.services.call(RemoveWaiting, { eventId, userId });
  }
}
