import { DomainError } from '@meetmark/contracts';
import { currentCall } from '../call/call.js';

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 1;

/** The processor is needed for a quarter of the time then, also where several replicas share a machine. */
const RESTS = 3;

interface Limits {
  running: number;
  waiting: number;
  /** Milliseconds that a task may wait for its turn; unlimited unless given. */
  maxWait?: number;
  /** Milliseconds for which tasks wait without a break until each place rests after each task, `RESTS` times as long as it took; never unless given. */
  restsAfter?: number;
}

/**
 * Runs at most `running` tasks at once, queues `waiting` more, and refuses the rest at once: for work that uses a scarce resource,
 * such as a processor. Libraries bound the queue or the wait, none drops a task whose caller gave up (docs/adr/0007).
 */
export class Bulkhead {
  private running = 0;
  private readonly waiting = new Set<() => void>();
  /** Since when tasks wait without a break, as performance.now() says it. */
  private crowdedSince?: number;

  constructor(private readonly limits: Limits) {}

  /** @throws DomainError SERVICE_OVERLOADED when too many wait or it took too long, DEADLINE_EXCEEDED when the caller gave up meanwhile */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.turn();
    const began = performance.now();
    try {
      const call = currentCall();
      if (call !== undefined && Date.now() >= call.deadline)
        throw new DomainError('DEADLINE_EXCEEDED', { outcome: 'not-started', retryAfter: RETRY_AFTER });
      return await task();
    } finally {
      if (this.isLongCrowded()) setTimeout(() => this.pass(), RESTS * (performance.now() - began));
      else this.pass();
    }
  }

  private isLongCrowded(): boolean {
    const { restsAfter = Infinity } = this.limits;
    this.crowdedSince = this.waiting.size === 0 ? undefined : (this.crowdedSince ?? performance.now());
    return this.crowdedSince !== undefined && performance.now() - this.crowdedSince >= restsAfter;
  }

  /**
   * For a caller that does other work first, which would be wasted.
   * @throws DomainError SERVICE_OVERLOADED when a task would be refused now
   */
  refuseWhenFull(): void {
    if (this.running >= this.limits.running && this.waiting.size >= this.limits.waiting) throw overloaded();
  }

  private async turn(): Promise<void> {
    this.refuseWhenFull();
    if (this.running < this.limits.running) {
      this.running += 1;
      return;
    }
    await this.turnPassed();
  }

  /** Resolves when a finished task passes its place on. */
  private turnPassed(): Promise<void> {
    const { maxWait } = this.limits;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.waiting.delete(next);
        reject(overloaded());
      };
      const timer = maxWait === undefined ? undefined : setTimeout(giveUp, maxWait);
      const next = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(next);
    });
  }

  /** Passes the place to the task that waited longest, without freeing it in between. */
  private pass(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.running -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}

const overloaded = () =>
  new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started', retryAfter: RETRY_AFTER });
