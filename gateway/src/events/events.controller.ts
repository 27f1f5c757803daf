import {
  ADDRESS_TOKEN,
  AnswerEventRole,
  CancelEvent,
  CountRegistrations,
  CreateEvent,
  CreateEventPreview,
  DeleteEvent,
  DomainError,
  EVENT_ROLES,
  EventFilter,
  FindMembers,
  FindMembersForEvent,
  GetEvent,
  GetEventPreview,
  ListEventRoles,
  ListEvents,
  ListVenues,
  MakeSeries,
  MemberSearch,
  PublishEvent,
  RevokeEventPreview,
  UpdateEvent,
  VenueFilter,
  type FoundMember,
  type PictureChange,
  type User,
} from '@meetmark/contracts';
import { Body, Controller, Delete, Get, Param, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, Limited } from '../http/access.js';
import {
  answerPage,
  baseVersion,
  checkedFields,
  checkedOfEvent,
  Fields,
  Filter,
  Id,
  validateAfterExists,
} from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Pictures, TakesPicture } from '../media/pictures.js';
import { Describe, listOf, pageOf } from '../openapi/describe.js';
import { Misses } from '../rate-limits/misses.js';
import { RegistrationCount } from '../registrations/registrations.dto.js';
import { ANONYMOUS, Services } from '../services.js';
import { Person } from '../users/users.dto.js';
import { EventResponses } from './event-responses.js';
import {
  CancelBody,
  Event,
  EventBody,
  EventChangesBody,
  EventPage,
  EventPreview,
  EventRole,
  EventRoleBody,
  PublishBody,
  SeriesBody,
  Venue,
} from './events.dto.js';

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
      return void reply.send(await this.services.read(GetEvent, { eventId }));
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

/** The token in the address is the secret, so the answer is nobody's to keep. */
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

/** A member who is named as host or speaker says whether they are shown. */
@Controller('api/event-roles')
export class EventRolesController {
  constructor(private readonly services: Services) {}

  @Describe({ summary: 'Where the caller is named as host or speaker', answers: { 200: listOf(EventRole) } })
  @Get()
  @Access('member')
  list(): Promise<EventRole[]> {
    return this.services.read(ListEventRoles, {});
  }

  @Describe({
    summary: 'Agree to be shown as host or speaker of an event, or not any more',
    answers: { 200: EventRole },
    refuses: ['ROLE_NOT_FOUND'],
  })
  @Put(':id/:role')
  @Access('member')
  answer(
    @Id() eventId: string,
    @Param('role') role: string,
    @Fields(EventRoleBody) { agreed }: EventRoleBody,
  ): Promise<EventRole> {
    const known = EVENT_ROLES.find((name) => name === role);
    if (known === undefined) throw new DomainError('ROLE_NOT_FOUND');
    return this.services.call(AnswerEventRole, { eventId, role: known, agreed });
  }
}

@Controller('api/venues')
export class VenuesController {
  constructor(private readonly services: Services) {}

  @Describe({ summary: 'The venues that events had, the latest first', answers: { 200: pageOf(Venue) } })
  @Get()
  @Access('organiser')
  async list(
    @Filter(VenueFilter) filter: VenueFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Venue[]> {
    return answerPage(reply, filter, await this.services.read(ListVenues, filter));
  }
}

/** Who manages events creates, changes and deletes them. */
@Controller('api/events')
export class EventChangesController {
  constructor(
    private readonly services: Services,
    private readonly pictures: Pictures,
    private readonly idempotency: Idempotency,
  ) {}

  @Describe({
    summary: 'Create an event',
    answers: { 201: EventPage },
    refuses: ['DATE_RANGE_INVALID', 'REQUEST_IN_PROGRESS'],
    idempotent: true,
  })
  @Post()
  @Access('organiser')
  @TakesPicture()
  create(
    @Caller() caller: User,
    @Fields(EventBody) body: EventBody,
    @Req() request: FastifyRequest,
  ): Promise<EventPage> {
    return this.idempotency.once(request, caller.id, { again: true }, async (id) => {
      const { bannerImageUrl, ...fields } = body;
      const banner = await this.banner(bannerImageUrl ?? null, caller, request.ip);
      return this.services.call(CreateEvent, { ...fields, id, banner });
    });
  }

