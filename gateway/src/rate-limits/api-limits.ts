import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ANYTHING } from '../http/routes.js';
import { DoorLinks } from './door-links.js';
import { subscriber, type CountedNetwork } from '../networks.js';
import { loadMemberId, memberShare, RateLimiter } from './rate-limiter.js';
import type { RateLimitName } from './rate-limits.js';

/** Whether the URL is of a file of the web application, which isn't counted. `.html` files are pages. */
const isFile = (url: string) => /\.(?!html?$)\w+$/i.test(url.split('?', 1)[0]!);

interface Group {
  size: number;
  counted: Promise<(position: number) => void>;
}

/**
 * While Redis counts a request of a member or network, their further requests wait and are then counted
 * together (docs/scaling.md). This saves Redis commands and is still exact. Obsolete once the limiter does
 * the same.
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
   * Counts the request, also towards the route's own limit, in the same packet to Redis.
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
   * Counts the request for its network. If that limit is used up, counts it for the member.
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
    // Only the requests of this group get the outcome. The next group just waits for the end.
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
