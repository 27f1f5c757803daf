import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { subscriber } from './network.js';
import { RateLimiter } from './rate-limiter.js';

/** The limits that every call counts against: those of the account, or of the address for who is not signed in. */
@Injectable()
export class ApiLimits {
  constructor(private readonly limiter: RateLimiter) {}

  async count({ caller, ip }: FastifyRequest): Promise<void> {
    if (caller === null) await this.limiter.consume('anonymous', subscriber(ip));
    else await this.limiter.consume('signed-in', caller.id);
  }
}
