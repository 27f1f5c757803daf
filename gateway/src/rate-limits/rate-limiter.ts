import { DomainError } from '@meetmark/contracts';
import { sendTogether } from '@meetmark/platform/redis/connection';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import type { CountedNetwork } from '../networks.js';
import { COUNTED_ALONE, rateLimits, type RateLimit, type RateLimitName } from './rate-limits.js';

const PREFIX = 'limit';
/** Limit of a known browser or account, as a fraction of a network's limit. */
export const OWN_SHARE = 0.1;

/** Logs failures that don't affect responses. Tests fail if this logs anything. */
export const limitsLogger = new Logger('Limits');

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
   * Must be called before the work, so that parallel requests all count.
   * @throws DomainError RATE_LIMITED
   */
  async consume(limit: RateLimitName, key: string): Promise<void> {
    const wait = await this.count(limit, key);
    if (wait !== null) throw limited(wait);
  }

  /**
   * Counts the narrowest network first. Wider networks don't count a refused request, because that would use
   * up the neighbours' limit.
   * @throws DomainError RATE_LIMITED
   */
  async consumeAll(limit: RateLimitName, networks: CountedNetwork[], prefix = ''): Promise<void> {
    for (const { key, share } of networks) {
      const wait = await this.count(limit, prefix + key, share);
      if (wait !== null) throw limited(wait);
    }
  }

  /** @returns a function that throws if the request at `position` (from 1) exceeds the limit */
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

  /** @returns milliseconds until the limit resets if the request exceeds it, otherwise null */
  async count(limit: RateLimitName, key: string, share = 1): Promise<number | null> {
    try {
      await this.limiter(limit, share).consume(key);
      return null;
    } catch (passed) {
      if (!(passed instanceof RateLimiterRes)) throw passed;
      return passed.msBeforeNext;
    }
  }

  /** Counts a large reply, so that later requests may be refused. `size` is in characters. */
  charge(limit: RateLimitName, networks: CountedNetwork[], size: number, prefix = ''): void {
    const { characters = Infinity } = this.limits[limit];
    const points = Math.floor(size / characters);
    if (points === 0) return;
    for (const { key, share } of networks)
      this.limiter(limit, share)
        .penalty(prefix + key, points)
        .catch((error: unknown) =>
          limitsLogger.warn({ err: error, msg: 'Could not count a large response against its rate limit' }),
        );
  }

  /**
   * Refuses a request that waited while others used up the limit. Does nothing without Redis.
   * @throws DomainError RATE_LIMITED
   */
  async refuseUsedUp(limit: RateLimitName, networks: CountedNetwork[]): Promise<void> {
    const { client } = this.redis;
    for (const { key, share } of networks) {
      const name = `${PREFIX}:${limit}:${key}`;
      const reading = Promise.all([client.get(name), client.pttl(name)]);
      const [count, wait] = await reading.catch(() => [null, 0] as const);
      if (Number(count) > this.limiter(limit, share).points) throw limited(wait);
    }
  }

  async giveBack(limit: RateLimitName, key: string, share = 1): Promise<void> {
    await this.limiter(limit, share).reward(key);
  }

  /** Whether any gateway has counted the key. False without Redis. */
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
      const options = {
        keyPrefix: `${PREFIX}:${limit}`,
        points: Math.ceil(points * share),
        duration: seconds,
      };
      // Counts in this gateway, for the limits in `COUNTED_ALONE` and while Redis is unavailable.
      const alone = new RateLimiterMemory(options);
      limiter = COUNTED_ALONE.has(limit)
        ? alone
        : new RateLimiterRedis({ ...options, storeClient: this.redis.client, insuranceLimiter: alone });
      this.limiters.set(name, limiter);
    }
    return limiter;
  }
}

/** Anonymous routes load the session only here, when the network's limit is used up. */
export async function loadMemberId(request: FastifyRequest): Promise<string | null> {
  if (request.session === null) await request.server.loadSession(request);
  return request.session?.userId ?? null;
}

export const memberShare = (userId: string): CountedNetwork[] => [
  { key: `account ${userId}`, share: OWN_SHARE },
];

/** @param wait milliseconds */
export const limited = (wait: number) =>
  new DomainError('RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil(wait / 1_000)) });
