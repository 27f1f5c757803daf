import { Injectable } from '@nestjs/common';
import { subscriber } from './network.js';
import { RateLimiter } from './rate-limiter.js';

/** Limits on asking for reset codes and on guessing them (B.4, T6); the five tries of one code are the auth service's. */
@Injectable()
export class ResetCodeLimits {
  constructor(private readonly limiter: RateLimiter) {}

  async request(email: string, ip: string): Promise<void> {
    await this.limiter.consume('code-requests-by-network', subscriber(ip));
    const account = email.toLowerCase();
    // at the same time: a request has its limits behind it before a Redis that answers late has used up its time
    await Promise.all([
      this.limiter.consume('code-requests', account),
      this.limiter.consume('code-requests-daily', account),
    ]);
  }

  async attempt(email: string, ip: string): Promise<void> {
    await this.limiter.consume('code-attempts-by-network', subscriber(ip));
    await this.limiter.consume('code-attempts', email.toLowerCase());
  }
}
