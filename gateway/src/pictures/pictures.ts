import { createHash } from 'node:crypto';
import { DomainError, type PictureChange, type PictureKind } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../limits/rate-limiter.js';
import { decodeDataUrl } from './data-url.js';
import { PictureDecoder } from './decoder.js';

/** Turns what a payload says about a picture into what the owning service has to do (D19). */
@Injectable()
export class Pictures {
  constructor(
    private readonly decoder: PictureDecoder,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * `value` is a data URL (store), an own URL (keep), null or '' (remove) or undefined (leave as it is).
   * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN, SERVICE_OVERLOADED, RATE_LIMITED, VALIDATION_FAILED naming `field`
   */
  async change(
    value: string | null | undefined,
    { kind, field, userId }: { kind: PictureKind; field: string; userId: string },
  ): Promise<PictureChange> {
    if (value === undefined) return { action: 'keep' };
    if (value === null || value === '') return { action: 'remove' };
    if (new RegExp(`^/media/${kind}/[0-9a-f]{64}\\.webp$`).test(value)) return { action: 'keep', url: value };
    if (!value.startsWith('data:'))
      throw new DomainError('VALIDATION_FAILED', {
        fields: { [field]: [`${field} must be a data URL, the present picture's address or null`] },
      });
    await this.limiter.consume('pictures', userId);
    const { webp, width, height } = await this.decoder.decode(() => decodeDataUrl(value), kind);
    const hash = createHash('sha256').update(webp).digest('hex');
    return { action: 'store', picture: { hash, base64: webp.toString('base64'), width, height } };
  }
}
