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

/** Milliseconds between two ticks, which come at the same moments in all processes of a host. */
export const TICK = 500;

interface Look {
  every: number;
  work: () => void;
  /** Ticks until its next turn. */
  left: number;
}

const looks = new Set<Look>();
let timer: NodeJS.Timeout | undefined;

/** Milliseconds until `before` the next whole multiple of `period` by the clock of this host: between 1 and `period`. */
export const untilNext = (period: number, before = 0): number => period - ((Date.now() + before) % period);

/**
 * Calls `work` every so many milliseconds, a multiple of TICK, until what is returned is called; the first time is no later than that. What
 * is regular in the processes of a host happens in one turn of their event loops, and Redis answers all of them at once: to wake a process
 * costs more than what most of it then does. It does not keep the process alive.
 */
export function onTicks(every: number, work: () => void): () => void {
  const look = { every, work, left: every / TICK };
  looks.add(look);
  timer ??= setTimeout(tick, untilNext(TICK)).unref();
  return () => {
    looks.delete(look);
    if (looks.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function tick(): void {
  const wait = untilNext(TICK);
  // a timer may be a millisecond early
  timer = setTimeout(tick, wait < TICK / 2 ? wait + TICK : wait).unref();
  for (const look of looks) {
    look.left -= 1;
    if (look.left > 0) continue;
    look.left = look.every / TICK;
    look.work();
  }
}
