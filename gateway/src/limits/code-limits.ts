import { Injectable } from '@nestjs/common';
import { subscriber } from './network.js';
import { RateLimiter } from './rate-limiter.js';

/** Limits on asking for codes and on guessing them, by network alone; the tries of one code are the auth service's. */
@Injectable()
export class CodeLimits {
  constructor(private readonly limiter: RateLimiter) {}

  async request(ip: string): Promise<void> {
    // at the same time: a request has its limits behind it before a Redis that answers late has used up its time
    await Promise.all([
      this.limiter.consumeAll('code-requests', subscriber(ip)),
      this.limiter.consumeAll('code-requests-daily', subscriber(ip)),
    ]);
  }

  attempt(ip: string): Promise<void> {
    return this.limiter.consumeAll('code-attempts', subscriber(ip));
  }

  /** New addresses that one account asks for. */
  addressChange(userId: string): Promise<void> {
    return this.limiter.consume('address-changes', userId);
  }
}
