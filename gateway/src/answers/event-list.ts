import type { Event, Registration } from '@meetmark/contracts';
import { Answer } from './answer.js';

/** A list of events that is the same for everyone, and knows where in its bytes a member's own registrations belong. */
export class EventList extends Answer {
  private constructor(
    body: Buffer,
    type: string,
    headers: Record<string, string>,
    /** Event id to the byte at which its registrations are inserted, in the order of the list. */
    private readonly places: Map<string, number>,
  ) {
    super(body, type, headers);
  }

  static of(events: Event[], headers: Record<string, string>): EventList {
    const places = new Map<string, number>();
    let at = '['.length;
    const parts = events.map(({ registrations: _, ...event }) => {
      const part = JSON.stringify({ ...event, registrations: [] });
      const length = Buffer.byteLength(part);
      places.set(event.id, at + length - ']}'.length);
      at += length + ','.length;
      return part;
    });
    return new EventList(Buffer.from(`[${parts.join()}]`), Answer.JSON, headers, places);
  }

  /** For the member whose registrations these are: itself if none is for an event of the list. */
  with(own: ReadonlyMap<string, Registration>): Answer {
    const mine = [...this.places].filter(([eventId]) => own.has(eventId));
    if (mine.length === 0) return this;
    const pieces: (Buffer | string)[] = [];
    let from = 0;
    for (const [eventId, place] of mine) {
      pieces.push(this.body.subarray(from, place), JSON.stringify(own.get(eventId)));
      from = place;
    }
    pieces.push(this.body.subarray(from));
    return new Answer(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), Answer.JSON, this.headers);
  }
}
