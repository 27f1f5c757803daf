import {
  ChangeRegistration,
  checkPlaceShows,
  type Community,
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
  SummariseAnswers,
  Unregister,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventResponses } from '../cache/event-responses.js';
import { Attendee, Event, Registration } from '../events/events.dto.js';
import { Access, Heavy, Limited } from '../http/access.js';
import { answerPage, checkedFields, checkedOfEvent, Filter, Id } from '../http/fields.js';
import { Describe, describeList, describePage } from '../openapi/describe.js';
import { Pseudonyms, wideNetwork } from '../networks.js';
import { Services } from '../services.js';
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
  constructor(
    private readonly services: Services,
    private readonly responses: EventResponses,
    private readonly pseudonyms: Pseudonyms,
    @InjectCommunity() private readonly community: Community,
  ) {}

  @Describe({
    summary: 'Register for an event',
    description:
      '201 if this call registered you or put you on the waiting list; 200 if you already were. Idempotent. At a full event, `waitlist: true` puts you on the waiting list; otherwise the response is 409 `EVENT_FULL`. A required answer that is missing is a 400 that names `answers.<id>`.',
    answers: { 200: RegistrationAnswer, 201: RegistrationAnswer },
    refuses: [
      'EVENT_NOT_FOUND',
      'EVENT_FULL',
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
    const network = this.getNetwork(eventId, request);
    const { created, ...answer } = await this.services.call(Register, { eventId, ...fields, network });
    void reply.status(created ? 201 : 200);
    const [first, again] = answer.waiting === undefined ? REGISTERED_NOW : WAITING_NOW;
    return { message: created ? first : again, ...answer };
  }

  /**
   * Returns a hash of event and network, to limit the unverified members of a network. Returns undefined for
   * verified members, so that nothing about their network is stored.
   */
  private getNetwork(eventId: string, { caller, ip }: FastifyRequest): string | undefined {
    if (caller!.emailVerifiedAt !== null) return undefined;
    return this.pseudonyms.of('network of a registration', `${eventId} ${wideNetwork(ip)}`);
  }

  @Describe({
    summary: 'Change who sees your registration',
    description:
      '`public` shows your name and photo to visitors too. It needs the setting `publicAttendees`.',
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
    summary: 'Cancel your registration',
    description:
      "Also leaves the waiting list. Idempotent: 204 if you weren't registered or the event doesn't exist. 409 `REGISTRATION_CLOSED` once the event has started.",
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
    summary: 'List your events',
    description:
      'The events that you are registered for, soonest first. With `include=waiting`, also those where you are on the waiting list.',
    answers: { 200: describePage(Event) },
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
    summary: 'List attendees',
    description:
      'Attendees who agreed to be shown and verified their email address, in order of registration. `X-Total-Count` counts everyone who is registered.',
    answers: { 200: describePage(Attendee) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/attendees')
  @Access('member')
  @Heavy()
  async attendees(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Attendee[]> {
    return answerPage(reply, page, await this.services.read(ListAttendees, { eventId, ...page }));
  }

  @Describe({
    summary: 'List attendees of several events',
    description:
      'The first five attendees of up to 60 events who agreed to be shown. Repeat the parameter: `?eventIds=…&eventIds=…`. Leaves out events where nobody is shown.',
    answers: { 200: describeList(EventFaces) },
    query: ListFacesRequest,
  })
  @Get('event-faces')
  @Access('member')
  faces(@Filter(ListFacesRequest) request: ListFacesRequest): Promise<EventFaces[]> {
    return this.services.read(ListFaces, request);
  }

  @Describe({
    summary: 'List registrations',
    description:
      'Registrations that members made, including cancelled ones. Leaves out the waiting list and guests whom an organiser added: `GET /api/admin/events/{id}/guests` has everyone.',
    answers: { 200: describePage(RegistrationWithMember) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/registrations')
  @Access('manager')
  @Heavy()
  async registrations(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistrationWithMember[]> {
    return answerPage(reply, page, await this.services.read(ListRegistrations, { eventId, ...page }));
  }

  @Describe({
    summary: "Count an event's registrations by day",
    description:
      "Current registrations by the day they were made, for the last 14 days in the community's time zone. Oldest first, today last.",
    answers: { 200: describeList(EventActivityDay) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('admin/events/:id/activity')
  @Access('manager')
  @Heavy()
  activity(@Id() eventId: string): Promise<EventActivityDay[]> {
    return this.services.read(GetEventActivity, { eventId });
  }

  @Describe({
    summary: "Summarise the answers to an event's questions",
    description: 'Returns how often each question was answered, and with which answers.',
    answers: { 200: describeList(AnswerSummary) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('admin/events/:id/answers')
  @Access('manager')
  @Heavy()
  answers(@Id() eventId: string): Promise<AnswerSummary[]> {
    return this.services.read(SummariseAnswers, { eventId });
  }

  @Describe({
    summary: "Get an event's waiting list",
    description: 'Members on the waiting list, in the order in which they joined.',
    answers: { 200: describePage(WaitingMember) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/waitlist')
  @Access('manager')
  @Heavy()
  async waitlist(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WaitingMember[]> {
    return answerPage(reply, page, await this.services.read(ListWaitlist, { eventId, ...page }));
  }

  @Describe({
    summary: 'Promote a member from the waiting list',
    description:
      'Registers the member, even if others joined the list earlier. If no place is free, the response is 409 `EVENT_FULL` unless `raiseCapacity` is true, which adds one.',
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
    summary: 'Remove a member from the waiting list',
    description: 'Emails the member.',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND', 'NOT_WAITING'],
  })
  @Delete('events/:id/waitlist/:userId')
  @Access('manager')
  remove(@Id() eventId: string, @Id('userId') userId: string): Promise<void> {
    return this.services.call(RemoveWaiting, { eventId, userId });
  }
}
