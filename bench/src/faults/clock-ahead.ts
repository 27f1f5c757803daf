/** Milliseconds by which this file sets a process's clock ahead. Node imports the file before the program. */
const AHEAD = 10 * 60_000;
const RealDate = Date;

class DateAhead extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + AHEAD);
    else super(...(given as [number]));
  }

  static override now(): number {
    return RealDate.now() + AHEAD;
  }
}

globalThis.Date = DateAhead as DateConstructor;
