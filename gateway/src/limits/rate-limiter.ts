import { DomainError } from '@meetmark/contracts';
import { sendTogether } from '@meetmark/platform/redis/connection';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import type { CountedNetwork } from './network.js';
import { rateLimits, type RateLimit, type RateLimitName } from './rate-limits.js';

const PREFIX = 'limit';

/** Counts in Redis, one atomic step each, shared by every replica. */
@Injectable()
export class RateLimiter {
  private readonly limiters = new Map<string, RateLimiterRedis>();
  private readonly limits: Record<RateLimitName, RateLimit>;

  constructor(
    config: GatewayConfig,
    private readonly redis: GatewayRedis,
  ) {
    this.limits = rateLimits(config.rateLimitProfile, config.rateLimits);
  }

  /**
   * Counts one before the work is done, so that a thousand at the same moment count as a thousand.
   * @throws DomainError RATE_LIMITED
   */
  async consume(limit: RateLimitName, key: string): Promise<void> {
    const wait = await this.count(limit, key);
    if (wait !== null) throw limited(wait);
  }

  /**
   * Counts one against each of the networks. The narrow ones come first and those around them only when these let it pass: what
   * one subscriber does beyond their own limit uses up nothing of their neighbours'.
   * @throws DomainError RATE_LIMITED
   */
  async consumeAll(limit: RateLimitName, networks: CountedNetwork[], prefix = ''): Promise<void> {
    for (const { key, share } of networks) {
      const wait = await this.count(limit, prefix + key, share);
      if (wait !== null) throw limited(wait);
    }
  }

  /** Counts several at once; the answer tells the one at `position` (from 1) whether it may pass. */
  async consumeMany(
    limit: RateLimitName,
    { key, share }: CountedNetwork,
    size: number,
  ): Promise<(position: number) => void> {
    sendTogether(this.redis.client);
    const limiter = this.limiter(limit, share);
    try {
      await limiter.consume(key, size);
      return () => undefined;
    } catch (passed) {
      if (!(passed instanceof RateLimiterRes)) throw passed;
      const allowed = limiter.points - (passed.consumedPoints - size);
      return (position) => {
        if (position > allowed) throw limited(passed.msBeforeNext);
      };
    }
  }

  /** Counts one; the milliseconds until the limit opens again when it is passed, else null. */
  async count(limit: RateLimitName, key: string, share = 1): Promise<number | null> {
    try {
      await this.limiter(limit, share).consume(key);
      return null;
    } catch (passed) {
      if (!(passed instanceof RateLimiterRes)) throw passed;
      return passed.msBeforeNext;
    }
  }

  /** Takes one back: what was counted as a failure turned out not to be one. */
  async giveBack(limit: RateLimitName, key: string, share = 1): Promise<void> {
    await this.limiter(limit, share).reward(key);
  }

  private limiter(limit: RateLimitName, share: number): RateLimiterRedis {
    const name = `${limit} ${share}`;
    let limiter = this.limiters.get(name);
    if (limiter === undefined) {
      const { points, seconds } = this.limits[limit];
      const options = { keyPrefix: `${PREFIX}:${limit}`, points: points * share, duration: seconds };
      // while Redis is away each gateway counts for itself
      const insuranceLimiter = new RateLimiterMemory(options);
      limiter = new RateLimiterRedis({ ...options, storeClient: this.redis.client, insuranceLimiter });
      this.limiters.set(name, limiter);
    }
    return limiter;
  }
}

/** @param wait milliseconds */
export const limited = (wait: number) =>
  new DomainError('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) });
