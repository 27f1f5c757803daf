/** Result of a request. It is `unknown` after a 503, a broken connection or a missing answer. */
export type Outcome = 'ok' | 'refused' | 'unknown';

export interface Operation {
  kind: string;
  started: number;
  ended: number;
  outcome: Outcome;
  status: number;
  code?: string;
  /** What is wrong with the response itself, whether or not the request succeeded. */
  fault?: string;
}

/** Expected registration. A person who joined the waiting list stays `waiting`, even after a promotion. */
export type Place = 'taken' | 'waiting' | 'free' | 'unknown';

export class Ledger {
  readonly operations: Operation[] = [];
  /** Expected registration by `toRegistrationKey`, after the last definite answer. */
  readonly places = new Map<string, Place>();
  /** Result of the code request for each email address. */
  readonly codes = new Map<string, Outcome>();
  neverAsked: string[] = [];

  record(operation: Operation): void {
    this.operations.push(operation);
  }

  get events(): string[] {
    return [...new Set([...this.places.keys()].map((key) => key.split(' ')[1] ?? ''))];
  }

  count(outcome: Outcome): number {
    return this.operations.filter((operation) => operation.outcome === outcome).length;
  }

  /** Duration of the slowest answer in milliseconds. */
  get slowest(): number {
    return Math.max(0, ...this.operations.map(lasted));
  }

  get slowestRefusal(): Operation | undefined {
    const refusals = this.operations.filter(({ status }) => status === UNAVAILABLE);
    return refusals.toSorted((one, other) => lasted(other) - lasted(one))[0];
  }

  /**
   * Milliseconds from `healed` until at least `share` of the answers are definite for a whole second. Null if
   * that never happens.
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

export const lasted = ({ started, ended }: Operation) => ended - started;

const UNAVAILABLE = 503;
const SECOND = 1_000;
const STEP = 50;
/** Minimum number of requests in a second that counts as recovered. */
const ENOUGH = 5;

export const toRegistrationKey = (userId: string, eventId: string) => `${userId} ${eventId}`;
