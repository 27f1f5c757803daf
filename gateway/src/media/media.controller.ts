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
import { patternUrl, PATTERNS } from '@meetmark/contracts/cover-pattern';
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
import {
  communityPictureUrl,
  patternFile,
  shareDrawing,
  sharePictureUrl,
  squareDrawing,
  whenOf,
} from './share-picture.js';

/** Seconds: a banner's name is the hash of its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Kept, but confirmed before each use: a member's picture is deleted with the account. */
const ASK_EACH_TIME = 'no-cache';
/** Bytes of pictures that one gateway caches. */
const CAPACITY = 64 * 1024 * 1024;

const COMMUNITY = /^community-\d{1,10}\.jpg$/;
const SHARED = /^([0-9a-f-]{36})-(\d{1,10}(?:-\d{1,10})?)\.jpg$/;
const PATTERN_FILE = /^(\d{1,2})-[0-9a-z]{1,7}\.svg$/;
const FOUND = 302;
/** Mail readers in a browser and pages of other sites show it. */
const ANYWHERE = { 'cross-origin-resource-policy': 'cross-origin' };

const hashOf = (file: string) => /^([0-9a-f]{64})\.webp$/.exec(file)?.[1];

interface StoredKind {
  message: Message<GetPictureRequest, PictureBytes>;
  cacheControl: string;
  /** Says whether the picture still exists; sent before a copy is used. */
  standing?: Message<GetPictureRequest, boolean>;
}

const redirected = (reply: FastifyReply, present: string) =>
  void reply.headers({ 'cache-control': ASK_EACH_TIME, ...ANYWHERE }).redirect(present, FOUND);

/** Stored pictures, and what is drawn of them. */
@Controller('media')
export class MediaController {
  /** By kind and hash: a member's picture is not served as a banner. */
  private readonly cache = new LRUCache<string, Buffer>({
    maxSize: CAPACITY,
    sizeCalculation: (bytes) => bytes.length,
  });

