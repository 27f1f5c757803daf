/** Milliseconds that an admitted request should wait in an overload; also the period in which answers are counted. */
const WAIT = 250;
/** Milliseconds of waiting from which requests are refused. */
const TOO_LONG = 2 * WAIT;
/** Requests that may wait in any case: so many at once are no overload. */
const CROWD = 128;
/** Requests that may wait in an overload, however few are answered: enough to notice that the service is faster again. */
const LEAST = 16;
/** The part of the waiting requests that one network has for sure: it is let in although others fill the rest, up to twice as many in all. */
const SHARE = 0.1;
const MOST = 2;
/** Milliseconds for which an overload lasts after its last refusal. */
const BUSY_FOR = 1_000;

/**
 * Counts how many requests of one kind wait for their answer, and bounds them. By Little's law a request waits as long as it takes
 * to answer as many as wait. When that is too long, or a service has refused one, as many may wait as are answered in a quarter of
 * a second, until a second passes without a refusal. One network does not keep all others out.
 */
export class RouteConcurrency {
  private waiting = 0;
  private readonly waitingOf = new Map<string, number>();
  private answered = 0;
  private answeredBefore = 0;
  private countedSince: number;
  private busyUntil = 0;

  /** @param now milliseconds */
  constructor(private readonly now = () => performance.now()) {
    this.countedSince = now();
  }

  /** Whether the next request has to be refused; it then counts as refused. */
  isFull(network = ''): boolean {
    const now = this.now();
    this.count(now);
    const room = Math.max(LEAST, this.answeredBefore);
    if (now >= this.busyUntil || this.waiting < room) return false;
    const own = this.waitingOf.get(network) ?? 0;
    if (own < Math.ceil(room * SHARE) && this.waiting < room * MOST) return false;
    this.busyUntil = now + BUSY_FOR;
    return true;
  }

  begin(network = ''): void {
    this.waiting += 1;
    this.waitingOf.set(network, (this.waitingOf.get(network) ?? 0) + 1);
  }

  end({ answered }: { answered: boolean }, network = ''): void {
    this.waiting -= 1;
    const left = (this.waitingOf.get(network) ?? 0) - 1;
    if (left > 0) this.waitingOf.set(network, left);
    else this.waitingOf.delete(network);
    this.count(this.now());
    if (answered) this.answered += 1;
  }

  /** A service refused a request that was admitted. */
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
