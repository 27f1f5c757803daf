import { createHash } from 'node:crypto';
import { ADDRESS_TOKEN, DomainError } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { subscriber } from '../networks.js';
import { RateLimiter } from './rate-limiter.js';
import { RATE_LIMITS } from './rate-limits.js';

/** Links that one gateway remembers. */
const REMEMBERED = 10_000;
/** Milliseconds for which a link that worked is known: as long as Redis counts what comes by it. */
const KNOWN_FOR = RATE_LIMITS.door.seconds * 1_000;

/** The token of the link that a phone at the door sends; empty without one. */
const tokenOf = ({ headers }: FastifyRequest): string =>
  /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';

/** The link as a key of what is counted, which does not open the door. */
const linkOf = (request: FastifyRequest): string =>
  createHash('sha256').update(tokenOf(request)).digest('base64url');

const networkOf = ({ ip }: FastifyRequest) => subscriber(ip)[0]!;

/**
 * Calls of phones at the door. Those by a link that has worked are counted for the link and the network: a venue is one network, its phones
 * do not use up what its guests have, nor the links each other's. A link that is not known is a try of its network, counted before anything is done for it: a
 * network that has used them up reaches the door by known links alone, and what it invents leaves no trace.
 */
@Injectable()
export class DoorLinks {
  /** Milliseconds since 1970 until which a link is known here. */
  private readonly working = new LRUCache<string, number>({ max: REMEMBERED });
  private readonly tries = new WeakSet<FastifyRequest>();

  constructor(private readonly limiter: RateLimiter) {}

  /** Before the body is read. @throws DomainError RATE_LIMITED */
  async count(request: FastifyRequest): Promise<void> {
    const link = linkOf(request);
    if (await this.isKnown(link, request))
      return this.limiter.consumeAll('door', [networkOf(request)], `${link} `);
    this.tries.add(request);
    await this.limiter.consumeAll('door-tries', subscriber(request.ip));
  }

  /** The key by which other limits count the request: the link, once it is known. */
  keyOf(request: FastifyRequest): string {
    return this.tries.has(request) ? networkOf(request).key : linkOf(request);
  }

  /** @throws DomainError DOOR_LINK_ENDED, and whatever `work` throws */
  async use<T>(request: FastifyRequest, work: (token: string) => Promise<T>): Promise<T> {
    const token = tokenOf(request);
    const isTry = this.tries.has(request);
    try {
      if (!ADDRESS_TOKEN.test(token)) throw new DomainError('DOOR_LINK_ENDED');
      const result = await work(token);
      this.working.set(linkOf(request), Date.now() + KNOWN_FOR);
      if (isTry) await this.welcome(request);
      return result;
    } catch (error) {
      const ended = error instanceof DomainError && error.code === 'DOOR_LINK_ENDED';
      if (ended) this.working.delete(linkOf(request));
      if (ended && !isTry) await this.limiter.consumeAll('door-tries', subscriber(request.ip));
      if (!ended && isTry) await this.giveBack(request);
      throw error;
    }
  }

  private async isKnown(link: string, request: FastifyRequest): Promise<boolean> {
    if ((this.working.get(link) ?? 0) > Date.now()) return true;
    return this.limiter.isCounted('door', `${link} ${networkOf(request).key}`);
  }

  /** Makes the link known to every gateway. */
  private async welcome(request: FastifyRequest): Promise<void> {
    const key = `${linkOf(request)} ${networkOf(request).key}`;
    await Promise.all([this.limiter.count('door', key), this.giveBack(request)]);
  }

  private async giveBack({ ip }: FastifyRequest): Promise<void> {
    await Promise.all(
      subscriber(ip).map(({ key, share }) => this.limiter.giveBack('door-tries', key, share)),
    );
  }
}
