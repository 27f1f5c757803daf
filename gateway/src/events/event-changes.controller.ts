import {
  AddGalleryPicture,
  CancelEvent,
  ChangeGallery,
  ChangeEventSlug,
  coverProblems,
  CreateEvent,
  CreateEventPreview,
  DeleteEvent,
  GetEvent,
  invalidFields,
  ListVenues,
  MakeSeries,
  PublishEvent,
  RemoveGalleryPicture,
  RevokeEventPreview,
  UpdateEvent,
  VenueFilter,
  type PictureChange,
  type User,
} from '@meetmark/contracts';
import { Body, Controller, Delete, Get, Post, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../http/access.js';
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
import { Services } from '../services.js';
import {
  CancelBody,
  Event,
  EventBody,
  EventChangesBody,
  EventPage,
  EventPreview,
  EventSlugBody,
  GalleryBody,
  GalleryPictureBody,
  PublishBody,
  SeriesBody,
  Venue,
} from './events.dto.js';

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
      const banner = await this.banner(bannerImageUrl ?? null, fields, caller, request.ip);
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
        return { ...fields, version, banner: await this.banner(bannerImageUrl, fields, caller, request.ip) };
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
    summary: 'Give a published event another short address; the earlier ones lead to it',
    answers: { 200: EventPage },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_PUBLISHED', 'SLUG_TAKEN'],
    body: EventSlugBody,
  })
  @Put(':id/slug')
  @Access('manager')
  async changeSlug(@Id() eventId: string, @Body() body: unknown): Promise<EventPage> {
    const { slug } = await checkedOfEvent(this.services, eventId, EventSlugBody, body);
    return this.services.call(ChangeEventSlug, { eventId, slug });
  }

  @Describe({
    summary:
      'Add a picture to the gallery of an event, also of one that is over or cancelled; one that is there gets these words',
    answers: { 201: EventPage },
    refuses: ['EVENT_NOT_FOUND'],
    body: GalleryPictureBody,
  })
  @Post(':id/gallery')
  @Access('manager')
  @TakesPicture()
  async addToGallery(
    @Caller() { id: userId }: User,
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() { ip }: FastifyRequest,
  ): Promise<EventPage> {
    const { alt, picture: given } = await checkedOfEvent(this.services, eventId, GalleryPictureBody, body);
    const about = { kind: 'gallery', field: 'picture', userId, ip } as const;
    const { picture } = await this.pictures.change(given, about);
    if (picture === undefined) throw invalidFields(['picture', 'must be a data URL']);
    return this.services.call(AddGalleryPicture, { eventId, alt, picture });
  }

  @Describe({
    summary: 'Give pictures of the gallery other words, and another order',
    answers: { 200: EventPage },
    refuses: ['EVENT_NOT_FOUND', 'EDIT_CONFLICT'],
    body: GalleryBody,
  })
  @Put(':id/gallery')
  @Access('manager')
  async changeGallery(@Id() eventId: string, @Body() body: unknown): Promise<EventPage> {
    const { pictures } = await checkedOfEvent(this.services, eventId, GalleryBody, body);
    return this.services.call(ChangeGallery, { eventId, pictures });
  }

  @Describe({
    summary: 'Take a picture out of the gallery; done as well where it is not there',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Delete(':id/gallery/:pictureId')
  @Access('manager')
  removeFromGallery(@Id() eventId: string, @Id('pictureId') pictureId: string): Promise<void> {
    return this.services.call(RemoveGalleryPicture, { eventId, pictureId });
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

  /** @throws DomainError VALIDATION_FAILED, and what `Pictures.change` throws */
  private banner(
    value: string | null | undefined,
    beside: Parameters<typeof coverProblems>[0],
    caller: User,
    ip: string,
  ): Promise<PictureChange> {
    const problems = coverProblems(beside, value === undefined ? undefined : Boolean(value));
    if (problems.length > 0) throw invalidFields(...problems);
    return this.pictures.change(value, { kind: 'banners', field: 'bannerImageUrl', userId: caller.id, ip });
  }
}

/** Venues that an organiser may choose again. */
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
