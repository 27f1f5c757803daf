import type { Redis } from 'ioredis';

/** Assumed drift of the clock, as a fraction of the elapsed time. */
const DRIFT = 1e-4;

/**
 * Estimates Redis's clock. Deadlines and tokens use it, because the clocks of hosts may differ. The monotonic
 * clock measures the time between comparisons, so changes of the system clock have no effect.
 */
export class RedisClock {
  private offset = Date.now() - performance.now();
  /** Maximum error of `offset` in milliseconds at the time of the last comparison (`compared`). */
  private error = Infinity;
  private compared = 0;

  /** Milliseconds since 1970. */
  now(): number {
    return performance.now() + this.offset;
  }

  /**
   * Compares the clocks by Cristian's algorithm. A less precise result replaces a better one only if the two
   * contradict each other. A contradiction means that one of the clocks was changed.
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
