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
  GetEventPreviewLink,
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
import { Access, Heavy } from '../http/access.js';
import {
  answerPage,
  baseVersion,
  checkedFields,
  checkedOfEvent,
  Fields,
  Filter,
  Id,
  validateOrNotFound,
} from '../http/fields.js';
import { Caller } from '../http/request.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Pictures, TakesPicture } from '../media/pictures.js';
import { Describe, describeList, orNull, describePage } from '../openapi/describe.js';
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
  PreviewLink,
  PublishBody,
  SeriesBody,
  Venue,
} from './events.dto.js';

@Controller('api/events')
export class EventChangesController {
  constructor(
    private readonly services: Services,
    private readonly pictures: Pictures,
    private readonly idempotency: Idempotency,
  ) {}

  @Describe({
    summary: 'Create an event',
    description:
      'Publishes the event unless `status` is `draft`. `announce: true` emails the followers of its topics. You manage the events that you create.',
    answers: { 201: EventPage },
    refuses: ['DATE_RANGE_INVALID', 'DRAFT_LIMIT', 'REQUEST_IN_PROGRESS'],
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
    summary: 'Update an event',
    description:
      'Fields that you leave out keep their value; `null` clears a field. People who are registered are emailed if the title, time, place, format, accessibility, price or joining link changes, unless `notify` is false. A larger capacity promotes people from the waiting list. A cancelled event accepts `recap` and `resources` only (otherwise 409 `EVENT_CANCELLED`).',
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
  @Heavy()
  @TakesPicture()
  async update(
    @Caller() caller: User,
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<EventPage> {
    const changes = await validateOrNotFound(
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
    summary: 'Publish a draft',
    description:
      'Idempotent: a published event stays as it is. `announce` overrides the value stored with the draft.',
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
    summary: 'Cancel an event',
    description:
      "Can't be undone. Emails everyone who is registered or on the waiting list. Idempotent: a cancelled event stays as it is. Delete drafts instead (409 `EVENT_IS_DRAFT`).",
    answers: { 200: EventPage },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_IS_DRAFT'],
    body: CancelBody,
    bodyOptional: true,
    versioned: true,
  })
  @Post(':id/cancel')
  @Access('manager')
  @Heavy()
  async cancel(
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<EventPage> {
    const { version, reason } = await checkedOfEvent(this.services, eventId, CancelBody, body);
    return this.services.call(CancelEvent, { eventId, reason, version: baseVersion(request, version) });
  }

  @Describe({
    summary: "Change an event's slug",
    description:
      "The event must be published. Previous slugs keep leading to it. An unlisted event gets a random ending, so read the slug from the response. Doesn't raise `version`.",
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
    summary: "Add an image to an event's gallery",
    description:
      "A gallery has up to 8 images. You can add them even after the event or if it is cancelled. An image that is already in the gallery gets the new `alt`. Doesn't raise `version`.",
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
    summary: "Update an event's gallery",
    description:
      'Changes the order and the alternative text of the images that you name; the others stay as they are. If `was` is given and the text has changed since, the response is 409 `EDIT_CONFLICT`.',
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
    summary: "Remove an image from an event's gallery",
    description: 'Idempotent.',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Delete(':id/gallery/:pictureId')
  @Access('manager')
  removeFromGallery(@Id() eventId: string, @Id('pictureId') pictureId: string): Promise<void> {
    return this.services.call(RemoveGalleryPicture, { eventId, pictureId });
  }

  @Describe({
    summary: 'Create a preview link for an event',
    description:
      'Anyone with the link sees the event before it is published. Replaces the previous link. The token is returned only here.',
    answers: { 201: EventPreview },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Post(':id/preview')
  @Access('manager')
  makePreview(@Id() eventId: string): Promise<EventPreview> {
    return this.services.call(CreateEventPreview, { eventId });
  }

  @Describe({
    summary: "Get an event's preview link",
    description: "Returns who created it and whether it works, or `null`. The token isn't returned again.",
    answers: { 200: orNull(PreviewLink) },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get(':id/preview')
  @Access('manager')
  async previewLink(@Id() eventId: string, @Res() reply: FastifyReply): Promise<void> {
    const link = await this.services.read(GetEventPreviewLink, { eventId });
    void reply.type('application/json; charset=utf-8').send(JSON.stringify(link)); // Nest would send an empty body for null.
  }

  @Describe({
    summary: "Revoke an event's preview link",
    description: 'Idempotent.',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Delete(':id/preview')
  @Access('manager')
  revokePreview(@Id() eventId: string): Promise<void> {
    return this.services.call(RevokeEventPreview, { eventId });
  }

  @Describe({
    summary: 'Create a series from an event',
    description:
      'Creates drafts of the event at the same local time in later weeks or months, and returns them.',
    answers: { 201: describeList(Event) },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_CANCELLED', 'SERIES_EXISTS', 'DRAFT_LIMIT'],
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
    summary: 'Delete an event',
    description:
      'Deletes the event and its registrations permanently. If it was published, everyone who is registered or on the waiting list is emailed.',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Delete(':id')
  @Access('manager')
  @Heavy()
  delete(@Id() eventId: string): Promise<void> {
    return this.services.call(DeleteEvent, { eventId });
  }

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

@Controller('api/venues')
export class VenuesController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'List venues',
    description:
      'Venues of public events and of events that you manage, most recent first. Owners get all venues. `note` is always `null`.',
    answers: { 200: describePage(Venue) },
  })
  @Get()
  @Access('organiser')
  async list(
    @Filter(VenueFilter) filter: VenueFilter,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Venue[]> {
    return answerPage(reply, filter, await this.services.read(ListVenues, filter));
  }
}
