import type { Event } from '@meetmark/contracts';
import { hasStarted } from './event-status';
import type { TimeFilter } from './events.api';

/** The events of a time filter, judged by their start: upcoming soonest first, past latest first, all soonest first. */
export function eventsInTime<Dated extends Pick<Event, 'startDate'>>(
  events: readonly Dated[],
  time: TimeFilter,
  now: number,
): Dated[] {
  const chosen = events.filter((event) => time === 'all' || hasStarted(event, now) === (time === 'past'));
  const direction = time === 'past' ? -1 : 1;
  return chosen.sort((a, b) => direction * (Date.parse(a.startDate) - Date.parse(b.startDate)));
}