  /** Those that are being made. */
  private readonly drawings = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly services: Services,
    private readonly misses: Misses,
    private readonly events: EventResponses,
    private readonly decoder: PictureDecoder,
    private readonly sizes: CoverSizes,
    @InjectCommunity() private readonly community: PresentCommunity,
  ) {}

  @Describe({ summary: "A member's picture", answers: { 200: 'image/webp' }, refuses: ['PICTURE_NOT_FOUND'] })
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
    summary:
      "An event's banner; with `width=480`, `800` or `1200` at most so many pixels wide, once that is made: until then the banner itself, which no cache keeps unasked",
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
    summary: "A picture of an event's gallery, as long as it is there; with `width` as of banners",
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

  /** As wide as it is asked for. */
  private async sized(
    kind: StoredKind,
    file: string,
    width: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (width === undefined) return this.send(kind, file, request, reply);
    const wanted = COVER_WIDTHS.find((each) => String(each) === width);
    const hash = hashOf(file);
    if (wanted === undefined || hash === undefined) throw new DomainError('PICTURE_NOT_FOUND');
    const { message, standing } = kind;
    if (standing !== undefined) {
      const search = { name: message.name + hash, ip: request.ip, missing: 'PICTURE_NOT_FOUND' } as const;
      await this.misses.count(search, () => this.requireStanding(standing, hash));
    }
    const narrowTag = `"${hash}-${wanted}"`;
    const has = isFresh(request.headers, narrowTag);
    const { bytes, isMade } = has
      ? { bytes: null, isMade: true }
      : await this.narrowOf(message, hash, wanted, request.ip);
    // the whole one is to be confirmed before each use: the narrower one has another tag once it is made
    const etag = isMade ? narrowTag : `"${hash}"`;
    const cacheControl = isMade ? kind.cacheControl : ASK_EACH_TIME;
    void reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' });
    if (bytes === null || isFresh(request.headers, etag)) return void reply.status(304).send();
    void reply.type('image/webp').send(bytes);
  }

  /** @throws DomainError PICTURE_NOT_FOUND */
  private async requireStanding(standing: NonNullable<StoredKind['standing']>, hash: string): Promise<void> {
    if (!(await this.services.read(standing, { hash }, ANONYMOUS)))
      throw new DomainError('PICTURE_NOT_FOUND');
  }

  /** The whole one until it is made. @throws DomainError PICTURE_NOT_FOUND */
  private async narrowOf(
    message: StoredKind['message'],
    hash: string,
    width: number,
    ip: string,
  ): Promise<{ bytes: Buffer; isMade: boolean }> {
    const whole = message.name + hash;
    const name = `${whole} ${width}`;
    const made = this.cache.get(name);
    if (made !== undefined) return { bytes: made, isMade: true };
    const search = { name: whole, ip, missing: 'PICTURE_NOT_FOUND' } as const;
    const bytes = this.cache.get(whole) ?? (await this.misses.count(search, () => this.fetch(message, hash)));
    this.sizes.want(name, async () => {
      // others that were asked for meanwhile may have taken its place: then somebody will ask again
      const stored = this.cache.get(whole);
      if (stored !== undefined) this.cache.set(name, await this.decoder.narrow(stored, width));
    });
    return { bytes, isMade: false };
  }

  @Describe({
    summary: 'A logo of the community or of one of its sponsors',
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
    summary: "A pattern that stands for an event's picture; that of other colours leads to the present one",
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
    summary:
      'What an event, or the community (`community-1.jpg`), is shown by where its address is shared; with `shape=square` the cover of an event alone, as mails show it; another version leads to the present one',
    answers: { 200: 'image/jpeg', 302: null },
    refuses: ['PICTURE_NOT_FOUND', 'VALIDATION_FAILED'],
  })
  @Get('share/:file')
  @Access('public')
  @SameForAll('media')
  async share(
    @Param('file') file: string,
    @Query('shape') shape: unknown,
    @Req() { ip }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isOfCommunity = COMMUNITY.test(file);
    // a query and no other name: a gateway of the version before answers the wide one, and no broken picture
    const isSquare = shape === 'square' && !isOfCommunity;
    if (shape !== undefined && !isSquare) throw invalidFields(['shape', 'must be square, and of an event']);
    const event = isOfCommunity ? null : await this.eventOf(file, ip);
    const present =
      event === null ? communityPictureUrl(this.community) : sharePictureUrl(event, this.community);
    const name = isSquare ? `${present}?shape=square` : present;
    if (present !== `/media/share/${file}`) return redirected(reply, name);
    const bytes =
      this.cache.get(name) ??
      (await this.decoder.inShare(ip, () => this.draw(name, event, isSquare ? 'square' : 'wide')));
    void reply
      .headers({ 'cache-control': FOR_EVER, ...ANYWHERE })
      .type('image/jpeg')
      .send(bytes);
  }

  /** @throws DomainError PICTURE_NOT_FOUND */
  private async eventOf(file: string, ip: string): Promise<Event> {
    const id = SHARED.exec(file)?.[1] ?? '';
    if (!UUID_PATTERN.test(id)) throw new DomainError('PICTURE_NOT_FOUND');
    return this.misses.count({ name: `event ${id}`, ip, missing: 'PICTURE_NOT_FOUND' }, () => {
      if (!this.cache.has(`/media/share/${file}`)) this.decoder.prepare();
      return this.events.pictured(id);
    });
  }

  /** Requests for the same picture that come meanwhile share it. @param event null: of the community */
  private draw(name: string, event: Event | null, shape: CoverShape): Promise<Buffer> {
    const drawing = this.drawings.get(name) ?? this.drawn(name, event, shape);
    this.drawings.set(name, drawing);
    const forget = () => void this.drawings.delete(name);
    drawing.then(forget, forget);
    return drawing;
  }

  private async drawn(name: string, event: Event | null, shape: CoverShape): Promise<Buffer> {
    const hash = pictureHash('banners', event?.bannerImageUrl ?? null);
    const cover = hash === undefined ? null : await this.fetch(GetBanner, hash);
    const { name: community, headline, tagline, brandPalettes, font } = this.community;
    const words =
      event === null
        ? { title: headline, when: tagline, community, font }
        : { title: event.title, when: whenOf(event, this.community), community, font };
    const drawn = event && { id: event.id, coverPattern: event.coverPattern ?? null };
    const ground = { hasCover: cover !== null, colours: brandPalettes.both };
    const bytes = await this.decoder.draw(() => ({
      ...(drawn !== null && shape === 'square'
        ? squareDrawing({ ...ground, drawn })
        : shareDrawing(words, { ...ground, drawn })),
      cover,
      crop: shape === 'square' ? event?.coverSquare : event?.coverWide,
    }));
    this.cache.set(name, bytes);
    return bytes;
  }

  private async send(
    { message, cacheControl, standing }: StoredKind,
    file: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const hash = hashOf(file);
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
    const search = { name, ip: request.ip, missing: 'PICTURE_NOT_FOUND' } as const;
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
