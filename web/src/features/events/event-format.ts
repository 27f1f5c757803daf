import type { Event, EventFormat } from '@meetmark/contracts';
import { formatText } from '../../strings/events';

export type FormatFilter = 'all' | EventFormat;

/** 'Online', 'Hybrid · Leeds'; in person, the place says it by itself: 'Leeds', or null when it is not known. */
export function placeOf({ format, location }: Pick<Event, 'format' | 'location'>): string | null {
  if (format === 'in_person') return location;
  const name = formatText.names[format];
  return location === null ? name : `${name} · ${location}`;
}
