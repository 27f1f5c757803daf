/** Milliseconds. The longest wait during an overload, and also the period for counting responses. */
const WAIT = 250;
const TOO_LONG = 2 * WAIT;
/** Up to this many waiting requests don't count as an overload. */
const CROWD = 128;
/** This many requests may wait even in an overload. Their responses show when the service has recovered. */
const LEAST = 16;
/**
 * Fraction of the allowed waiting requests that each network may always use. These shares may raise the total
 * to `MOST` times the allowed number.
 */
const SHARE = 0.1;
const MOST = 2;
/** An overload ends after this many milliseconds without a refusal. */
const BUSY_FOR = 1_000;

/**
 * By Little's law, the waiting time is the number of waiting requests divided by the rate of responses. When
 * the waiting time gets too long or a service refuses a request, the route is overloaded. Then only as many
 * requests may wait as are answered in `WAIT`.
 */
export class RouteConcurrency {
  private waiting = 0;
  private readonly waitingOf = new Map<string, number>();
  private answered = 0;
  private answeredBefore = 0;
  private countedSince: number;
  private busyUntil = 0;

  constructor(private readonly now = () => performance.now()) {
    this.countedSince = now();
  }

  /** Returns whether to refuse the network's next request. A refusal prolongs the overload. */
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
