import { DomainError, type ErrorCode } from '@meetmark/contracts';
import { BoundedMap } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { subscriber } from './network.js';
import { limited, RateLimiter } from './rate-limiter.js';

/** Names and networks that are kept in mind. */
const KEPT = 10_000;
/** Milliseconds for which what was nowhere is taken to be nowhere still. */
const REMEMBERED = 5_000;

/** What to look for, on whose behalf. */
interface Search {
  name: string;
  ip: string;
  /** How a service says that it is nowhere. */
  missing: ErrorCode;
}

/**
 * What is the same for all is read without being counted, since most of it is at hand. Looking for what does not exist costs a
 * service's time: that is counted for each subscriber, and what was not found is remembered.
 */
@Injectable()
export class Misses {
  /** Milliseconds since 1970, by name. */
  private readonly nowhere = new BoundedMap<string, number>(KEPT);
  /** Until when nothing is looked for on their behalf, by network. */
  private readonly barred = new BoundedMap<string, number>(KEPT);

  constructor(private readonly limiter: RateLimiter) {}

  /** @throws DomainError `missing`, RATE_LIMITED, and whatever `find` throws */
  async count<T>({ name, ip, missing }: Search, find: () => Promise<T>): Promise<T> {
    const networks = subscriber(ip);
    const { key } = networks[0]!;
    const now = Date.now();
    const until = this.barred.get(key) ?? 0;
    if (until > now) throw limited(until - now);
    if ((this.nowhere.get(name) ?? 0) > now) throw new DomainError(missing);
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== missing) throw error;
      this.nowhere.set(name, now + REMEMBERED);
      await this.limiter.consumeAll('misses', networks).catch((passed: unknown) => {
        if (passed instanceof DomainError)
          this.barred.set(key, now + (passed.details?.retryAfter ?? 1) * 1_000);
        throw passed;
      });
      throw error;
    }
  }
}
