import type { Event } from './events.js';

/** Whether one can register for an event at a moment, and if not, why. */
export const REGISTRATION_STATES = [
  /** Registration has not opened yet. */
  'scheduled',
  'open',
  /** Full, and one can join the waiting list. */
  'waitlist',
  /** Full, without a waiting list. */
  'full',
  /** Registration has closed before the event starts. */
  'closed',
  'started',
  'ended',
  'cancelled',
] as const;
export type RegistrationState = (typeof REGISTRATION_STATES)[number];

type Moments = 'startDate' | 'endDate' | 'registrationOpensAt' | 'registrationClosesAt';
/** ISO 8601 in answers, dates in rows. */
type Timing = { [M in Moments]: Event[M] | Date };
type Places = Pick<Event, 'status' | 'capacity' | 'registrationCount' | 'waitlistEnabled'>;

const timeOf = (moment: string | Date | null) =>
  typeof moment === 'string' ? Date.parse(moment) : (moment?.getTime() ?? NaN);
const reached = (moment: string | Date | null, now: number) => timeOf(moment) <= now;

/** @param now milliseconds since 1970 */
export function registrationStateOf(event: Timing & Places, now: number): RegistrationState {
  if (event.status === 'cancelled') return 'cancelled';
  if (reached(event.endDate, now)) return 'ended';
  if (reached(event.startDate, now)) return 'started';
  if (reached(event.registrationClosesAt, now)) return 'closed';
  if (event.registrationOpensAt !== null && !reached(event.registrationOpensAt, now)) return 'scheduled';
  if (event.capacity === null || event.registrationCount < event.capacity) return 'open';
  return event.waitlistEnabled ? 'waitlist' : 'full';
}

/** Milliseconds since 1970 at which the state of an event changes next by time alone; Infinity when it does not. */
export function nextStateChange(event: Timing & Pick<Event, 'status'>, now: number): number {
  if (event.status === 'cancelled') return Infinity;
  const moments = [event.registrationOpensAt, event.registrationClosesAt, event.startDate, event.endDate];
  return Math.min(...moments.map(timeOf).filter((moment) => moment > now));
}
