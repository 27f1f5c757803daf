import { DomainError } from '@meetmark/contracts';
import { currentCall } from '../rpc/call.js';

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 1;

interface Limits {
  running: number;
  waiting: number;
  /** Milliseconds that a task may wait for its turn; as long as it takes unless given. */
  patience?: number;
}

/**
 * Runs at most `running` tasks at once, lets `waiting` more wait their turn, and refuses the rest at once: for work that keeps a
 * processor busy, or something else that there is little of.
 */
export class Slots {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: Limits) {}

  /** @throws DomainError SERVICE_OVERLOADED when too many wait or it took too long, DEADLINE_EXCEEDED when the caller gave up meanwhile */
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
    if (this.running >= this.limits.running && this.waiting.size >= this.limits.waiting) throw overloaded();
  }

  private async turn(): Promise<void> {
    this.refuseWhenFull();
    if (this.running < this.limits.running) {
      this.running += 1;
      return;
    }
    await this.passed();
  }

  /** Once a place is passed on to this one. */
  private passed(): Promise<void> {
    const { patience } = this.limits;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.waiting.delete(next);
        reject(overloaded());
      };
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
      const next = () => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(next);
    });
  }

  /** The place goes to the one that waited longest, without becoming free in between. */
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
