import { cutText } from '../cut-text.js';
import type { ListedEventFields, Venue } from './event-form.js';
import { LIMITS } from '../limits.js';

export function venueLine({ name, address }: Pick<Venue, 'name' | 'address'>): string {
  const line = address === null ? name : `${name}, ${address}`;
  return cutText(line, LIMITS.location).trimEnd();
}

const MAP = 'https://www.openstreetmap.org/search?query=';

export function directionsTo({
  format,
  location,
  venue,
}: Pick<ListedEventFields, 'format' | 'location'> & { venue?: Venue | null }): string | null {
  const line = venue ? venueLine(venue) : location;
  if (format === 'online' || line === null) return null;
  return venue?.mapUrl ?? MAP + encodeURIComponent(line);
}
