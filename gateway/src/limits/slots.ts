import { DomainError } from '@meetmark/contracts';

/** Lets a bounded number run at a time and a bounded number wait; beyond that it says no at once. */
export class Slots {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly size: number,
    private readonly queue: number,
  ) {}

  /** @throws DomainError SERVICE_OVERLOADED */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.size) {
      if (this.waiting.length >= this.queue)
        throw new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started' });
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next(); // takes over this place
    }
  }
}
