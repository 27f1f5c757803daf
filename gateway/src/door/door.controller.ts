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
import { Access, AtDoor, Limited } from '../http/access.js';
import { checkedOfEvent, Fields, Id } from '../http/fields.js';
import { Describe, listOf } from '../openapi/describe.js';
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

/** For phones at the door. They send the token of their link as `Authorization: Bearer`, so that it is in no address and no log. */
@Controller('api/door')
export class DoorController {
  constructor(
    private readonly services: Services,
    private readonly limiter: RateLimiter,
    private readonly links: DoorLinks,
  ) {}

  @Describe({
    summary:
      'What a phone needs at the door, by the link as `Authorization: Bearer`: names and states, nothing else of anybody',
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
    summary:
      'What a phone has seen: up to 500 items, each with a `key` of its own, by which it counts once. Moments are corrected by `sentAt`; of several phones the first that comes is answered `ok`, and the earliest moment counts. A check-in is taken back (`undo`) within 10 seconds of its moment',
    answers: { 200: listOf(DoorResult) },
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
    summary:
      'Add somebody who came without a place, or let in who is on the list with this address. A link names 20 new addresses a day; `override` lets in without one',
    answers: { 200: DoorResult },
    refuses: ['DOOR_LINK_ENDED', 'EVENT_FULL', 'EVENT_CANCELLED', 'DOOR_MAIL_LIMIT'],
  })
  @Post('walk-ins')
  @HttpCode(200)
  @Access('public')
  @AtDoor()
  walkIn(@Fields(WalkInFields) fields: WalkInFields, @Req() request: FastifyRequest): Promise<DoorResult> {
    return this.links.use(request, async (token) => {
      if (fields.email) await this.limiter.consume('walk-in-mails', this.links.keyOf(request));
      return this.services.call(WalkIn, { token, ...fields }, ANONYMOUS);
    });
  }
}

/** The door, for those who manage the event. */
@Controller('api/admin/events/:id')
export class DoorLinksController {
  constructor(private readonly services: Services) {}

  @Describe({
    summary: 'The links of the door, how many are in, and the check-ins that came once their link had ended',
    answers: { 200: Door },
    refuses: ['EVENT_NOT_FOUND'],
  })
  @Get('door')
  @Access('manager')
  get(@Id() eventId: string): Promise<Door> {
    return this.services.read(GetDoor, { eventId });
  }

  @Describe({
    summary: 'Make a link for phones at the door, which works until 12 hours after the end',
    answers: { 201: NewDoorLink },
    refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_PUBLISHED', 'DOOR_LINK_ENDED', 'DOOR_LINK_LIMIT'],
  })
  @Post('door-links')
  @Access('manager')
  create(@Id() eventId: string): Promise<NewDoorLink> {
    return this.services.call(CreateDoorLink, { eventId });
  }

  @Describe({
    summary: 'End a link, on every phone at once',
    answers: { 204: null },
    refuses: ['EVENT_NOT_FOUND', 'DOOR_LINK_NOT_FOUND'],
  })
  @Delete('door-links/:linkId')
  @Access('manager')
  revoke(@Id() eventId: string, @Id('linkId') linkId: string): Promise<void> {
    return this.services.call(RevokeDoorLink, { eventId, linkId });
  }
}

/** The door, for the guest's own phone. */
@Controller('api')
export class OwnCheckInController {
  constructor(
    private readonly services: Services,
    private readonly config: GatewayConfig,
  ) {}

  @Describe({
    summary: "The code of the caller's place, for the QR that the door scans",
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
    summary:
      'Where a scanned code leads: to the event whose venue shows it, and nowhere with any other, such as that of a guest',
    answers: { 200: ScannedCode },
  })
  @Get('codes/:code')
  @Access('public')
  async venue(@Param('code') code: string): Promise<ScannedCode> {
    if (!DOOR_CODE.test(code)) return { eventId: null };
    return this.services.read(FindVenue, { code }, ANONYMOUS);
  }

  @Describe({
    summary: 'Check in by the code that the venue shows, from 2 hours before the start until the end',
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
