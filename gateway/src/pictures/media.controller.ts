import {
  DomainError,
  GetAvatar,
  GetBanner,
  type Message,
  type GetPictureRequest,
  type PictureBytes,
} from '@meetmark/contracts';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { isFresh } from '../answers/answer.js';
import { Services } from '../api/services.js';
import { ByteCache } from '../caching/byte-cache.js';
import { routeTraits } from '../http/route.js';
import { Describe } from '../openapi/describe.js';

/** Seconds: the name is the hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Bytes of pictures that one gateway keeps at hand. */
const CAPACITY = 64 * 1024 * 1024;

/** Stored pictures (D19). */
@Controller('media')
export class MediaController {
  /** By hash. */
  private readonly cache = new ByteCache<Buffer>(CAPACITY);

  constructor(private readonly services: Services) {}

  @Describe({ summary: "A member's picture", answers: { 200: 'image/webp' }, refuses: ['PICTURE_NOT_FOUND'] })
  @Get('avatars/:file')
  @Access('public')
  @routeTraits({ anonymous: true })
  avatar(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send(GetAvatar, file, request, reply);
  }

  @Describe({ summary: "An event's banner", answers: { 200: 'image/webp' }, refuses: ['PICTURE_NOT_FOUND'] })
  @Get('banners/:file')
  @Access('public')
  @routeTraits({ anonymous: true })
  banner(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send(GetBanner, file, request, reply);
  }

  private async send(
    message: Message<GetPictureRequest, PictureBytes>,
    file: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const hash = /^([0-9a-f]{64})\.webp$/.exec(file)?.[1];
    if (hash === undefined) throw new DomainError('PICTURE_NOT_FOUND');
    const etag = `"${hash}"`;
    const headers = { etag, 'cache-control': FOR_EVER, vary: 'Accept-Encoding' };
    if (isFresh(request.headers, etag)) return void reply.headers(headers).status(304).send();
    const bytes = this.cache.get(hash) ?? (await this.fetch(message, hash));
    void reply.headers(headers).type('image/webp').send(bytes);
  }

  private async fetch(message: Message<GetPictureRequest, PictureBytes>, hash: string): Promise<Buffer> {
    const { base64 } = await this.services.read(message, { hash }, { identity: null });
    const bytes = Buffer.from(base64, 'base64');
    this.cache.set(hash, bytes, bytes.length);
    return bytes;
  }
}
