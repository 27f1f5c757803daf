import {
  CreateEvent,
  DeleteEvent,
  GetEvent,
  UpdateEvent,
  type Event,
  type PictureChange,
  type User,
} from '@meetmark/contracts';
import { Body, Controller, Delete, HttpCode, Post, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Caller } from '../http/caller.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Pictures } from '../pictures/pictures.js';
import { Describe } from '../openapi/describe.js';
import { EventBody, EventChangesBody } from './bodies.js';
import { baseVersion, checkedFields, existenceFirst, Fields, Id } from './fields.js';
import { TakesPicture } from './takes-picture.js';
import { Services } from './services.js';

/** What administrators do with events. */
@Controller('api/events')
export class EventChangesController {
  constructor(
    private readonly services: Services,
    private readonly pictures: Pictures,
    private readonly idempotency: Idempotency,
  ) {}

  @Describe({
    summary: 'Create an event',
    answers: { 201: 'Event' },
    refuses: ['DATE_RANGE_INVALID', 'REQUEST_IN_PROGRESS'],
    idempotent: true,
  })
  @Post()
  @Access('admin')
  @TakesPicture()
  create(
    @Caller() caller: User,
    @Fields(EventBody) body: EventBody,
    @Req() request: FastifyRequest,
  ): Promise<Event> {
    return this.idempotency.once(request, caller.id, { status: 201, again: true }, async (id) => {
      const { bannerImageUrl, ...fields } = body;
      const banner = await this.banner(bannerImageUrl ?? null, caller);
      return this.services.call(CreateEvent, { ...fields, id, banner });
    });
  }

  @Describe({
    summary: 'Change an event; what is left out stays',
    answers: { 200: 'Event' },
    refuses: ['EVENT_NOT_FOUND', 'DATE_RANGE_INVALID', 'CAPACITY_BELOW_REGISTERED'],
    body: EventChangesBody,
    versioned: true,
  })
  @Put(':id')
  @Access('admin')
  @TakesPicture()
  async update(
    @Caller() caller: User,
    @Id() eventId: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Event> {
    const changes = await existenceFirst(
      () => this.services.read(GetEvent, { eventId }),
      async () => {
        const { bannerImageUrl, ...fields } = await checkedFields(EventChangesBody, body);
        const version = baseVersion(request, fields.version);
        return { ...fields, version, banner: await this.banner(bannerImageUrl, caller) };
      },
    );
    return this.services.call(UpdateEvent, { eventId, ...changes });
  }

  @Describe({
    summary: 'Delete an event and every registration for it',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Delete(':id')
  @HttpCode(204)
  @Access('admin')
  delete(@Id() eventId: string): Promise<void> {
    return this.services.call(DeleteEvent, { eventId });
  }

  private banner(value: string | null | undefined, caller: User): Promise<PictureChange> {
    return this.pictures.change(value, { kind: 'banners', field: 'bannerImageUrl', userId: caller.id });
  }
}
