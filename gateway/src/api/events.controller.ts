import {
  CountRegistrations,
  EventFilter,
  GetEvent,
  ListEvents,
  ListPublicEvents,
  type Event,
} from '@meetmark/contracts';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Answer } from '../answers/answer.js';
import { PublicAnswers } from '../answers/public-answers.js';
import { Describe } from '../openapi/describe.js';
import { checkedFields, Filter, Id } from './fields.js';
import { answerPage, pageHeaders } from './pages.js';
import { Services } from './services.js';

const NOBODY = { identity: null };

/** What is read about events. */
@Controller('api/events')
export class EventsController {
  constructor(
    private readonly services: Services,
    private readonly answers: PublicAnswers,
  ) {}

  @Describe({
    summary: 'All events, the same for everyone',
    answers: { 200: 'page of Event' },
    query: EventFilter,
  })
  @Get('public')
  @Access('public')
  async listPublic(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [, query = ''] = request.url.split('?', 2);
    // the query is checked when an answer to it is made: one that is answered already has been
    const answer = await this.answers.get(`list ${query}`, async () => {
      const filter = await checkedFields(EventFilter, { ...(request.query as object) });
      const page = await this.services.read(ListPublicEvents, filter, NOBODY);
      return Answer.json(page.items, pageHeaders('/api/events/public', filter, page));
    });
    await answer.send(request, reply);
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
    const answer = await this.answers.get(`event ${eventId}`, async () =>
      Answer.json(await this.services.read(GetEvent, { eventId }, NOBODY)),
    );
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
    const answer = await this.answers.get(`count ${eventId}`, async () =>
      Answer.json(await this.services.read(CountRegistrations, { eventId }, NOBODY)),
    );
    await answer.send(request, reply);
  }
}
