import { Injectable } from '@nestjs/common';
import {
  CALENDAR_PRODUCT,
  type CalendarDocument,
  calendarUid,
  endedLines,
  whereOf,
  type Community,
  lastMomentOf,
  type Span,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { frameWords, whereWords } from '@meetmark/platform/mail/words/words';
import { textOfMarkdown } from '@meetmark/platform/text/markdown';
import {
  ICalCalendar,
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventStatus,
  type ICalOrganizer,
} from 'ical-generator';
import { DateTime } from 'luxon';
import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library';
import { EventsConfig } from '../events.config.js';
import type { EventEntity } from '../events/event.entity.js';
import type { DeletedEventEntity } from './calendar.entities.js';

/** Refresh interval suggested to subscribers. */
const REFRESH_SECONDS = 3_600;

/** Writes iCalendar documents (RFC 5545) in the community's time zone. */
@Injectable()
export class CalendarWriter {
  /** Of the zone that was written last. */
  private zone?: { name: string; rules: string | null };

  constructor(
    private readonly config: EventsConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  private get rules(): string | null {
    const { timeZone: name } = this.community;
    if (this.zone?.name !== name) this.zone = { name, rules: timeZoneRules(name) };
    return this.zone.rules;
  }

  /** Required in published entries (RFC 5546, 3.2.1): the address that also receives replies to mails. */
  private get organizer(): ICalOrganizer {
    // a quote would end the parameter that contains the name
    return { name: this.community.name.replaceAll('"', "'"), email: this.community.supportEmail };
  }

  write(entries: CalendarEntry[]): CalendarDocument {
    const calendar = new ICalCalendar({
      prodId: CALENDAR_PRODUCT,
      method: ICalCalendarMethod.PUBLISH,
      name: this.community.name,
      ttl: REFRESH_SECONDS,
      // With a zone of the calendar itself, time stamps would not be in UTC as the standard requires.
      timezone: { name: null, generator: () => this.rules },
      events: entries.map((entry) => this.entry(entry)),
    });
    return { ics: endedLines(calendar.toString()) };
  }

  private entry(entry: CalendarEntry): ICalEventData {
    const [start, end] = this.span(entry);
    return {
      id: calendarUid(entry.id),
      sequence: entry.sequence,
      start,
      end,
      allDay: entry.isAllDay,
      timezone: this.rules === null ? null : this.community.timeZone,
      stamp: entry.changedAt,
      created: entry.createdAt,
      lastModified: entry.changedAt,
      summary: entry.title,
      description: entry.description,
      location: entry.location,
      url: entry.deleted ? null : new URL(`/events/${entry.id}`, this.config.publicUrl).href,
      organizer: this.organizer,
      status: entry.cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    };
  }

  /** Days of an all-day event are the community's; an entry ends on the day after the last (RFC 5545, 3.6.1). */
  private span(entry: CalendarEntry): [DateTime, DateTime] {
    const zone = this.community.timeZone;
    const start = DateTime.fromJSDate(entry.startDate, { zone });
    const end = DateTime.fromJSDate(lastMomentOf(entry), { zone });
    return entry.isAllDay ? [start.startOf('day'), end.startOf('day').plus({ days: 1 })] : [start, end];
  }
}

/** An event as a calendar shows it. */
export interface CalendarEntry extends Span {
  id: string;
  title: string;
  description: string | null;
  location: string | null;
  sequence: number;
  createdAt: Date;
  changedAt: Date;
  cancelled: boolean;
  /** It has no page. */
  deleted: boolean;
}

/** How one joins from afar: for those who have a place. */
export interface Joining {
  onlineUrl: string;
  onlineNote: string | null;
}

/** @param locale of whose calendar it is */
export const entryOf = (event: EventEntity, locale: string, joining?: Joining): CalendarEntry => ({
  ...event,
  description: describedWith(event, locale, joining),
  location: whereOf(event, whereWords(locale)),
  changedAt: event.updatedAt,
  cancelled: event.status === 'cancelled',
  deleted: false,
});

/** As text, which is all that calendars show. */
function describedWith(
  { description, descriptionFormat }: EventEntity,
  locale: string,
  joining?: Joining,
): string | null {
  const text =
    description !== null && descriptionFormat === 'markdown' ? textOfMarkdown(description) : description;
  if (joining === undefined) return text;
  const { onlineUrl: url, onlineNote } = joining;
  const join = [frameWords(locale).event.joinAt({ url }), onlineNote, text];
  return join.filter((part) => part !== null).join('\n\n');
}

export const cancelledEntryOf = (event: DeletedEventEntity): CalendarEntry => ({
  ...event,
  description: null,
  changedAt: event.deletedAt,
  cancelled: true,
  deleted: true,
});

/**
 * The VTIMEZONE block of a zone, or null when the library lacks the zone under this name (an alias, or newer than the library): times are
 * then written in UTC.
 */
export function timeZoneRules(zone: string): string | null {
  if (!tzlib_get_timezones().includes(zone)) return null;
  const [block = ''] = [tzlib_get_ical_block(zone)].flat();
  return block.includes(`TZID:${zone}\r\n`) ? block : null;
}
