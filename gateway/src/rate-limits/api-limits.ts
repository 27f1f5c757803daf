import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ANYTHING } from '../http/routes.js';
import { DoorLinks } from './door-links.js';
import { subscriber, type CountedNetwork } from '../networks.js';
import { loadMemberId, memberShare, RateLimiter } from './rate-limiter.js';
import type { RateLimitName } from './rate-limits.js';

/** Whether a request for the URL isn't counted, because it loads a file that isn't a page. */
const isFile = (url: string) => /\.(?!html?$)\w+$/i.test(url.split('?', 1)[0]!);

interface Group {
  size: number;
  counted: Promise<(position: number) => void>;
}

/**
 * Counts requests in groups. While Redis counts one group of a member or network, new requests wait and form
 * the next group (docs/scaling.md). This saves Redis commands and is still exact. Obsolete once the library
 * rate-limiter-flexible does the same.
 */
@Injectable()
export class ApiLimits {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly waiting = new Map<string, Group>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly doorLinks: DoorLinks,
  ) {}

  /**
   * Counts the request towards the general limit and the route's own limit, in one packet to Redis.
   * @throws DomainError RATE_LIMITED
   */
  count(request: FastifyRequest): Promise<unknown> {
    const { call, caller, ip, routeOptions } = request;
    if (routeOptions.config.door) {
      call.onReply = (size) => this.doorLinks.charge(request, size);
      return this.doorLinks.count(request);
    }
    if (caller === null) {
      call.onReply = (size) => this.limiter.charge('anonymous', subscriber(ip), size);
      return this.countVisitor(ip);
    }
    call.onReply = (size) => this.limiter.charge('signed-in', [{ key: caller.id, share: 1 }], size);
    const counted = this.join('signed-in', { key: caller.id, share: 1 });
    const { limit } = routeOptions.config;
    return limit === undefined ? counted : Promise.all([counted, this.limiter.consume(limit, caller.id)]);
  }

  /**
   * Counts the request towards its network's limit. If this limit is used up, counts the request towards the
   * member's limit instead.
   * @throws DomainError RATE_LIMITED
   */
  async countReader(request: FastifyRequest): Promise<void> {
    const { call, ip, url, routeOptions } = request;
    const { network } = routeOptions.config;
    if (!network || (routeOptions.url === ANYTHING && isFile(url))) return;
    call.onReply = (size) => this.limiter.charge(network, subscriber(ip), size);
    try {
      await this.limiter.consumeAll(network, subscriber(ip));
    } catch (refusal) {
      const member = await loadMemberId(request);
      if (member === null) throw refusal;
      await this.limiter.consumeAll(network, memberShare(member));
    }
  }

  /**
   * Refuses a request that was counted earlier if its limit has been used up since.
   * @throws DomainError RATE_LIMITED
   */
  refuseUsedUp({ caller, ip }: FastifyRequest): Promise<void> {
    return caller === null
      ? this.limiter.refuseUsedUp('anonymous', subscriber(ip))
      : this.limiter.refuseUsedUp('signed-in', [{ key: caller.id, share: 1 }]);
  }

  private async countVisitor(ip: string): Promise<void> {
    for (const network of subscriber(ip)) await this.join('anonymous', network);
  }

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
    this.waiting.delete(name); // The count starts here, so later requests form another group.
    const counting = this.limiter.consumeMany(limit, counted, size);
    // Hides the outcome, because the next group only waits until this group has been counted.
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
