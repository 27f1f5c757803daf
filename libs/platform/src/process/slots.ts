import { DomainError } from '@meetmark/contracts';
import { currentCall } from '../rpc/call.js';

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 1;

/** Runs at most `running` tasks at once, lets `waiting` more wait their turn, and refuses the rest at once: for work that keeps a processor busy. */
export class Slots {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: { running: number; waiting: number }) {}

  /** @throws DomainError SERVICE_OVERLOADED when too many wait, DEADLINE_EXCEEDED when the caller gave up meanwhile */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.turn();
    try {
      const call = currentCall();
      if (call !== undefined && Date.now() >= call.deadline)
        throw new DomainError('DEADLINE_EXCEEDED', { outcome: 'not-started', retryAfter: RETRY_AFTER });
      return await task();
    } finally {
      this.pass();
    }
  }

  /**
   * For whoever would do other work first, which would be in vain.
   * @throws DomainError SERVICE_OVERLOADED when a task would be refused now
   */
  refuseWhenFull(): void {
    if (this.running >= this.limits.running && this.waiting.length >= this.limits.waiting)
      throw new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started', retryAfter: RETRY_AFTER });
  }

  private async turn(): Promise<void> {
    this.refuseWhenFull();
    if (this.running < this.limits.running) {
      this.running += 1;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** The place goes to the one that waited longest, without becoming free in between. */
  private pass(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