  @Describe({
    summary: 'Change an event; what is left out stays',
    answers: { 200: EventPage },
    refuses: [
      'EVENT_NOT_FOUND',
      'EVENT_CANCELLED',
      'DATE_RANGE_INVALID',
      'WAITLIST_NOT_EMPTY',
      'REGISTRATION_CLOSED',
      'CAPACITY_BELOW_REGISTERED',
      'QUESTION_ANSWERED',
    ],
    body: EventChangesBody,
    versioned: true,
  })
  @Put(':id')
  @Access('manager')
  @TakesPicture()
  async update(
    @Caller() caller: User,
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<EventPage> {
    const changes = await validateAfterExists(
      () => this.services.read(GetEvent, { eventId }),
      async () => {
        const { bannerImageUrl, ...fields } = await checkedFields(EventChangesBody, body);
        const version = baseVersion(request, fields.version);
        return { ...fields, version, banner: await this.banner(bannerImageUrl, caller, request.ip) };
      },
    );
    return this.services.call(UpdateEvent, { eventId, ...changes });
  }

  @Describe({
    summary: 'Publish a draft; done as well when it is published',
    answers: { 200: EventPage },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_CANCELLED'],
    body: PublishBody,
    bodyOptional: true,
    versioned: true,
  })
  @Post(':id/publish')
  @Access('manager')
  async publish(
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<EventPage> {
    const { version, announce } = await checkedOfEvent(this.services, eventId, PublishBody, body);
    return this.services.call(PublishEvent, { eventId, version: baseVersion(request, version), announce });
  }

  @Describe({
    summary:
      'Cancel an event for good and tell everybody who is registered or waits; done as well when it is cancelled',
    answers: { 200: EventPage },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_IS_DRAFT'],
    body: CancelBody,
    bodyOptional: true,
    versioned: true,
  })
  @Post(':id/cancel')
  @Access('manager')
  async cancel(
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<EventPage> {
    const { version, reason } = await checkedOfEvent(this.services, eventId, CancelBody, body);
    return this.services.call(CancelEvent, { eventId, reason, version: baseVersion(request, version) });
  }

  @Describe({
    summary: 'Make the address under which a draft is seen before it is published; an earlier one ends',
    answers: { 201: EventPreview },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Post(':id/preview')
  @Access('manager')
  makePreview(@Id() eventId: string): Promise<EventPreview> {
    return this.services.call(CreateEventPreview, { eventId });
  }

  @Describe({
    summary: 'End that address; done as well where there was none',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Delete(':id/preview')
  @Access('manager')
  revokePreview(@Id() eventId: string): Promise<void> {
    return this.services.call(RevokeEventPreview, { eventId });
  }

  @Describe({
    summary:
      'Make drafts like an event at the same time of later weeks or months; answers those that were made',
    answers: { 201: listOf(Event) },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_CANCELLED', 'SERIES_EXISTS'],
    body: SeriesBody,
  })
  @Post(':id/series')
  @Access('manager')
  async makeSeries(@Id() eventId: string, @Body() body: unknown): Promise<Event[]> {
    return this.services.call(MakeSeries, {
      eventId,
      ...(await checkedOfEvent(this.services, eventId, SeriesBody, body)),
    });
  }

  @Describe({
    summary: 'Delete an event and every registration for it',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Delete(':id')
  @Access('manager')
  delete(@Id() eventId: string): Promise<void> {
    return this.services.call(DeleteEvent, { eventId });
  }

  private banner(value: string | null | undefined, caller: User, ip: string): Promise<PictureChange> {
    return this.pictures.change(value, { kind: 'banners', field: 'bannerImageUrl', userId: caller.id, ip });
  }
}

/** Members by name, to name them as hosts or speakers of an event. */
@Controller('api/admin')
export class MemberSearchController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary:
      'Members whose name has `q`, ten at most, to name them in a new event: no address, and only whose address is verified',
    answers: { 200: listOf(Person) },
  })
  @Get('members/search')
  @Access('organiser')
  @Limited('member-searches')
  find(@Filter(MemberSearch) filter: MemberSearch): Promise<FoundMember[]> {
    return this.services.read(FindMembers, filter);
  }

  @Describe({
    summary: 'The same, to name them in an event that the caller manages',
    answers: { 200: listOf(Person) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('events/:id/members/search')
  @Access('manager')
  @Limited('member-searches')
  findForEvent(@Id() eventId: string, @Filter(MemberSearch) { q }: MemberSearch): Promise<FoundMember[]> {
    return this.services.read(FindMembersForEvent, { eventId, q });
  }
}
