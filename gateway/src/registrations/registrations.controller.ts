import {
  GetEvent,
  ListAttendees,
  ListMyEvents,
  ListRegistrations,
  MyEventsRequest,
  PageRequest,
  Register,
  Unregister,
} from '@meetmark/contracts';
import { Body, Controller, Delete, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Event } from '../events/events.dto.js';
import { Access, Limited } from '../http/access.js';
import { answerPage, checkedFields, Filter, Id, validateAfterExists } from '../http/fields.js';
import { Describe, pageOf } from '../openapi/describe.js';
import { Services } from '../services.js';
import { Attendee, RegisterBody, RegistrationAnswer, RegistrationWithMember } from './registrations.dto.js';

const REGISTERED_NOW = [
  'Successfully registered for event',
  'You are already registered for this event',
] as const;
const WAITING_NOW = ['You are on the waiting list', 'You are already on the waiting list'] as const;

@Controller('api')
export class RegistrationsController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'Register for an event, or with `waitlist` wait for a place when it is full; safe to repeat',
    answers: { 200: RegistrationAnswer, 201: RegistrationAnswer },
    refuses: [
      'EVENT_NOT_FOUND',
      'EVENT_FULL',
      'EMAIL_UNVERIFIED',
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
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistrationAnswer> {
    const fields = await validateAfterExists(
      () => this.services.read(GetEvent, { eventId }),
      () => checkedFields(RegisterBody, body),
    );
    const { created, ...answer } = await this.services.call(Register, { eventId, ...fields });
    void reply.status(created ? 201 : 200);
    const [first, again] = answer.waiting === undefined ? REGISTERED_NOW : WAITING_NOW;
    return { message: created ? first : again, ...answer };
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

  @Describe({ summary: 'Events that the caller is registered for', answers: { 200: pageOf(Event) } })
  @Get('my-events')
  @Access('member')
  async myEvents(
    @Filter(MyEventsRequest) filter: MyEventsRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Event[]> {
    return answerPage(reply, filter, await this.services.read(ListMyEvents, filter));
  }

  @Describe({
    summary: 'Who comes, as members may see it',
    answers: { 200: pageOf(Attendee) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/attendees')
  @Access('member')
  async attendees(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Attendee[]> {
    return answerPage(reply, page, await this.services.read(ListAttendees, { eventId, ...page }));
  }

  @Describe({
    summary: 'Every registration of an event',
    answers: { 200: pageOf(RegistrationWithMember) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/registrations')
  @Access('admin')
  async registrations(
    @Id() eventId: string,
    @Filter(PageRequest) page: PageRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistrationWithMember[]> {
    return answerPage(reply, page, await this.services.read(ListRegistrations, { eventId, ...page }));
  }
}
