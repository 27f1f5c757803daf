/** `unknown`: the answer does not say whether it was done (503, a broken connection, no answer). */
export type Outcome = 'ok' | 'refused' | 'unknown';

export interface Operation {
  kind: string;
  /** Milliseconds since 1970. */
  started: number;
  ended: number;
  outcome: Outcome;
  /** 0 when the connection broke. */
  status: number;
  /** Of the error, when the answer was one. */
  code?: string;
  /** What was wrong with the answer itself, whatever it said. */
  fault?: string;
}

/** `waiting`: on the waiting list, or promoted from it since. */
export type Place = 'taken' | 'waiting' | 'free' | 'unknown';

/** Everything that was asked of the system, and what it said. */
export class Ledger {
  readonly operations: Operation[] = [];
  /** `user event`: what the last definite answer means for the table. */
  readonly places = new Map<string, Place>();
  /** Addresses for which a code was asked for, and whether that was acknowledged. */
  readonly codes = new Map<string, Outcome>();
  /** Addresses of accounts for which no code was requested. */
  neverAsked: string[] = [];

  record(operation: Operation): void {
    this.operations.push(operation);
  }

  /** Every event whose places changed. */
  get events(): string[] {
    return [...new Set([...this.places.keys()].map((key) => key.split(' ')[1] ?? ''))];
  }

  count(outcome: Outcome): number {
    return this.operations.filter((operation) => operation.outcome === outcome).length;
  }

  /** Longest answer, milliseconds. */
  get slowest(): number {
    return Math.max(0, ...this.operations.map(lasted));
  }

  /** The 503 that took longest. */
  get slowestRefusal(): Operation | undefined {
    const refusals = this.operations.filter(({ status }) => status === UNAVAILABLE);
    return refusals.toSorted((one, other) => lasted(other) - lasted(one))[0];
  }

  /**
   * Milliseconds from `healed` to the beginning of the first second of which `share` of the operations had a definite answer;
   * null when there is none.
   */
  recovery(healed: number, share = 0.95): number | null {
    const after = this.operations.filter(({ started }) => started >= healed);
    const last = after.reduce((latest, { started }) => Math.max(latest, started), 0);
    for (let from = healed; from <= last; from += STEP) {
      const second = after.filter(({ started }) => started >= from && started < from + SECOND);
      const definite = second.filter(({ outcome }) => outcome !== 'unknown');
      if (second.length >= ENOUGH && definite.length / second.length >= share) return from - healed;
    }
    return null;
  }
}

/** Milliseconds from question to answer. */
export const lasted = ({ started, ended }: Operation) => ended - started;

const UNAVAILABLE = 503;
const SECOND = 1_000;
const STEP = 50;
/** Operations without which a second says nothing. */
const ENOUGH = 5;

export const placeOf = (userId: string, eventId: string) => `${userId} ${eventId}`;
