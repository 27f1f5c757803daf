import { DomainError, UUID_PATTERN } from '@meetmark/contracts';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFresh } from '../cache/cached-response.js';
import { EventResponses } from '../cache/event-responses.js';
import { Access, SameForAll } from '../http/access.js';
import { Describe } from '../openapi/describe.js';
import { Misses } from '../rate-limits/misses.js';
import { VenueMaps } from './maps.js';

const FILE = /^([0-9a-f-]{36})\.webp$/;
/** Clients must revalidate a map, because its URL stays the same if the venue changes. */
const ASK_EACH_TIME = 'no-cache';

@Controller('media/maps')
export class MapsController {
  constructor(
    private readonly events: EventResponses,
    private readonly misses: Misses,
    private readonly maps: VenueMaps,
  ) {}

  @Describe({
    summary: "Get a map of an event's venue",
    description:
      "`file` is the event's ID and `.webp`. 404 if the community has no maps, or if visitors don't see an address.",
    answers: { 200: 'image/webp' },
    refuses: ['PICTURE_NOT_FOUND'],
  })
  @Get(':file')
  @Access('public')
  @SameForAll('media')
  async map(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { webp, etag } = await this.maps.of(await this.loadVenue(file, request), request.ip);
    void reply.headers({ etag, 'cache-control': ASK_EACH_TIME, vary: 'Accept-Encoding' });
    if (isFresh(request.headers, etag)) return void reply.status(304).send();
    void reply.type('image/webp').send(webp);
  }

  private async loadVenue(file: string, request: FastifyRequest): Promise<string> {
    const id = FILE.exec(file)?.[1] ?? '';
    if (!UUID_PATTERN.test(id)) throw new DomainError('PICTURE_NOT_FOUND');
    const search = { name: `event ${id}`, request, missing: 'PICTURE_NOT_FOUND' } as const;
    const { format, content } = await this.misses.count(search, () => this.events.pictured(id));
    const address = format === 'online' ? null : content.venue?.address;
    if (!address) throw new DomainError('PICTURE_NOT_FOUND');
    return address;
  }
}
