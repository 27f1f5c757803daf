/** Work that has begun: how much there is room for, and when all of it has ended. */
export class InFlight {
  private active = 0;
  private roomMade: () => void = () => undefined;
  private emptied: () => void = () => undefined;

  constructor(private readonly limit: number) {}

  get count(): number {
    return this.active;
  }

  /** How many more may begin. */
  get room(): number {
    return this.limit - this.active;
  }

  begin(work: Promise<void>): void {
    this.active += 1;
    void work.finally(() => {
      this.active -= 1;
      this.roomMade();
      if (this.active === 0) this.emptied();
    });
  }

  /** Resolves when something has ended, or nobody need wait any more. */
  roomOrRelease(): Promise<void> {
    return new Promise((resolve) => (this.roomMade = resolve));
  }

  release(): void {
    this.roomMade();
  }

  /** False when something is still under way after `patience` milliseconds. */
  ended(patience: number): Promise<boolean> {
    if (this.active === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patience);
      this.emptied = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
