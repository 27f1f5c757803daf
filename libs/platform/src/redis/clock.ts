import type { Redis } from 'ioredis';

/** Milliseconds by which a computer's clock may gain or lose in one millisecond. */
const DRIFT = 1e-4;

/**
 * Redis's time, so that deadlines and tokens do not depend on the clocks of the hosts. It counts on from a comparison with the
 * monotonic clock: a host clock that jumps changes nothing.
 */
export class RedisClock {
  private offset = Date.now() - performance.now();
  /** Milliseconds by which `offset` may have been wrong at `compared`. */
  private error = Infinity;
  private compared = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return performance.now() + this.offset;
  }

  /**
   * Compares again (Cristian's algorithm). A slow answer, such as one that this process read late, is imprecise: it replaces an
   * earlier and better one only when both cannot be true, because it is another clock now.
   */
  async synchronise(redis: Redis): Promise<void> {
    const sent = performance.now();
    const [seconds, microseconds] = await redis.time();
    const received = performance.now();
    const offset = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - (sent + received) / 2;
    const error = (received - sent) / 2;
    const known = this.error + (received - this.compared) * DRIFT;
    if (error > known && Math.abs(offset - this.offset) <= error + known) return;
    Object.assign(this, { offset, error, compared: received });
  }
}
