import { createHash } from 'node:crypto';
import {
  DomainError,
  invalidFields,
  pictureHash,
  PICTURES,
  type PictureChange,
  type PictureKind,
} from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { routeTraits } from '../http/access.js';
import { RateLimiter } from '../rate-limits/rate-limiter.js';
import { PictureDecoder } from './decoder.js';

const BASE64_CHARACTERS = 4;
const BASE64_BYTES = 3;

/**
 * Decodes a base64 data URL. Ignores its media type, because the decoder checks the content.
 * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN
 */
export function decodeDataUrl(url: string): Buffer {
  const comma = url.indexOf(',');
  if (comma === -1 || !/;base64$/i.test(url.slice(0, comma))) throw new DomainError('PICTURE_TYPE');
  const base64 = url.slice(comma + 1);
  if ((base64.length / BASE64_CHARACTERS) * BASE64_BYTES > PICTURES.maxBytes + BASE64_BYTES)
    throw new DomainError('PICTURE_TOO_LARGE');
  if (!isBase64(base64)) throw new DomainError('PICTURE_BROKEN');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > PICTURES.maxBytes) throw new DomainError('PICTURE_TOO_LARGE');
  return bytes;
}

/** Checks the text in parts, because one regular expression for a long text would overflow the stack. */
function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/]/);
  return end === -1 ? text !== '' : end > 0 && /^={1,2}$/.test(text.slice(end, end + 3));
}

/** Bytes. Base64 makes the image a third larger, and 128 KB are enough for the other fields. */
const BODY_LIMIT = Math.ceil(PICTURES.maxBytes / 3) * 4 + 128 * 1024;

export const IsPicture = (): PropertyDecorator => (target, name) => {
  IsString()(target, name);
  MaxLength(BODY_LIMIT)(target, name);
};

/** Raises the body limit of a route, so that it can take an image. */
export const TakesPicture = () => routeTraits({ bodyLimit: BODY_LIMIT });

@Injectable()
export class Pictures {
  constructor(
    private readonly decoder: PictureDecoder,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Keeps the image if `value` is undefined or the image's path, and removes it if `value` is null or ''.
   * @param size kind of image that determines the stored size
   * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN, SERVICE_OVERLOADED, RATE_LIMITED,
   * VALIDATION_FAILED naming `field`
   */
  async change(
    value: string | null | undefined,
    {
      kind,
      size = kind,
      field,
      userId,
      ip,
    }: { kind: PictureKind; size?: PictureKind; field: string; userId: string; ip: string },
  ): Promise<PictureChange> {
    if (value === undefined) return { action: 'keep' };
    if (value === null || value === '') return { action: 'remove' };
    if (pictureHash(kind, value) !== undefined) return { action: 'keep', url: value };
    if (!value.startsWith('data:'))
      throw invalidFields([field, 'must be a data URL, the path of the current image or null']);
    await this.limiter.consume('pictures', userId);
    const { webp, width, height } = await this.decoder.inShare(ip, () =>
      this.decoder.decode(() => decodeDataUrl(value), size),
    );
    const hash = createHash('sha256').update(webp).digest('hex');
    return { action: 'store', picture: { hash, base64: webp.toString('base64'), width, height } };
  }
}
