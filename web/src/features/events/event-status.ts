import type { Event } from '@meetmark/contracts';

/** What the client derives from an event and the clock (section 4 of the specification). */
export type EventStatus = 'past' | 'full' | 'now' | 'open';

type Timing = Pick<Event, 'startDate' | 'endDate' | 'capacity' | 'registrationCount'>;

export const hasStarted = ({ startDate }: Pick<Event, 'startDate'>, now: number) =>
  Date.parse(startDate) < now;

export const isFull = ({ capacity, registrationCount }: Pick<Event, 'capacity' | 'registrationCount'>) =>
  capacity !== null && registrationCount >= capacity;

export function statusOf(event: Timing, now: number): EventStatus {
  if (Date.parse(event.endDate) < now) return 'past';
  if (isFull(event)) return 'full';
  return hasStarted(event, now) ? 'now' : 'open';
}
