import type { Redis } from 'ioredis';

/**
 * Redis's time, so that deadlines and tokens do not depend on the clocks of the hosts agreeing. Counts on from the last
 * comparison with the monotonic clock: a host clock that jumps changes nothing.
 */
export class RedisClock {
  private offset = Date.now() - performance.now();

  /** Milliseconds since 1970. */
  now(): number {
    return performance.now() + this.offset;
  }

  async synchronise(redis: Redis): Promise<void> {
    const before = performance.now();
    const [seconds, microseconds] = await redis.time();
    const middle = (before + performance.now()) / 2;
    this.offset = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - middle;
  }
}
