/** Milliseconds without a pull that came back, while Redis answers all else, after which only a new start helps. */
const DEAF = 60_000;

/** Whether a consumer still hears of its queue. Pulls come back every second, with work or without. */
export class Hearing {
  private last: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.last = now();
  }

  /** A pull came back. */
  heard(): void {
    this.last = this.now();
  }

  /** Redis answers nothing at all: then a new start would not help either. */
  excuse(): void {
    this.last = this.now();
  }

  /** Milliseconds. */
  get silentFor(): number {
    return this.now() - this.last;
  }

  get deaf(): boolean {
    return this.silentFor > DEAF;
  }
}
