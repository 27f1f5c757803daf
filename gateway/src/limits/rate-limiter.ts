import { DomainError } from '@meetmark/contracts';
import { sendTogether } from '@meetmark/platform/rpc/redis-connection';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { rateLimits, type RateLimitName } from './rate-limits.js';

const PREFIX = 'limit';

/** Counts in Redis, one atomic step each, shared by every replica (D37). */
@Injectable()
export class RateLimiter {
  private readonly limiters: Record<RateLimitName, RateLimiterRedis>;

  constructor(
    config: GatewayConfig,
    private readonly redis: GatewayRedis,
  ) {
    const limits = Object.entries(rateLimits(config.rateLimitProfile, config.rateLimits));
    this.limiters = Object.fromEntries(
      limits.map(([name, { points, seconds }]) => {
        const options = { keyPrefix: `${PREFIX}:${name}`, points, duration: seconds };
        // while Redis is away each gateway counts for itself
        const insuranceLimiter = new RateLimiterMemory(options);
        return [name, new RateLimiterRedis({ ...options, storeClient: redis.client, insuranceLimiter })];
      }),
    ) as Record<RateLimitName, RateLimiterRedis>;
  }

  /**
   * Counts one before the work is done, so that a thousand at the same moment count as a thousand.
   * @throws DomainError RATE_LIMITED
   */
  async consume(limit: RateLimitName, key: string): Promise<void> {
    const wait = await this.count(limit, key);
    if (wait !== null) throw limited(wait);
  }

  /** Counts several at once; the answer tells the one at `position` (from 1) whether it may pass. */
  async consumeMany(limit: RateLimitName, key: string, size: number): Promise<(position: number) => void> {
    sendTogether(this.redis.client);
    try {
      await this.limiters[limit].consume(key, size);
      return () => undefined;
    } catch (passed) {
      if (!(passed instanceof RateLimiterRes)) throw passed;
      const allowed = this.limiters[limit].points - (passed.consumedPoints - size);
      return (position) => {
        if (position > allowed) throw limited(passed.msBeforeNext);
      };
    }
  }

  /** Counts one; the milliseconds until the limit opens again when it is passed, else null. */
  async count(limit: RateLimitName, key: string): Promise<number | null> {
    try {
      await this.limiters[limit].consume(key);
      return null;
    } catch (passed) {
      if (!(passed instanceof RateLimiterRes)) throw passed;
      return passed.msBeforeNext;
    }
  }

  /** Takes one back: what was counted as a failure turned out not to be one. */
  async giveBack(limit: RateLimitName, key: string): Promise<void> {
    await this.limiters[limit].reward(key);
  }
}

/** @param wait milliseconds */
const limited = (wait: number) =>
  new DomainError('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) });
