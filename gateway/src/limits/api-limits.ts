import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { subscriber, type CountedNetwork } from './network.js';
import { RateLimiter } from './rate-limiter.js';
import type { RateLimitName } from './rate-limits.js';

/** Requests of one key that wait to be counted together. */
interface Group {
  size: number;
  /** How many of the group may pass, or why none may. */
  counted: Promise<(position: number) => void>;
}

/** The limits that every call counts against: those of the account, or of the address for who is not signed in. */
@Injectable()
export class ApiLimits {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly waiting = new Map<string, Group>();

  constructor(private readonly limiter: RateLimiter) {}

  /** @throws DomainError RATE_LIMITED */
  async count({ caller, ip }: FastifyRequest): Promise<void> {
    if (caller !== null) return this.join('signed-in', { key: caller.id, share: 1 });
    for (const network of subscriber(ip)) await this.join('anonymous', network);
  }

  /** What comes while one counting of the same key is on its way is counted in one step after it: exact all the same. */
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
    this.waiting.delete(name); // too late to join: the counting begins
    const counting = this.limiter.consumeMany(limit, counted, size);
    // what came of it is told to those who are counted in it; the next group only waits for its end
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
