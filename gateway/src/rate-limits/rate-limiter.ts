import { DomainError } from '@meetmark/contracts';
import { sendTogether } from '@meetmark/platform/redis/connection';
import { Injectable, Logger } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import type { CountedNetwork } from '../networks.js';
import { COUNTED_ALONE, rateLimits, type RateLimit, type RateLimitName } from './rate-limits.js';

const PREFIX = 'limit';

/** What goes wrong with limits is answered as if it had not: the log alone says it. Tests of the gateway fail by it. */
export const limitsLogger = new Logger('Limits');

/** Counts in Redis, in atomic steps, for all replicas together; what each gateway counts alone, in its memory. */
@Injectable()
export class RateLimiter {
  private readonly limiters = new Map<string, RateLimiterRedis | RateLimiterMemory>();
  private readonly limits: Record<RateLimitName, RateLimit>;

  constructor(
    config: GatewayConfig,
    private readonly redis: GatewayRedis,
  ) {
    this.limits = rateLimits(config.rateLimitProfile, config.rateLimits);
  }

  /**
   * Counts before the work is done, so that parallel requests are all counted.
   * @throws DomainError RATE_LIMITED
   */
  async consume(limit: RateLimitName, key: string): Promise<void> {
    const wait = await this.count(limit, key);
    if (wait !== null) throw limited(wait);
  }

  /**
   * Counts against each of the networks, the narrow ones first. The wider ones are counted only if the narrow ones pass: a subscriber
   * beyond their own limit uses up nothing of their neighbours' limit.
   * @throws DomainError RATE_LIMITED
   */
  async consumeAll(limit: RateLimitName, networks: CountedNetwork[], prefix = ''): Promise<void> {
    for (const { key, share } of networks) {
      const wait = await this.count(limit, prefix + key, share);
      if (wait !== null) throw limited(wait);
    }
  }

  /** Counts several at once. @returns a function that throws if the request at `position` (from 1) exceeds the limit */
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

  /** Counts one. @returns the milliseconds until the limit opens again if it is exceeded, else null */
  async count(limit: RateLimitName, key: string, share = 1): Promise<number | null> {
    try {
      await this.limiter(limit, share).consume(key);
      return null;
    } catch (passed) {
      if (!(passed instanceof RateLimiterRes)) throw passed;
      return passed.msBeforeNext;
    }
  }

  /** Takes one back that was counted as a failure and was none. */
  async giveBack(limit: RateLimitName, key: string, share = 1): Promise<void> {
    await this.limiter(limit, share).reward(key);
  }

  /** Whether something of this key is counted at present, at any gateway; false while Redis is away. */
  isCounted(limit: RateLimitName, key: string): Promise<boolean> {
    return this.redis.client.get(`${PREFIX}:${limit}:${key}`).then(
      (count) => count !== null,
      () => false,
    );
  }

  private limiter(limit: RateLimitName, share: number): RateLimiterRedis | RateLimiterMemory {
    const name = `${limit} ${share}`;
    let limiter = this.limiters.get(name);
    if (limiter === undefined) {
      const { points, seconds } = this.limits[limit];
      const options = { keyPrefix: `${PREFIX}:${limit}`, points: points * share, duration: seconds };
      // also what is counted in Redis while Redis is away
      const alone = new RateLimiterMemory(options);
      limiter = COUNTED_ALONE.has(limit)
        ? alone
        : new RateLimiterRedis({ ...options, storeClient: this.redis.client, insuranceLimiter: alone });
      this.limiters.set(name, limiter);
    }
    return limiter;
  }
}

/** @param wait milliseconds */
export const limited = (wait: number) =>
  new DomainError('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) });
