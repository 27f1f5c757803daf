import {
  DomainError,
  GetAvatar,
  GetBanner,
  HasAvatar,
  type GetPictureRequest,
  type Message,
  type PictureBytes,
} from '@meetmark/contracts';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isFresh } from '../cache/cached-response.js';
import { Access, routeTraits } from '../http/access.js';
import { Describe } from '../openapi/describe.js';
import { Misses } from '../rate-limits/misses.js';
import { Services } from '../services.js';

/** Seconds: a banner's name is the hash of its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Kept, but confirmed before each use: a member's picture is deleted with the account. */
const ASK_EACH_TIME = 'no-cache';
/** Bytes of pictures that one gateway caches. */
const CAPACITY = 64 * 1024 * 1024;

interface StoredKind {
  message: Message<GetPictureRequest, PictureBytes>;
  cacheControl: string;
  /** Says whether the picture still exists; sent before a copy is used. */
  standing?: Message<GetPictureRequest, boolean>;
}

/** Stored pictures. */
@Controller('media')
export class MediaController {
  /** By kind and hash: a member's picture is not served as a banner. */
  private readonly cache = new LRUCache<string, Buffer>({
    maxSize: CAPACITY,
    sizeCalculation: (bytes) => bytes.length,
  });

  constructor(
    private readonly services: Services,
    private readonly misses: Misses,
  ) {}

  @Describe({ summary: "A member's picture", answers: { 200: 'image/webp' }, refuses: ['PICTURE_NOT_FOUND'] })
  @Get('avatars/:file')
  @Access('public')
  @routeTraits({ anonymous: true })
  avatar(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send(
      { message: GetAvatar, cacheControl: ASK_EACH_TIME, standing: HasAvatar },
      file,
      request,
      reply,
    );
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
    return this.send({ message: GetBanner, cacheControl: FOR_EVER }, file, request, reply);
  }

  private async send(
    { message, cacheControl, standing }: StoredKind,
    file: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const hash = /^([0-9a-f]{64})\.webp$/.exec(file)?.[1];
    if (hash === undefined) throw new DomainError('PICTURE_NOT_FOUND');
    const etag = `"${hash}"`;
    const headers = { etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' };
    const name = message.name + hash;
    const kept = this.cache.get(name);
    const unchanged = isFresh(request.headers, etag);
    const find = async () => {
      if (
        standing !== undefined &&
        (unchanged || kept !== undefined) &&
        !(await this.stands(standing, hash))
      ) {
        this.cache.delete(name);
        throw new DomainError('PICTURE_NOT_FOUND');
      }
      return unchanged ? null : (kept ?? (await this.fetch(message, hash)));
    };
    const search = { name, ip: request.ip, missing: 'PICTURE_NOT_FOUND' } as const;
    const bytes = kept === undefined ? await this.misses.count(search, find) : await find();
    if (bytes === null) return void reply.headers(headers).status(304).send();
    void reply.headers(headers).type('image/webp').send(bytes);
  }

  private stands(standing: Message<GetPictureRequest, boolean>, hash: string): Promise<boolean> {
    return this.services.read(standing, { hash }, { identity: null });
  }

  private async fetch(message: Message<GetPictureRequest, PictureBytes>, hash: string): Promise<Buffer> {
    const { base64 } = await this.services.read(message, { hash }, { identity: null });
    const bytes = Buffer.from(base64, 'base64');
    this.cache.set(message.name + hash, bytes);
    return bytes;
  }
}
