import { createHash } from 'node:crypto';
import { ADDRESS_TOKEN, DomainError } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { subscriber } from '../networks.js';
import { RateLimiter } from './rate-limiter.js';
import { RATE_LIMITS } from './rate-limits.js';

const REMEMBERED = 10_000;
const KNOWN_FOR = RATE_LIMITS.door.seconds * 1_000;

const getToken = ({ headers }: FastifyRequest): string =>
  /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';

/** Hashes the link's token, because the key in Redis must not give access to the door. */
const getLinkKey = (request: FastifyRequest): string =>
  createHash('sha256').update(getToken(request)).digest('base64url');

const getNetwork = ({ ip }: FastifyRequest) => subscriber(ip)[0]!;

/**
 * Gives each working door link its own limit, so that a venue's phones don't use up the limit of the guests
 * or of other phones. Requests with unknown links count towards a limit of their network. Once that limit is
 * used up, only known links are accepted.
 */
@Injectable()
export class DoorLinks {
  /** For each link, the time until which it stays known, in milliseconds since 1970. */
  private readonly working = new LRUCache<string, number>({ max: REMEMBERED });
  private readonly tries = new WeakSet<FastifyRequest>();

  constructor(private readonly limiter: RateLimiter) {}

  /** @throws DomainError RATE_LIMITED */
  async count(request: FastifyRequest): Promise<void> {
    const link = getLinkKey(request);
    if (await this.isKnown(link, request))
      return this.limiter.consumeAll('door', [getNetwork(request)], `${link} `);
    this.tries.add(request);
    await this.limiter.consumeAll('door-tries', subscriber(request.ip));
  }

  /** @param size characters of the reply. Only working links get a reply. */
  charge(request: FastifyRequest, size: number): void {
    this.limiter.charge('door', [getNetwork(request)], size, `${getLinkKey(request)} `);
  }

  getKey(request: FastifyRequest): string {
    return this.tries.has(request) ? getNetwork(request).key : getLinkKey(request);
  }

  /**
   * Runs `work` with the link's token and remembers whether the link works.
   * @throws DomainError DOOR_LINK_ENDED, and errors of `work`
   */
  async use<T>(request: FastifyRequest, work: (token: string) => Promise<T>): Promise<T> {
    const token = getToken(request);
    const isTry = this.tries.has(request);
    try {
      if (!ADDRESS_TOKEN.test(token)) throw new DomainError('DOOR_LINK_ENDED');
      const result = await work(token);
      this.working.set(getLinkKey(request), Date.now() + KNOWN_FOR);
      if (isTry) await this.welcome(request);
      return result;
    } catch (error) {
      const ended = error instanceof DomainError && error.code === 'DOOR_LINK_ENDED';
      if (ended) this.working.delete(getLinkKey(request));
      if (ended && !isTry) await this.limiter.consumeAll('door-tries', subscriber(request.ip));
      if (!ended && isTry) await this.giveBack(request);
      throw error;
    }
  }

  private async isKnown(link: string, request: FastifyRequest): Promise<boolean> {
    if ((this.working.get(link) ?? 0) > Date.now()) return true;
    return this.limiter.isCounted('door', `${link} ${getNetwork(request).key}`);
  }

  private async welcome(request: FastifyRequest): Promise<void> {
    const key = `${getLinkKey(request)} ${getNetwork(request).key}`;
    await Promise.all([this.limiter.count('door', key), this.giveBack(request)]);
  }

  private async giveBack({ ip }: FastifyRequest): Promise<void> {
    await Promise.all(
      subscriber(ip).map(({ key, share }) => this.limiter.giveBack('door-tries', key, share)),
    );
  }
}
