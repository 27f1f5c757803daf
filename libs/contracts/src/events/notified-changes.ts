import type { Span } from './calendar.js';
import type { ContentValue, ListedEventFields } from './event-form.js';
import { venueLine } from './venue.js';

/**
 * In the order in which emails list them. `details`: all other changes, emailed only if the organiser asks
 * for it.
 */
export const NOTIFIED_CHANGES = [
  'time',
  'location',
  'online',
  'accessibility',
  'price',
  'title',
  'details',
] as const;
export type NotifiedChange = (typeof NOTIFIED_CHANGES)[number];

/** Each value is a single string, so that two states can be compared. */
export type ShownState = Record<Exclude<NotifiedChange, 'details'>, string>;

/** @param online digest of the secret joining URL; empty if there is none */
export function shownState(
  event: Span &
    Pick<ListedEventFields, 'title' | 'format' | 'location' | 'price'> &
    Pick<ContentValue, 'venue' | 'accessibility'>,
  online: string,
): ShownState {
  const { startDate, endDate, isAllDay, format, location, venue, accessibility } = event;
  const place = venue === null ? location : venueLine(venue);
  return {
    title: event.title,
    time: JSON.stringify([startDate, endDate, isAllDay]),
    location: JSON.stringify(place === location ? [format, location] : [format, location, place]),
    online,
    accessibility: accessibility ?? '',
    price: JSON.stringify(event.price),
  };
}
