import { DomainError, type ErrorCode } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { subscriber } from '../networks.js';
import { limited, RateLimiter } from './rate-limiter.js';

/** Names and networks that are remembered. */
const REMEMBERED = 10_000;
/** Milliseconds for which a missing name counts as missing. */
const MISSING_FOR = 5_000;

/** A look-up and the address of its client. */
interface Search {
  name: string;
  ip: string;
  /** The refusal of the service for a missing name. */
  missing: ErrorCode;
}

/**
 * Most public responses are cached, and their limits are wide. A look-up of something that does not exist costs a
 * service's time, so it is counted for each subscriber, and its result is remembered.
 */
@Injectable()
export class Misses {
  /** Milliseconds since 1970 until which a name counts as missing. */
  private readonly missingUntil = new LRUCache<string, number>({ max: REMEMBERED });
  /** Milliseconds since 1970 until which the look-ups of a network are refused. */
  private readonly barred = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(private readonly limiter: RateLimiter) {}

  /** @throws DomainError `missing`, RATE_LIMITED, and whatever `find` throws */
  async count<T>({ name, ip, missing }: Search, find: () => Promise<T>): Promise<T> {
    const networks = subscriber(ip);
    const { key } = networks[0]!;
    const now = Date.now();
    const until = this.barred.get(key) ?? 0;
    if (until > now) throw limited(until - now);
    if ((this.missingUntil.get(name) ?? 0) > now) throw new DomainError(missing);
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== missing) throw error;
      this.missingUntil.set(name, now + MISSING_FOR);
      await this.limiter.consumeAll('misses', networks).catch((passed: unknown) => {
        if (passed instanceof DomainError)
          this.barred.set(key, now + (passed.details?.retryAfter ?? 1) * 1_000);
        throw passed;
      });
      throw error;
    }
  }
}
