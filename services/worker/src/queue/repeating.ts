/**
 * Runs `work` repeatedly, as many milliseconds after it ended as `every` says then, or at once after wake(); never twice at the same time. Schedulers such as
 * toad-scheduler can neither be woken nor awaited when they stop (docs/adr/0007).
 */
export class Repeating {
  private endPause: (() => void) | undefined;
  private woken = false;
  private stopping = new AbortController();
  private ended: Promise<void> = Promise.resolve();

  /** @param failed receives what `work` throws; the next round follows anyway */
  constructor(
    private readonly every: number | (() => number),
    private readonly work: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(): void {
    this.ended = this.run();
  }

  /** Starts a round at once, or right after the running one. */
  wake(): void {
    this.woken = true;
    this.endPause?.();
  }

  /** Resolves when the running round, if any, has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.endPause?.();
    await this.ended;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = false;
      await this.work().catch(this.failed);
      if (!this.woken && !this.stopping.signal.aborted) await this.pause();
    }
  }

  private async pause(): Promise<void> {
    const { every } = this;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.endPause = resolve;
      timer = setTimeout(resolve, typeof every === 'number' ? every : every());
    });
    clearTimeout(timer);
    this.endPause = undefined;
  }
}
