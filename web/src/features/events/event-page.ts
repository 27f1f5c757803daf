import type { Event, EventContent } from '@meetmark/contracts';

/** An event as its page or dialog shows it: what a list knew of it has no content until the event itself has been read. */
export interface EventPage extends Event {
  content?: EventContent;
}
