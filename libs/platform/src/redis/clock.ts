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
/** As `whenIdle`: milliseconds between two looks of a process that is idle. */
export const IDLE_TICK = 1_000;
/** Milliseconds without work after which a process is idle. */
const IDLE_AFTER = 5_000;

interface Look {
  every: number;
  whenIdle: number;
  work: (late: number) => void;
  /** When its next turn is, by performance.now(). */
  due: number;
}

const looks = new Set<Look>();
let timer: NodeJS.Timeout | undefined;
let worked = performance.now();
let idle = false;

/** Milliseconds until `before` the next whole multiple of `period` by the clock of this host: between 1 and `period`. */
export const untilNext = (period: number, before = 0): number => period - ((Date.now() + before) % period);

/**
 * Calls `work` every so many milliseconds, a multiple of TICK, until what is returned is called; the first time is no later than that. What
 * is regular in the processes of a host happens in one turn of their event loops, and Redis answers all of them at once: to wake a process
 * costs more than what most of it then does. It does not keep the process alive.
 * @param work gets the milliseconds by which it comes late
 * @param whenIdle milliseconds instead of `every` while this process has no work; the first work then comes together with a turn
 */
export function onTicks(every: number, work: (late: number) => void, whenIdle = every): () => void {
  const look = { every, whenIdle, work, due: performance.now() + untilNext(every) };
  looks.add(look);
  arm();
  return () => {
    looks.delete(look);
    arm();
  };
}

/**
 * To be called before somebody's request is worked on. After an idle time all that was looked at less often is looked at first, so a loss that
 * was not noticed yet is noticed as soon after the request as it would have been otherwise.
 */
export function noteWork(): void {
  worked = performance.now();
  if (!idle) return;
  idle = false;
  for (const look of looks) if (look.whenIdle > look.every) take(look, worked);
  arm();
}

function arm(): void {
  clearTimeout(timer);
  timer = undefined;
  if (looks.size === 0) return;
  const next = Math.min(...Array.from(looks, ({ due }) => due));
  timer = setTimeout(tick, Math.ceil(next - performance.now())).unref();
}

function tick(): void {
  const now = performance.now();
  idle = now - worked >= IDLE_AFTER;
  for (const look of looks) if (look.due - now < TICK / 2) take(look, now);
  arm();
}

function take(look: Look, now: number): void {
  const late = Math.max(0, now - look.due);
  const period = idle ? look.whenIdle : look.every;
  const wait = untilNext(period);
  // a timer may be a millisecond early
  look.due = now + (wait < TICK / 2 ? wait + period : wait);
  look.work(late);
}
