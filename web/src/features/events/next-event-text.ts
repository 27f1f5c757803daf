import type { Event } from '@meetmark/contracts';
import { layoutText } from '../../strings/common';

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
