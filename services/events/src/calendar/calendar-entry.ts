import { whereOf } from '@meetmark/contracts';
import type { EventEntity } from '../events/event.entity.js';
import type { DeletedEventEntity } from './deleted-event.entity.js';

/** An event as a calendar shows it. */
export interface CalendarEntry {
  id: string;
  title: string;
  description: string | null;
  location: string | null;
  startDate: Date;
  endDate: Date;
  isAllDay: boolean;
  sequence: number;
  createdAt: Date;
  changedAt: Date;
  cancelled: boolean;
}

export const entryOf = (event: EventEntity): CalendarEntry => ({
  ...event,
  location: whereOf(event),
  changedAt: event.updatedAt,
  cancelled: false,
});

export const cancelledEntryOf = (event: DeletedEventEntity): CalendarEntry => ({
  ...event,
  description: null,
  changedAt: event.deletedAt,
  cancelled: true,
});
