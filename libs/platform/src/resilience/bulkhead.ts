import { DomainError } from '@meetmark/contracts';
import { currentCall } from '../call/call.js';

/** Seconds. */
const RETRY_AFTER = 1;

/**
 * After each task, a crowded slot rests for this multiple of the task's duration. It is thus busy for only a
 * quarter of the time.
 */
const RESTS = 3;

interface Limits {
  running: number;
  waiting: number;
  /** Maximum milliseconds that a task may wait; by default unlimited. */
  maxWait?: number;
  /**
   * Slots rest after each task if tasks have been waiting for this many milliseconds. By default, slots never
   * rest.
   */
  restsAfter?: number;
}

/**
 * Limits concurrent tasks, and drops tasks whose deadline has passed. No library does both (docs/adr/0007).
 */
export class Bulkhead {
  private running = 0;
  private readonly waiting = new Set<() => void>();
  private crowdedSince?: number;

  constructor(private readonly limits: Limits) {}

  /** @throws DomainError SERVICE_OVERLOADED, DEADLINE_EXCEEDED */
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
   * Call this before work that would be wasted if the task is rejected.
   * @throws DomainError SERVICE_OVERLOADED
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

  /** Hands the slot directly to the next waiting task, so that no new task can take it. */
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
