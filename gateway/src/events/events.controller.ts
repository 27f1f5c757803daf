import {
  ADDRESS_TOKEN,
  CountRegistrations,
  DomainError,
  EventFilter,
  GetEvent,
  GetEventPreview,
  ListEvents,
} from '@meetmark/contracts';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventResponses } from '../cache/event-responses.js';
import { Access } from '../http/access.js';
import { answerPage, checkedFilter, Id } from '../http/fields.js';
import { Describe, describePage } from '../openapi/describe.js';
import { Misses } from '../rate-limits/misses.js';
import { ANONYMOUS, Services } from '../services.js';
import { Event, EventPage, FoundEvent, RegistrationCount } from './events.dto.js';

@Controller('api/events')
export class EventsController {
  constructor(
    private readonly services: Services,
    private readonly responses: EventResponses,
  ) {}

  @Describe({
    summary: 'List public events',
    description:
      'Published events with `visibility` `public`. With a session, `registrations` and `waiting` have your own registration. Sorted by start: soonest first, or latest first with `time` `past` or `ended`, unless `sort` is given.',
    answers: { 200: describePage(Event) },
    query: EventFilter,
  })
  @Get('public')
  @Access('public')
  async listPublic(@Res() reply: FastifyReply): Promise<void> {
    const { request } = reply;
    const { caller, query } = request;
    if (caller === null) return (await this.responses.list(query as object, request)).send(reply);
    const { answer, personal } = await this.responses.listFor(caller.id, request);
    await answer.send(reply, personal ? 'no-store' : undefined);
  }

  @Describe({
    summary: 'List events',
    description:
      'The same as `GET /api/events/public`. Owners also get drafts, cancelled and unlisted events. With `managedBy=me`, the events that you manage, including drafts.',
    answers: { 200: describePage(Event) },
    query: EventFilter,
  })
  @Get()
  @Access('member')
  async list(@Res() reply: FastifyReply): Promise<void> {
    const { request } = reply;
    const { caller, call, query } = request;
    const managed = (query as EventFilter).managedBy !== undefined;
    if (!call.identity?.isAdmin && !managed) {
      const { answer } = await this.responses.listFor(caller!.id, request, '/api/events');
      return answer.send(reply, 'no-store');
    }
    const filter = await checkedFilter(EventFilter, { ...(query as object) });
    const page = await this.responses.inTurn(request, () => this.services.read(ListEvents, filter));
    void reply.send(answerPage(reply, filter, page));
  }

  @Describe({
    summary: 'Get an event',
    description:
      "Visitors get the public content. If you are registered, you also get the joining link and your answers. People who manage the event also get drafts and hosts who haven't agreed yet.",
    answers: { 200: EventPage },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':id')
  @Access('public')
  async details(@Id() eventId: string, @Res() reply: FastifyReply): Promise<void> {
    if (reply.request.caller !== null)
      return void reply.send(this.responses.shown(await this.services.read(GetEvent, { eventId })));
    const answer = await this.responses.one(eventId);
    await answer.send(reply);
  }

  @Describe({
    summary: 'Count the registrations of an event',
    answers: { 200: RegistrationCount },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':id/count')
  @Access('public')
  async count(@Id() eventId: string, @Res() reply: FastifyReply): Promise<void> {
    const { identity } = reply.request.call;
    if (identity?.isAdmin || identity?.isOrganiser)
      return void reply.send(await this.services.read(CountRegistrations, { eventId }));
    const answer = await this.responses.count(eventId);
    await answer.send(reply);
  }
}

@Controller('api/event-slugs')
export class EventSlugsController {
  constructor(
    private readonly responses: EventResponses,
    private readonly misses: Misses,
  ) {}

  @Describe({
    summary: 'Find an event by its slug',
    description: "Accepts current and previous slugs. Returns the event's ID and its current slug.",
    answers: { 200: FoundEvent },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':slug')
  @Access('public')
  async find(@Param('slug') slug: string, @Res() reply: FastifyReply): Promise<void> {
    const search = { name: `slug ${slug}`, request: reply.request, missing: 'EVENT_NOT_FOUND' } as const;
    const answer = await this.misses.count(search, async () => this.responses.at(slug));
    await answer.send(reply);
  }
}

/** The token in the URL is a secret, so caches must not store the response. */
@Controller('api/event-previews')
export class EventPreviewsController {
  constructor(
    private readonly services: Services,
    private readonly misses: Misses,
  ) {}

  @Describe({
    summary: 'Get an event by its preview token',
    answers: { 200: EventPage },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':token')
  @Access('public')
  preview(@Param('token') token: string, @Req() request: FastifyRequest): Promise<EventPage> {
    const missing = 'EVENT_NOT_FOUND';
    if (!ADDRESS_TOKEN.test(token)) throw new DomainError(missing);
    return this.misses.count({ name: `preview ${token}`, request, missing }, () =>
      this.services.read(GetEventPreview, { token }, ANONYMOUS),
    );
  }
}
