import { Injectable } from '@nestjs/common';
import { CALENDAR_PRODUCT, calendarUid, endedLines, type CalendarDocument } from '@meetmark/contracts';
import { loadCommunity } from '@meetmark/platform/community/community';
import {
  ICalCalendar,
  ICalCalendarMethod,
  ICalEventStatus,
  type ICalEventData,
  type ICalOrganizer,
} from 'ical-generator';
import { DateTime } from 'luxon';
import { EventsConfig } from '../events.config.js';
import type { CalendarEntry } from './calendar-entry.js';
import { timeZoneRules } from './time-zone-rules.js';

/** How often subscribers are asked to look again. */
const REFRESH_SECONDS = 3_600;

/** Writes iCalendar documents (RFC 5545) in the community's time zone. */
@Injectable()
export class CalendarWriter {
  private readonly community;
  private readonly rules: string | null;
  /** Of everything that is published (RFC 5546, 3.2.1): the address that answers to mails go to, too. */
  private readonly organizer: ICalOrganizer;

  constructor(private readonly config: EventsConfig) {
    this.community = loadCommunity(config.communityConfig);
    this.rules = timeZoneRules(this.community.timeZone);
    // a quote would end the parameter that the name stands in
    const name = this.community.name.replaceAll('"', "'");
    this.organizer = { name, email: this.community.supportEmail };
  }

  write(entries: CalendarEntry[]): CalendarDocument {
    const calendar = new ICalCalendar({
      prodId: CALENDAR_PRODUCT,
      method: ICalCalendarMethod.PUBLISH,
      name: this.community.name,
      ttl: REFRESH_SECONDS,
      // The calendar itself has no zone, or its time stamps would lose the UTC that the standard demands.
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
      // a deleted event has no page any more
      url: entry.cancelled ? null : new URL(`/events/${entry.id}`, this.config.publicUrl).href,
      organizer: this.organizer,
      status: entry.cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    };
  }

  /** Days of an all-day event are the community's; the last one of a calendar entry is the day after (RFC 5545, 3.6.1). */
  private span({ startDate, endDate, isAllDay }: CalendarEntry): [DateTime, DateTime] {
    const zone = this.community.timeZone;
    const start = DateTime.fromJSDate(startDate, { zone });
    const end = DateTime.fromJSDate(endDate, { zone });
    if (!isAllDay) return [start, end];
    const lastMidnight = end.startOf('day');
    return [start.startOf('day'), lastMidnight < end ? lastMidnight.plus({ days: 1 }) : end];
  }
}
