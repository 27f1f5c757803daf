import { DomainError, type PictureChange, type PictureKind } from '@meetmark/contracts';
import { Slots } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { decodeDataUrl } from './data-url.js';
import { reencode } from './reencode.js';

const QUEUE = 20;

/** Turns what a payload says about a picture into what the owning service has to do (D19). */
@Injectable()
export class Pictures {
  private readonly slots: Slots;

  constructor(
    config: GatewayConfig,
    private readonly limiter: RateLimiter,
  ) {
    this.slots = new Slots({ running: config.pictureConcurrency, waiting: QUEUE });
  }

  /**
   * `value` is a data URL (store), an own URL (keep), null or '' (remove) or undefined (leave as it is).
   * @throws DomainError PICTURE_TYPE, PICTURE_TOO_LARGE, PICTURE_BROKEN, RATE_LIMITED, VALIDATION_FAILED naming `field`
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
    const picture = await this.slots.run(() => reencode(decodeDataUrl(value), kind));
    return { action: 'store', picture };
  }
}
