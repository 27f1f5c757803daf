/**
 * Milliseconds that a message may wait for a replica: longer than a moment's crowd needs, and short enough that whoever is let in
 * is still answered within DEADLINES.call.
 */
export const LONGEST_WAIT = 1_000;
/** Messages that may wait whatever the pace: a replica that stalls for a moment is no overload. */
const LEAST = 64;
/** Milliseconds for which nobody asks a queue that was full: a fiftieth of it is taken meanwhile, and asking costs Redis twice. */
export const FULL_FOR = LONGEST_WAIT / 50;
/** Milliseconds for which a bound holds unless it is told anew. */
export const BOUND_LIFE = 2_000;

/**
 * How many messages may wait, so that the newest of them is taken within LONGEST_WAIT; null while none waits for long. A queue
 * that grew to `waiting` while its oldest waited for `age` milliseconds is taken at about waiting / age (Little's law).
 */
export function boundFor(waiting: number, age: number): number | null {
  if (age < LONGEST_WAIT / 2) return null;
  return Math.max(LEAST, Math.floor((waiting * LONGEST_WAIT) / age));
}
