import {
  CheckIn,
  CheckInSelf,
  CreateDoorLink,
  DOOR_CODE,
  DoorItemsFields,
  FindVenue,
  GetDoor,
  GetDoorSnapshot,
  GetOwnCode,
  RevokeDoorLink,
  SelfCheckInFields,
  WalkIn,
  WalkInFields,
} from '@meetmark/contracts';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CachedResponse } from '../cache/cached-response.js';
import { GatewayConfig } from '../gateway.config.js';
import { Access, AtDoor, Heavy, Limited } from '../http/access.js';
import { checkedOfEvent, Fields, Id } from '../http/fields.js';
import { Describe, describeList } from '../openapi/describe.js';
import { DoorLinks } from '../rate-limits/door-links.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';
import { ANONYMOUS, Services } from '../services.js';
import {
  Door,
  DoorResult,
  DoorSnapshot,
  NewDoorLink,
  OwnCode,
  ScannedCode,
  SelfCheckIn,
} from './door.dto.js';

/** Phones send their token as `Authorization: Bearer`, to keep it out of URLs and logs. */
@Controller('api/door')
export class DoorController {
  constructor(
    private readonly services: Services,
    private readonly limiter: RateLimiter,
    private readonly links: DoorLinks,
  ) {}

  @Describe({
    summary: 'Get the guest list for the door',
    description:
      'Has what a phone needs to check guests in without a network. The only personal data are names and states.',
    answers: { 200: DoorSnapshot },
    refuses: ['DOOR_LINK_ENDED'],
  })
  @Get()
  @Access('public')
  @AtDoor()
  async snapshot(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const snapshot = await this.links.use(request, (token) =>
      this.services.read(GetDoorSnapshot, { token }, ANONYMOUS),
    );
    await CachedResponse.json(snapshot).send(reply, 'private, no-cache');
  }

  @Describe({
    summary: 'Check guests in',
    description:
      "Up to 500 items per call, one result for each in the same order. Each item has a `key` that the phone makes up: sending it again changes nothing and returns the first result. `sentAt` corrects the phone's clock. If several phones check in the same guest, the first to arrive gets `ok` and the earliest time counts. `undo` takes a check-in back within 10 seconds.",
    answers: { 200: describeList(DoorResult) },
    refuses: ['DOOR_LINK_ENDED'],
  })
  @Post('check-ins')
  @HttpCode(200)
  @Access('public')
  @AtDoor()
  checkIn(
    @Fields(DoorItemsFields) fields: DoorItemsFields,
    @Req() request: FastifyRequest,
  ): Promise<DoorResult[]> {
    return this.links.use(request, (token) => this.services.call(CheckIn, { token, ...fields }, ANONYMOUS));
  }

  @Describe({
    summary: 'Add a walk-in',
    description:
      'Adds someone without a registration, or checks in the guest with this email address. A link can name 20 new email addresses a day. `override` adds a place at a full event, or accepts the walk-in without the email address beyond those 20.',
    answers: { 200: DoorResult },
    refuses: ['DOOR_LINK_ENDED', 'EVENT_FULL', 'EVENT_CANCELLED', 'DOOR_MAIL_LIMIT'],
  })
  @Post('walk-ins')
  @HttpCode(200)
  @Access('public')
  @AtDoor()
  walkIn(@Fields(WalkInFields) fields: WalkInFields, @Req() request: FastifyRequest): Promise<DoorResult> {
    return this.links.use(request, async (token) => {
      if (fields.email) await this.limiter.consume('walk-in-mails', this.links.getKey(request));
      return this.services.call(WalkIn, { token, ...fields }, ANONYMOUS);
    });
  }
}

@Controller('api/admin/events/:id')
export class DoorLinksController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'Get door links and check-in figures',
    description: 'Also lists check-ins that arrived after their link had ended.',
    answers: { 200: Door },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('door')
  @Access('manager')
  @Heavy()
  get(@Id() eventId: string): Promise<Door> {
    return this.services.read(GetDoor, { eventId });
  }

  @Describe({
    summary: 'Create a door link',
    description:
      'For phones at the door, without an account. Works until 12 hours after the end of the event. The token is returned only here.',
    answers: { 201: NewDoorLink },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_PUBLISHED', 'DOOR_LINK_ENDED', 'DOOR_LINK_LIMIT'],
  })
  @Post('door-links')
  @Access('manager')
  create(@Id() eventId: string): Promise<NewDoorLink> {
    return this.services.call(CreateDoorLink, { eventId });
  }

  @Describe({
    summary: 'Revoke a door link',
    description: 'Takes effect on every phone immediately.',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND', 'DOOR_LINK_NOT_FOUND'],
  })
  @Delete('door-links/:linkId')
  @Access('manager')
  revoke(@Id() eventId: string, @Id('linkId') linkId: string): Promise<void> {
    return this.services.call(RevokeDoorLink, { eventId, linkId });
  }
}

@Controller('api')
export class OwnCheckInController {
  constructor(
    private readonly services: Services,
    private readonly config: GatewayConfig,
  ) {}

  @Describe({
    summary: 'Get your check-in code',
    description: 'Show it as a QR code that phones at the door can scan.',
    answers: { 200: OwnCode },
    refuses: ['EVENT_NOT_FOUND', 'NOT_REGISTERED'],
  })
  @Get('my-events/:id/code')
  @Access('member')
  async code(@Id() eventId: string): Promise<OwnCode> {
    const { code } = await this.services.read(GetOwnCode, { eventId });
    return { code, url: new URL(`/c/${code}`, this.config.publicUrl).href };
  }

  @Describe({
    summary: 'Find an event by its venue code',
    description: "`eventId` is `null` for any other code, including a guest's.",
    answers: { 200: ScannedCode },
  })
  @Get('codes/:code')
  @Access('public')
  async venue(@Param('code') code: string): Promise<ScannedCode> {
    if (!DOOR_CODE.test(code)) return { eventId: null };
    return this.services.read(FindVenue, { code }, ANONYMOUS);
  }

  @Describe({
    summary: 'Check yourself in',
    description:
      '`venueCode` is the code in the QR at the venue. Works from 2 hours before the start until the end of the event (otherwise 409 `CHECK_IN_CLOSED`).',
    answers: { 200: SelfCheckIn },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_CANCELLED', 'NOT_REGISTERED', 'CODE_INVALID', 'CHECK_IN_CLOSED'],
    body: SelfCheckInFields,
  })
  @Post('events/:id/check-in')
  @HttpCode(200)
  @Access('member')
  @Limited('registrations')
  async checkIn(@Id() eventId: string, @Body() body: unknown): Promise<SelfCheckIn> {
    const fields = await checkedOfEvent(this.services, eventId, SelfCheckInFields, body);
    return this.services.call(CheckInSelf, { eventId, ...fields });
  }
}
