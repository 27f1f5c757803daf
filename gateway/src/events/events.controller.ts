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
import { answerPage, checkedFields, Id } from '../http/fields.js';
import { Describe, pageOf } from '../openapi/describe.js';
import { Misses } from '../rate-limits/misses.js';
import { ANONYMOUS, Services } from '../services.js';
import { Event, EventPage, FoundEvent, RegistrationCount } from './events.dto.js';

/** Reads events. */
@Controller('api/events')
export class EventsController {
  constructor(
    private readonly services: Services,
    private readonly responses: EventResponses,
  ) {}

  @Describe({
    summary: "All events, with a signed-in caller's own registrations",
    answers: { 200: pageOf(Event) },
    query: EventFilter,
  })
  @Get('public')
  @Access('public')
  async listPublic(@Res() reply: FastifyReply): Promise<void> {
    const { caller, query } = reply.request;
    if (caller === null) return (await this.responses.list(query as object)).send(reply);
    const { answer, personal } = await this.responses.listFor(caller.id, query as object);
    await answer.send(reply, personal ? 'no-store' : undefined);
  }

  @Describe({
    summary: "All events, with the caller's own registrations",
    answers: { 200: pageOf(Event) },
    query: EventFilter,
  })
  @Get()
  @Access('member')
  async list(@Res() reply: FastifyReply): Promise<void> {
    const { caller, call, query } = reply.request;
    const managed = (query as EventFilter).managedBy !== undefined;
    if (!call.identity?.isAdmin && !managed) {
      const { answer } = await this.responses.listFor(caller!.id, query as object, '/api/events');
      return answer.send(reply, 'no-store');
    }
    // who manages events also sees drafts
    const filter = await checkedFields(EventFilter, { ...(query as object) });
    void reply.send(answerPage(reply, filter, await this.services.read(ListEvents, filter)));
  }

  /** With the caller's own registration if they are signed in; the same for all visitors. */
  @Describe({ summary: 'One event', answers: { 200: EventPage }, refuses: ['EVENT_NOT_FOUND'] })
  @Get(':id')
  @Access('public')
  async details(@Id() eventId: string, @Res() reply: FastifyReply): Promise<void> {
    if (reply.request.caller !== null)
      return void reply.send(this.responses.shown(await this.services.read(GetEvent, { eventId })));
    const answer = await this.responses.one(eventId);
    await answer.send(reply);
  }

  @Describe({
    summary: 'How many are registered',
    answers: { 200: RegistrationCount },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':id/count')
  @Access('public')
  async count(@Id() eventId: string, @Res() reply: FastifyReply): Promise<void> {
    // who manages events also sees drafts
    const { identity } = reply.request.call;
    if (identity?.isAdmin || identity?.isOrganiser)
      return void reply.send(await this.services.read(CountRegistrations, { eventId }));
    const answer = await this.responses.count(eventId);
    await answer.send(reply);
  }
}

/** The short addresses of events' pages. */
@Controller('api/event-slugs')
export class EventSlugsController {
  constructor(
    private readonly responses: EventResponses,
    private readonly misses: Misses,
  ) {}

  @Describe({
    summary: 'Which event has, or had, a short address, and the one that it has now',
    answers: { 200: FoundEvent },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':slug')
  @Access('public')
  async find(@Param('slug') slug: string, @Res() reply: FastifyReply): Promise<void> {
    const search = { name: `slug ${slug}`, ip: reply.request.ip, missing: 'EVENT_NOT_FOUND' } as const;
    const answer = await this.misses.count(search, async () => this.responses.at(slug));
    await answer.send(reply);
  }
}

/** The token in the address is the secret, so no cache keeps the answer. */
@Controller('api/event-previews')
export class EventPreviewsController {
  constructor(
    private readonly services: Services,
    private readonly misses: Misses,
  ) {}

  @Describe({
    summary: 'An event by the secret address of its preview',
    answers: { 200: EventPage },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':token')
  @Access('public')
  preview(@Param('token') token: string, @Req() { ip }: FastifyRequest): Promise<EventPage> {
    const missing = 'EVENT_NOT_FOUND';
    if (!ADDRESS_TOKEN.test(token)) throw new DomainError(missing);
    return this.misses.count({ name: `preview ${token}`, ip, missing }, () =>
      this.services.read(GetEventPreview, { token }, ANONYMOUS),
    );
  }
}
