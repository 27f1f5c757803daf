import type { Event, EventFormat } from '@meetmark/contracts';
import { layoutText } from '../../strings/common';
import { formatText } from '../../strings/events';

/** What the client derives from an event and the clock */
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

export type FormatFilter = 'all' | EventFormat;

/** 'Online', 'Hybrid · Leeds'; in person, the place says it by itself: 'Leeds', or null when it is not known. */
export function placeOf({ format, location }: Pick<Event, 'format' | 'location'>): string | null {
  if (format === 'in_person') return location;
  const name = formatText.names[format];
  return location === null ? name : `${name} · ${location}`;
}

/** 'Next Event: {title} • {date} • {location} • {price} • Register Now!'; the location is left out when there is none. */
export function nextEventText(
  event: Pick<Event, 'title' | 'location'>,
  written: { date: string; price: string },
): string {
  return [
    `${layoutText.nextEvent} ${event.title}`,
    written.date,
    event.location,
    written.price,
    layoutText.registerNow,
  ]
    .filter(Boolean)
    .join(' • ');
}
