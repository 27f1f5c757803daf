import {
  DomainError,
  GetAvatar,
  GetBanner,
  GetCommunityPicture,
  GetGalleryPicture,
  HasAvatar,
  HasGalleryPicture,
  invalidFields,
  pictureHash,
  UUID_PATTERN,
  COVER_WIDTHS,
  type CoverShape,
  type Event,
  type GetPictureRequest,
  type Message,
  type PictureBytes,
} from '@meetmark/contracts';
import { patternUrl, PATTERNS } from '@meetmark/contracts/events/cover-pattern';
import { InjectCommunity, type PresentCommunity } from '@meetmark/platform';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isFresh } from '../cache/cached-response.js';
import { EventResponses } from '../cache/event-responses.js';
import { Access, SameForAll } from '../http/access.js';
import { Describe } from '../openapi/describe.js';
import { Misses } from '../rate-limits/misses.js';
import { ANONYMOUS, Services } from '../services.js';
import { CoverSizes } from './cover-sizes.js';
import { PictureDecoder } from './decoder.js';
import type { CoverPart, Drawing } from './reencode.js';
import {
  communityImageUrl,
  communitySvg,
  eventSvg,
  patternFile,
  SHARE_IMAGES,
  shareImageUrl,
} from './share-image.js';

/** Header of images whose URL contains their hash or version. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Header of images that can be deleted, such as those of a deleted account. */
const ASK_EACH_TIME = 'no-cache';
const CAPACITY = 64 * 1024 * 1024;

const COMMUNITY = /^community-\d{1,10}\.jpg$/;
const SHARED = /^([0-9a-f-]{36})-(\d{1,10}(?:-\d{1,10})?)\.jpg$/;
const PATTERN_FILE = /^(\d{1,2})-[0-9a-z]{1,7}\.svg$/;
const FOUND = 302;
/** Lets web mail and other sites show the image. */
const ANYWHERE = { 'cross-origin-resource-policy': 'cross-origin' };

const parseHash = (file: string) => /^([0-9a-f]{64})\.webp$/.exec(file)?.[1];

interface StoredKind {
  message: Message<GetPictureRequest, PictureBytes>;
  cacheControl: string;
  /** Message that asks whether the image still exists, before a cached copy is sent. */
  standing?: Message<GetPictureRequest, boolean>;
}

const redirected = (reply: FastifyReply, present: string) =>
  void reply.headers({ 'cache-control': ASK_EACH_TIME, ...ANYWHERE }).redirect(present, FOUND);

@Controller('media')
export class MediaController {
  /** Images by kind and hash, because a member's photo must not be served as a banner. */
  private readonly cache = new LRUCache<string, Buffer>({
    maxSize: CAPACITY,
    sizeCalculation: (bytes) => bytes.length,
  });

