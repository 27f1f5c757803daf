import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ANYTHING } from '../http/routes.js';
import { DoorLinks } from './door-links.js';
import { subscriber, type CountedNetwork } from '../networks.js';
import { RateLimiter } from './rate-limiter.js';
import type { RateLimitName } from './rate-limits.js';

/** What has an ending in its name is a file of the web application, and costs no work; a page may be asked for as `.html`. */
const isFile = (url: string) => /\.(?!html?$)\w+$/i.test(url.split('?', 1)[0]!);

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

  constructor(
    private readonly limiter: RateLimiter,
    private readonly doorLinks: DoorLinks,
  ) {}

  /** The account's own limit at the same time, as one packet: a slow Redis is waited for once. @throws DomainError RATE_LIMITED */
  count(request: FastifyRequest): Promise<unknown> {
    const { caller, ip, routeOptions } = request;
    if (routeOptions.config.door) return this.doorLinks.count(request);
    if (caller === null) return this.countVisitor(ip);
    const counted = this.join('signed-in', { key: caller.id, share: 1 });
    const { limit } = routeOptions.config;
    return limit === undefined ? counted : Promise.all([counted, this.limiter.consume(limit, caller.id)]);
  }

  /** Counts a request for a page or picture that is the same for everybody. @throws DomainError RATE_LIMITED */
  async countReader({ ip, url, routeOptions }: FastifyRequest): Promise<void> {
    const { network } = routeOptions.config;
    if (!network || (routeOptions.url === ANYTHING && isFile(url))) return;
    await this.limiter.consumeAll(network, subscriber(ip));
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
