import type { EventStatus, ListedEventFields } from './event-form.js';

export const REGISTRATION_STATES = [
  'scheduled',
  'open',
  'waitlist',
  'full',
  'closed',
  'started',
  'ended',
  'cancelled',
] as const;
export type RegistrationState = (typeof REGISTRATION_STATES)[number];

type Moments = 'startDate' | 'endDate' | 'registrationOpensAt' | 'registrationClosesAt';
type Timing = { status: EventStatus } & { [M in Moments]: ListedEventFields[M] | Date };
type Places = Pick<ListedEventFields, 'capacity' | 'waitlistEnabled'> & { registrationCount: number };

const toTimestamp = (moment: string | Date | null) =>
  typeof moment === 'string' ? Date.parse(moment) : (moment?.getTime() ?? NaN);
const reached = (moment: string | Date | null, now: number) => toTimestamp(moment) <= now;

/** @param now in milliseconds since 1970 */
export function getRegistrationState(event: Timing & Places, now: number): RegistrationState {
  if (event.status === 'cancelled') return 'cancelled';
  if (reached(event.endDate, now)) return 'ended';
  if (reached(event.startDate, now)) return 'started';
  if (reached(event.registrationClosesAt, now)) return 'closed';
  if (event.registrationOpensAt !== null && !reached(event.registrationOpensAt, now)) return 'scheduled';
  if (event.capacity === null || event.registrationCount < event.capacity) return 'open';
  return event.waitlistEnabled ? 'waitlist' : 'full';
}

/** Returns milliseconds since 1970, or Infinity if the state never changes by itself. */
export function nextStateChange(event: Timing, now: number): number {
  if (event.status === 'cancelled') return Infinity;
  const moments = [event.registrationOpensAt, event.registrationClosesAt, event.startDate, event.endDate];
  return Math.min(...moments.map(toTimestamp).filter((moment) => moment > now));
}
