import { createHash } from 'node:crypto';
import { DomainError, mapAddressOf } from '@meetmark/contracts';
import { InjectCommunity, type PresentCommunity, runInCall, StartedCall } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { newRequestId } from '../http/request.js';
import { SharedTurns } from '../http/shared-budgets.js';
import { PictureDecoder } from './decoder.js';
import { PublicFetch } from './fetch-public.js';
import { KeptMaps } from './maps.repository.js';

/** Bytes of maps that one gateway has at hand. */
const CAPACITY = 16 * 1024 * 1024;
/** Milliseconds for which one is at hand: the worker removes what is a month old. */
const AT_HAND_FOR = 24 * 3_600_000;
/** Milliseconds after which a map that could not be had is asked for again, and how many of them are remembered. */
const FAILED_FOR = 600_000;
const FAILED_KEPT = 2_000;
/** Milliseconds that making one may take, longer than the request that began it lasts: the next one finds it. */
const MAKING = 15_000;
/** Milliseconds for which a request waits. */
const WAIT = 4_000;

export interface VenueMap {
  webp: Buffer;
  etag: string;
}

/**
 * Pictures of the places of venues, from the provider that the settings name. Each is fetched once and kept; who looks at an event never
 * meets the provider, and cannot have it asked for anything but the venue of an event.
 */
@Injectable()
export class VenueMaps {
  private readonly logger = new Logger('Maps');
  private readonly atHand = new LRUCache<string, VenueMap>({
    maxSize: CAPACITY,
    ttl: AT_HAND_FOR,
    sizeCalculation: ({ webp }) => webp.length,
  });
  private readonly failed = new LRUCache<string, true>({ max: FAILED_KEPT, ttl: FAILED_FOR });
  /** Those that are being made, shared by all who ask meanwhile. */
  private readonly making = new Map<string, Promise<VenueMap>>();
  private readonly turns = new SharedTurns('maps');

  constructor(
    private readonly fetcher: PublicFetch,
    private readonly decoder: PictureDecoder,
    private readonly stored: KeptMaps,
    @InjectCommunity() private readonly community: PresentCommunity,
  ) {}

  /** @throws DomainError PICTURE_NOT_FOUND when there is none, or none yet; SERVICE_OVERLOADED */
  async of(venue: string, ip: string): Promise<VenueMap> {
    const { mapUrl } = this.community;
    const address = mapUrl === null ? null : mapAddressOf(mapUrl, venue);
    if (address === null) throw new DomainError('PICTURE_NOT_FOUND');
    const key = createHash('sha256').update(address).digest();
    const name = key.toString('base64url');
    const kept = this.atHand.get(name);
    if (kept !== undefined) return kept;
    if (this.failed.has(name)) throw new DomainError('PICTURE_NOT_FOUND');
    const making = this.making.get(name) ?? this.begin(name, key, new URL(address), ip);
    return soon(making);
  }

  /** As a call of its own. */
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
      // a machine that is busy is no fault of the provider
      if (error instanceof DomainError && !error.code.startsWith('PICTURE_')) throw error;
      this.failed.set(name, true);
      this.logger.warn(`there is no map of a venue: ${reasonOf(error)}`);
      throw new DomainError('PICTURE_NOT_FOUND', undefined, { cause: error });
    }
  }
}

const reasonOf = (error: unknown) => (error as Partial<Error> | undefined)?.message || 'it did not answer';

/** What takes longer is there for who asks next. @throws DomainError PICTURE_NOT_FOUND */
async function soon<T>(making: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DomainError('PICTURE_NOT_FOUND')), WAIT);
  });
  try {
    return await Promise.race([making, late]);
  } finally {
    clearTimeout(timer);
  }
}
