import { DomainError, type ErrorCode } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { subscriber, type CountedNetwork } from '../networks.js';
import { limited, loadMemberId, memberShare, RateLimiter } from './rate-limiter.js';

const REMEMBERED = 10_000;
const MISSING_FOR = 5_000;

interface Search {
  name: string;
  request: FastifyRequest;
  missing: ErrorCode;
}

/** Limits look-ups of missing resources, which cost a service time. Members have their own limit. */
@Injectable()
export class Misses {
  /** Milliseconds since 1970. */
  private readonly missingUntil = new LRUCache<string, number>({ max: REMEMBERED });
  /** When the block of a network or member ends, in milliseconds since 1970. */
  private readonly barred = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(private readonly limiter: RateLimiter) {}

  /** @throws DomainError `missing`, RATE_LIMITED, and errors of `find` */
  async count<T>({ name, request, missing }: Search, find: () => Promise<T>): Promise<T> {
    const now = Date.now();
    const networks = subscriber(request.ip);
    const member = this.getWaitTime(networks, now) > 0 ? await loadMemberId(request) : null;
    const counted = member === null ? networks : memberShare(member);
    const wait = this.getWaitTime(counted, now);
    if (wait > 0) throw limited(wait);
    if ((this.missingUntil.get(name) ?? 0) > now) throw new DomainError(missing);
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== missing) throw error;
      this.missingUntil.set(name, now + MISSING_FOR);
      await this.limiter.consumeAll('misses', counted).catch((passed: unknown) => {
        if (passed instanceof DomainError)
          this.barred.set(counted[0]!.key, now + (passed.details?.retryAfter ?? 1) * 1_000);
        throw passed;
      });
      throw error;
    }
  }

  private getWaitTime([narrowest]: CountedNetwork[], now: number): number {
    return (this.barred.get(narrowest!.key) ?? 0) - now;
  }
}
