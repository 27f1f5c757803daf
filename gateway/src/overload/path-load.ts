/** Milliseconds that whoever is let in should wait while there is too much to do; also for how long answers are counted. */
const WAIT = 250;
/** Milliseconds of waiting that are too much: from then on not everybody is let in. */
const TOO_LONG = 2 * WAIT;
/** Requests that may wait in any case: a crowd of this size is no overload, even if it comes out of nowhere. */
const CROWD = 128;
/** Requests that may wait in an overload, however few are answered: enough to find out that it goes faster again. */
const LEAST = 16;
/** Milliseconds after the last refusal in which there still is too much to do. */
const BUSY_FOR = 1_000;

/**
 * How many requests of one kind wait for their answer, and how many may. By Little's law they wait for as long as it takes to
 * answer as many. When that becomes too long, or a service has refused one, as many may wait as are answered in a quarter of a second,
 * until for a second nobody had to be refused.
 */
export class PathLoad {
  private waiting = 0;
  private answered = 0;
  private answeredBefore = 0;
  private countedSince: number;
  private busyUntil = 0;

  /** @param now milliseconds */
  constructor(private readonly now = () => performance.now()) {
    this.countedSince = now();
  }

  /** Whether the next one has to be refused, which then counts as refused. */
  isFull(): boolean {
    const now = this.now();
    this.count(now);
    if (now >= this.busyUntil || this.waiting < Math.max(LEAST, this.answeredBefore)) return false;
    this.busyUntil = now + BUSY_FOR;
    return true;
  }

  begin(): void {
    this.waiting += 1;
  }

  end({ answered }: { answered: boolean }): void {
    this.waiting -= 1;
    this.count(this.now());
    if (answered) this.answered += 1;
  }

  /** One that was let in had to be refused after all. */
  refused(): void {
    this.busyUntil = this.now() + BUSY_FOR;
  }

  private count(now: number): void {
    const passed = now - this.countedSince;
    if (passed < WAIT) return;
    this.answeredBefore = Math.round((this.answered * WAIT) / passed);
    this.answered = 0;
    this.countedSince = now;
    if (this.waiting > Math.max(CROWD, (this.answeredBefore * TOO_LONG) / WAIT))
      this.busyUntil = now + BUSY_FOR;
  }
}