  private readonly drawings = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly services: Services,
    private readonly misses: Misses,
    private readonly events: EventResponses,
    private readonly decoder: PictureDecoder,
    private readonly sizes: CoverSizes,
    @InjectCommunity() private readonly community: PresentCommunity,
  ) {}

  @Describe({
    summary: "Get a member's photo",
    description: '`profileImageUrl` of the member. 404 once the member or the photo is deleted.',
    answers: { 200: 'image/webp' },
    refuses: ['PICTURE_NOT_FOUND'],
  })
  @Get('avatars/:file')
  @Access('public')
  @SameForAll('media')
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

  @Describe({
    summary: "Get an event's image",
    description:
      '`bannerImageUrl` of the event. With `width` `480`, `800` or `1200`, at most that many pixels wide; any other width is 404. A size is made on its first request: until then you get the full image, with `Cache-Control: no-cache`.',
    answers: { 200: 'image/webp' },
    refuses: ['PICTURE_NOT_FOUND'],
  })
  @Get('banners/:file')
  @Access('public')
  @SameForAll('media')
  async banner(
    @Param('file') file: string,
    @Query('width') width: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sized({ message: GetBanner, cacheControl: FOR_EVER }, file, width, request, reply);
  }

  @Describe({
    summary: "Get an image from an event's gallery",
    description:
      '404 once it is removed from every gallery. `width` works as for `GET /media/banners/{file}`.',
    answers: { 200: 'image/webp' },
    refuses: ['PICTURE_NOT_FOUND'],
  })
  @Get('gallery/:file')
  @Access('public')
  @SameForAll('media')
  gallery(
    @Param('file') file: string,
    @Query('width') width: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const kind = { message: GetGalleryPicture, cacheControl: ASK_EACH_TIME, standing: HasGalleryPicture };
    return this.sized(kind, file, width, request, reply);
  }

  private async sized(
    kind: StoredKind,
    file: string,
    width: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (width === undefined) return this.send(kind, file, request, reply);
    const wanted = COVER_WIDTHS.find((each) => String(each) === width);
    const hash = parseHash(file);
    if (wanted === undefined || hash === undefined) throw new DomainError('PICTURE_NOT_FOUND');
    const { message, standing } = kind;
    if (standing !== undefined) {
      const search = { name: message.name + hash, request, missing: 'PICTURE_NOT_FOUND' } as const;
      await this.misses.count(search, () => this.requireStanding(standing, hash));
    }
    const narrowTag = `"${hash}-${wanted}"`;
    const has = isFresh(request.headers, narrowTag);
    const { bytes, isMade } = has
      ? { bytes: null, isMade: true }
      : await this.loadNarrow(message, hash, wanted, request);
    // Clients must revalidate the original, because the scaled image will replace it under the same URL.
    const etag = isMade ? narrowTag : `"${hash}"`;
    const cacheControl = isMade ? kind.cacheControl : ASK_EACH_TIME;
    void reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' });
    if (bytes === null || isFresh(request.headers, etag)) return void reply.status(304).send();
    void reply.type('image/webp').send(bytes);
  }

  private async requireStanding(standing: NonNullable<StoredKind['standing']>, hash: string): Promise<void> {
    if (!(await this.services.read(standing, { hash }, ANONYMOUS)))
      throw new DomainError('PICTURE_NOT_FOUND');
  }

  private async loadNarrow(
    message: StoredKind['message'],
    hash: string,
    width: number,
    request: FastifyRequest,
  ): Promise<{ bytes: Buffer; isMade: boolean }> {
    const whole = message.name + hash;
    const name = `${whole} ${width}`;
    const made = this.cache.get(name);
    if (made !== undefined) return { bytes: made, isMade: true };
    const search = { name: whole, request, missing: 'PICTURE_NOT_FOUND' } as const;
    const bytes = this.cache.get(whole) ?? (await this.misses.count(search, () => this.fetch(message, hash)));
    this.sizes.want(name, async () => {
      // Does nothing if the cache has evicted the original. A later request queues the image again.
      const stored = this.cache.get(whole);
      if (stored !== undefined) this.cache.set(name, await this.decoder.narrow(stored, width));
    });
    return { bytes, isMade: false };
  }

  @Describe({
    summary: 'Get a community or sponsor logo',
    answers: { 200: 'image/webp' },
    refuses: ['PICTURE_NOT_FOUND'],
  })
  @Get('community/:file')
  @Access('public')
  @SameForAll('media')
  logo(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send({ message: GetCommunityPicture, cacheControl: FOR_EVER }, file, request, reply);
  }

  @Describe({
    summary: 'Get a cover pattern',
    description:
      'For events without an image, in the colours of the community. 302 to the current file if the colours have changed.',
    answers: { 200: 'image/svg+xml', 302: null },
    refuses: ['PICTURE_NOT_FOUND'],
  })
  @Get('patterns/:file')
  @Access('public')
  @SameForAll('media')
  pattern(@Param('file') file: string, @Res() reply: FastifyReply): void {
    const number = Number(PATTERN_FILE.exec(file)?.[1]);
    if (!(number >= 1 && number <= PATTERNS)) throw new DomainError('PICTURE_NOT_FOUND');
    const colours = this.community.brandPalettes.both;
    const present = patternUrl(number, colours.covers);
    if (present !== `/media/patterns/${file}`) return redirected(reply, present);
    void reply
      .headers({ 'cache-control': FOR_EVER })
      .type('image/svg+xml')
      .send(patternFile(number, colours));
  }

  @Describe({
    summary: 'Get a share image',
    description:
      "JPEG of an event's image or pattern, or of the community (`community-1.jpg`), 1200 × 630 pixels. `shape=square` is the image for emails, 504 × 504, of events only. 302 to the current version.",
    answers: { 200: 'image/jpeg', 302: null },
    refuses: ['PICTURE_NOT_FOUND', 'VALIDATION_FAILED'],
  })
  @Get('share/:file')
  @Access('public')
  @SameForAll('media')
  async share(
    @Param('file') file: string,
    @Query('shape') shape: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isOfCommunity = COMMUNITY.test(file);
    // A query parameter, because gateways of the previous version ignore it and send the wide image.
    const isSquare = shape === 'square' && !isOfCommunity;
    if (shape !== undefined && !isSquare)
      throw invalidFields(['shape', 'must be square, and only events have a square image']);
    const event = isOfCommunity ? null : await this.loadEvent(file, request);
    const present = event === null ? communityImageUrl(this.community) : shareImageUrl(event, this.community);
    const name = isSquare ? `${present}?shape=square` : present;
    if (present !== `/media/share/${file}`) return redirected(reply, name);
    const bytes =
      this.cache.get(name) ??
      (await this.decoder.inShare(request.ip, () => this.draw(name, event, isSquare ? 'square' : 'wide')));
    void reply
      .headers({ 'cache-control': FOR_EVER, ...ANYWHERE })
      .type('image/jpeg')
      .send(bytes);
  }

  private async loadEvent(file: string, request: FastifyRequest): Promise<Event> {
    const id = SHARED.exec(file)?.[1] ?? '';
    if (!UUID_PATTERN.test(id)) throw new DomainError('PICTURE_NOT_FOUND');
    return this.misses.count({ name: `event ${id}`, request, missing: 'PICTURE_NOT_FOUND' }, () => {
      if (!this.cache.has(`/media/share/${file}`)) this.decoder.prepare();
      return this.events.pictured(id);
    });
  }

  private draw(name: string, event: Event | null, shape: CoverShape): Promise<Buffer> {
    const drawing = this.drawings.get(name) ?? this.drawn(name, event, shape);
    this.drawings.set(name, drawing);
    const forget = () => void this.drawings.delete(name);
    drawing.then(forget, forget);
    return drawing;
  }

  private async drawn(name: string, event: Event | null, shape: CoverShape): Promise<Buffer> {
    const bytes = await this.decoder.draw(await this.loadCover(event, shape));
    this.cache.set(name, bytes);
    return bytes;
  }

  private async loadCover(event: Event | null, shape: CoverShape): Promise<CoverPart | Drawing> {
    const colours = this.community.brandPalettes.both;
    if (event === null) return { svg: communitySvg(colours), format: 'jpeg' };
    const size = SHARE_IMAGES[shape];
    const hash = pictureHash('banners', event.bannerImageUrl);
    if (hash === undefined) return { svg: eventSvg(event, colours, size), format: 'jpeg' };
    const crop = shape === 'square' ? event.coverSquare : event.coverWide;
    return { ...size, cover: await this.fetch(GetBanner, hash), crop: crop ?? null };
  }

  private async send(
    { message, cacheControl, standing }: StoredKind,
    file: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const hash = parseHash(file);
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
        !(await this.services.read(standing, { hash }, ANONYMOUS))
      ) {
        this.cache.delete(name);
        throw new DomainError('PICTURE_NOT_FOUND');
      }
      return unchanged ? null : (kept ?? (await this.fetch(message, hash)));
    };
    const search = { name, request, missing: 'PICTURE_NOT_FOUND' } as const;
    const bytes = kept === undefined ? await this.misses.count(search, find) : await find();
    if (bytes === null) return void reply.headers(headers).status(304).send();
    void reply.headers(headers).type('image/webp').send(bytes);
  }

  private async fetch(message: Message<GetPictureRequest, PictureBytes>, hash: string): Promise<Buffer> {
    const { base64 } = await this.services.read(message, { hash }, ANONYMOUS);
    const bytes = Buffer.from(base64, 'base64');
    this.cache.set(message.name + hash, bytes);
    return bytes;
  }
}
