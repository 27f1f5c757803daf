import type { Venue } from './event-content.js';
import type { Event } from './events.js';
import { LIMITS } from './limits.js';

/** A venue in one line, as `Event.location` has it. */
export function venueLine({ name, address }: Pick<Venue, 'name' | 'address'>): string {
  const line = address === null ? name : `${name}, ${address}`;
  return [...line].slice(0, LIMITS.location).join('').trimEnd();
}

const MAP = 'https://www.openstreetmap.org/search?query=';

/** A map of where people meet: the organiser's, or a search for the venue; null for an online event and for an unknown venue. */
export function directionsTo({
  format,
  location,
  venue,
}: Pick<Event, 'format' | 'location'> & { venue?: Venue | null }): string | null {
  const line = venue ? venueLine(venue) : location;
  if (format === 'online' || line === null) return null;
  return venue?.mapUrl ?? MAP + encodeURIComponent(line);
}
