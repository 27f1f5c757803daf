import type { Community, Event, EventFormat } from '@meetmark/contracts';
import { PAYMENT_NOTE } from '@meetmark/contracts/community';
import { layoutText } from '@meetmark/contracts/texts/common';
import { formatText } from '@meetmark/contracts/texts/events';

/** Whether an event is listed under Past, which its start alone decides. Whether one can register is the server's `registrationState`. */
export const hasStarted = ({ startDate }: Pick<Event, 'startDate'>, now: number) =>
  Date.parse(startDate) < now;

export type FormatFilter = 'all' | EventFormat;

/** 'Online', 'Hybrid · Leeds'; in person, the place says it by itself: 'Leeds', or null when it is not known. */
export function placeOf({ format, location }: Pick<Event, 'format' | 'location'>): string | null {
  if (format === 'in_person') return location;
  const name = formatText.names[format];
  return location === null ? name : `${name} · ${location}`;
}

/** How one pays: as the event says, else the community, else the product in the reader's language. */
export const paymentNoteOf = (
  { paymentNote }: Pick<Event, 'paymentNote'>,
  { paymentNoteDefault }: Pick<Community, 'paymentNoteDefault'>,
): string =>
  paymentNote ?? (paymentNoteDefault === PAYMENT_NOTE ? layoutText.paymentNote : paymentNoteDefault);

/** 'Next Event: {title} • {date} • {location} • {price} • Register Now!'; the location is left out when there is none. */
export function nextEventText(
  event: Pick<Event, 'title' | 'location'>,
  written: { date: string; price: string; end: string },
): string {
  return [`${layoutText.nextEvent} ${event.title}`, written.date, event.location, written.price, written.end]
    .filter(Boolean)
    .join(' • ');
}
