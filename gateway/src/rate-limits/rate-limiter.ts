import { createHash } from 'node:crypto';
import { DomainError } from '@meetmark/contracts';
import { sendTogether } from '@meetmark/platform/redis/connection';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { GatewayConfig } from '../gateway.config.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { subscriber, type CountedNetwork } from './networks.js';
import { rateLimits, type RateLimit, type RateLimitName } from './rate-limits.js';

const PREFIX = 'limit';

/** What goes wrong with limits is answered as if it had not: the log alone says it. Tests of the gateway fail by it. */
export const limitsLogger = new Logger('Limits');

/** Counts in Redis, in atomic steps, for all replicas together. */
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

  private limiter(limit: RateLimitName, share: number): RateLimiterRedis {
    const name = `${limit} ${share}`;
    let limiter = this.limiters.get(name);
    if (limiter === undefined) {
      const { points, seconds } = this.limits[limit];
      const options = { keyPrefix: `${PREFIX}:${limit}`, points: points * share, duration: seconds };
      // while Redis is away, each gateway counts alone
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

/** Of the link that a phone at the door sends; empty without one. */
export const doorTokenOf = ({ headers }: FastifyRequest): string =>
  /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';

/** The same as a key of what is counted, which does not open the door. */
export const doorLinkOf = (request: FastifyRequest): string =>
  createHash('sha256').update(doorTokenOf(request)).digest('base64url');

/** Requests of one key that are counted together. */
interface Group {
  size: number;
  /** Throws for a position beyond the limit. */
  counted: Promise<(position: number) => void>;
}

/**
 * The limit of every call: that of the account, or of the network for visitors. Requests that arrive while one of the same key is being
 * counted are counted together in one step after it, exactly: of the processor time of GET /api/user, 6 % are the two Redis clients
 * (docs/scaling.md), and one command for each request would be more. It can go when the limiter itself batches.
 */
@Injectable()
export class ApiLimits {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly waiting = new Map<string, Group>();

  constructor(private readonly limiter: RateLimiter) {}

  /** The account's own limit at the same time, as one packet: a slow Redis is waited for once. @throws DomainError RATE_LIMITED */
  count(request: FastifyRequest): Promise<unknown> {
    const { caller, ip, routeOptions } = request;
    if (routeOptions.config.door) return this.countAtDoor(request);
    if (caller === null) return this.countVisitor(ip);
    const counted = this.join('signed-in', { key: caller.id, share: 1 });
    const { limit } = routeOptions.config;
    return limit === undefined ? counted : Promise.all([counted, this.limiter.consume(limit, caller.id)]);
  }

  /** A venue is one network: its phones do not use up what its guests have, nor the links each other's. */
  private countAtDoor(request: FastifyRequest): Promise<void> {
    return this.limiter.consumeAll('door', subscriber(request.ip).slice(0, 1), `${doorLinkOf(request)} `);
  }

  private async countVisitor(ip: string): Promise<void> {
    for (const network of subscriber(ip)) await this.join('anonymous', network);
  }

  /** Joins the group of this key that is counted next. */
  private async join(limit: RateLimitName, counted: CountedNetwork): Promise<void> {
    const name = `${limit} ${counted.key}`;
    let group = this.waiting.get(name);
    if (group === undefined) {
      group = { size: 0, counted: this.afterRunning(name, limit, counted) };
      this.waiting.set(name, group);
    }
    const position = (group.size += 1);
    (await group.counted)(position);
  }

  private async afterRunning(name: string, limit: RateLimitName, counted: CountedNetwork) {
    await this.running.get(name);
    const { size } = this.waiting.get(name)!;
    this.waiting.delete(name); // the count begins: later requests form another group
    const counting = this.limiter.consumeMany(limit, counted, size);
    // its requests learn the outcome; the next group only waits for the end
    const finished = counting.then(
      () => undefined,
      () => undefined,
    );
    this.running.set(name, finished);
    try {
      return await counting;
    } finally {
      if (this.running.get(name) === finished) this.running.delete(name);
    }
  }
}
