import { EventFilter, GetEvent, ListEvents, type Event } from '@meetmark/contracts';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Describe } from '../openapi/describe.js';
import { EventAnswers } from './event-answers.js';
import { Filter, Id } from './fields.js';
import { answerPage } from './pages.js';
import { Services } from './services.js';

/** What is read about events. */
@Controller('api/events')
export class EventsController {
  constructor(
    private readonly services: Services,
    private readonly answers: EventAnswers,
  ) {}

  @Describe({
    summary: "All events, with a signed-in caller's own registrations",
    answers: { 200: 'page of Event' },
    query: EventFilter,
  })
  @Get('public')
  @Access('public')
  async listPublic(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { caller } = request;
    const shared = await this.answers.list(request.query as object);
    if (caller === null) return shared.send(request, reply);
    const answer = await this.answers.withOwn(shared, caller.id);
    await answer.send(request, reply, answer === shared ? undefined : 'no-store');
  }

  @Describe({ summary: "All events, with the caller's own registrations", answers: { 200: 'page of Event' } })
  @Get()
  @Access('member')
  async list(
    @Filter(EventFilter) filter: EventFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Event[]> {
    return answerPage(reply, filter, await this.services.read(ListEvents, filter));
  }

  /** With the caller's own registration for who is signed in; the same for all others. */
  @Describe({ summary: 'One event', answers: { 200: 'Event' }, refuses: ['EVENT_NOT_FOUND'] })
  @Get(':id')
  @Access('public')
  async details(
    @Id() eventId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (request.caller !== null) return void reply.send(await this.services.read(GetEvent, { eventId }));
    const answer = await this.answers.one(eventId);
    await answer.send(request, reply);
  }

  @Describe({
    summary: 'How many are registered',
    answers: { 200: 'RegistrationCount' },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':id/count')
  @Access('public')
  async count(
    @Id() eventId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const answer = await this.answers.count(eventId);
    await answer.send(request, reply);
  }
}
