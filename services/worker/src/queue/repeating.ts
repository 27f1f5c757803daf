import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** Repeats `work`, one run at a time. toad-scheduler can't be woken or awaited (docs/adr/0007). */
export abstract class Repeating implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  private endPause: (() => void) | undefined;
  private woken = false;
  private stopping = new AbortController();
  private ended: Promise<void> = Promise.resolve();

  /**
   * @param every milliseconds between the end of a run and the next run
   * @param failed log message if `work` fails; it is repeated anyway
   */
  constructor(
    protected every: number,
    private readonly failed: string,
  ) {}

  protected abstract work(): Promise<void>;

  onApplicationBootstrap(): void {
    this.ended = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.endPause?.();
    await this.ended;
  }

  protected readonly wake = (): void => {
    this.woken = true;
    this.endPause?.();
  };

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = false;
      await this.work().catch((err: unknown) => this.logger.warn({ msg: this.failed, err }));
      if (!this.woken && !this.stopping.signal.aborted) await this.pause();
    }
  }

  private async pause(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.endPause = resolve;
      timer = setTimeout(resolve, this.every);
    });
    clearTimeout(timer);
    this.endPause = undefined;
  }
}
