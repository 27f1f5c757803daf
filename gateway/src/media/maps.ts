import { createHash } from 'node:crypto';
import { DomainError, toMapUrl } from '@meetmark/contracts';
import { InjectCommunity, type PresentCommunity, runInCall, StartedCall } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pTimeout from 'p-timeout';
import { newRequestId } from '../http/request.js';
import { SharedTurns } from '../http/shared-budgets.js';
import { PictureDecoder } from './decoder.js';
import { PublicFetch } from './fetch-public.js';
import { KeptMaps } from './maps.repository.js';

const CAPACITY = 16 * 1024 * 1024;
/** Milliseconds that a map stays in memory. The worker deletes maps from the database after a month. */
const AT_HAND_FOR = 24 * 3_600_000;
const FAILED_FOR = 600_000;
const FAILED_KEPT = 2_000;
/** Milliseconds to make a map. Longer than a request waits, so that a later request finds the map. */
const MAKING = 15_000;
const WAIT = 4_000;

export interface VenueMap {
  webp: Buffer;
  etag: string;
}

/** Fetches each map once and stores it, so that the provider learns venue addresses but no visitors. */
@Injectable()
export class VenueMaps {
  private readonly logger = new Logger('Maps');
  private readonly atHand = new LRUCache<string, VenueMap>({
    maxSize: CAPACITY,
    ttl: AT_HAND_FOR,
    sizeCalculation: ({ webp }) => webp.length,
  });
  private readonly failed = new LRUCache<string, true>({ max: FAILED_KEPT, ttl: FAILED_FOR });
  private readonly making = new Map<string, Promise<VenueMap>>();
  private readonly turns = new SharedTurns('maps');

  constructor(
    private readonly fetcher: PublicFetch,
    private readonly decoder: PictureDecoder,
    private readonly stored: KeptMaps,
    @InjectCommunity() private readonly community: PresentCommunity,
  ) {}

  /** @throws DomainError PICTURE_NOT_FOUND if there is no map (yet), SERVICE_OVERLOADED */
  async of(venue: string, ip: string): Promise<VenueMap> {
    const { mapUrl } = this.community;
    const address = mapUrl === null ? null : toMapUrl(mapUrl, venue);
    if (address === null) throw new DomainError('PICTURE_NOT_FOUND');
    const key = createHash('sha256').update(address).digest();
    const name = key.toString('base64url');
    const kept = this.atHand.get(name);
    if (kept !== undefined) return kept;
    if (this.failed.has(name)) throw new DomainError('PICTURE_NOT_FOUND');
    const making = this.making.get(name) ?? this.begin(name, key, new URL(address), ip);
    return pTimeout(making, { milliseconds: WAIT, message: new DomainError('PICTURE_NOT_FOUND') });
  }

  private begin(name: string, key: Buffer, url: URL, ip: string): Promise<VenueMap> {
    const call = new StartedCall({ requestId: newRequestId(), timeLeft: MAKING });
    const making = runInCall(call, () => this.make(name, key, url, ip));
    this.making.set(name, making);
    const forget = () => void this.making.delete(name);
    making.then(forget, forget);
    return making;
  }

  private async make(name: string, key: Buffer, url: URL, ip: string): Promise<VenueMap> {
    const webp =
      (await this.stored.find(key)) ?? (await this.turns.run(ip, () => this.fetch(name, key, url)));
    const map = { webp, etag: `"${createHash('sha256').update(webp).digest('hex')}"` };
    this.atHand.set(name, map);
    return map;
  }

  private async fetch(name: string, key: Buffer, url: URL): Promise<Buffer> {
    try {
      const bytes = await this.fetcher.get(url);
      const { webp } = await this.decoder.decode(() => bytes, 'banners');
      await this.stored.keep(key, webp);
      return webp;
    } catch (error) {
      if (error instanceof DomainError && !error.code.startsWith('PICTURE_')) throw error;
      this.failed.set(name, true);
      this.logger.warn(`Could not fetch the map of a venue: ${getReason(error)}`);
      throw new DomainError('PICTURE_NOT_FOUND', undefined, { cause: error });
    }
  }
}

const getReason = (error: unknown) => (error as Partial<Error> | undefined)?.message || 'no response';
