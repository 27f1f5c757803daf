import { CALENDAR_PRODUCT, calendarUid, endedLines } from '@meetmark/contracts';
import {
  ICalAttendeeStatus,
  ICalCalendar,
  ICalCalendarMethod,
  ICalEventStatus,
  type ICalAttendeeData,
} from 'ical-generator';
import { DateTime } from 'luxon';
import { mailtoAddress } from './mailto.js';
import { plain } from './plain.js';
import type { MailedEvent } from './registered-events.js';

export interface CalendarEntry {
  method: 'REQUEST' | 'CANCEL';
  content: string;
}

interface Party {
  name: string;
  email: string;
}

export interface EntryContext {
  organizer: Party;
  attendee: Party;
  /** When this version of the entry was made: decides between two of the same sequence. */
  stamp: Date;
  /** Days of all-day events are days of this zone. */
  timeZone: string;
  url?: string;
}

/** Puts an event into the member's calendar, or brings it up to date: same UID, higher SEQUENCE. */
export const invitation = (event: MailedEvent, context: EntryContext): CalendarEntry =>
  entry('REQUEST', event, context);

/** Takes it out again. */
export const withdrawal = (event: MailedEvent, context: EntryContext): CalendarEntry =>
  entry('CANCEL', event, context);

// Times are written in UTC, which every calendar reads alike; the zone matters where the rules repeat, and ours do not.
function entry(method: CalendarEntry['method'], event: MailedEvent, context: EntryContext): CalendarEntry {
  const calendar = new ICalCalendar({ prodId: CALENDAR_PRODUCT, method: ICalCalendarMethod[method] });
  const attendee: ICalAttendeeData = {
    ...named(context.attendee),
    status: ICalAttendeeStatus.ACCEPTED,
    rsvp: false,
  };
  calendar.createEvent({
    id: calendarUid(event.id),
    sequence: event.sequence,
    stamp: context.stamp,
    ...(event.isAllDay ? wholeDays(event, context.timeZone) : { start: event.startDate, end: event.endDate }),
    summary: plain(event.title),
    location: event.location === null ? null : plain(event.location),
    url: context.url ?? null,
    status: method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: named(context.organizer),
    attendees: [attendee],
  });
  return { method, content: endedLines(calendar.toString()) };
}

/** First day, and the day after the last: DTEND is exclusive. */
function wholeDays({ startDate, endDate }: MailedEvent, timeZone: string) {
  const last = new Date(Math.max(startDate.getTime(), endDate.getTime() - 1));
  return {
    allDay: true,
    start: DateTime.fromJSDate(startDate, { zone: timeZone }),
    end: DateTime.fromJSDate(last, { zone: timeZone }).plus({ days: 1 }),
  };
}

// A quote would end the parameter that a name stands in (RFC 5545, 3.2).
const named = ({ name, email }: Party) => ({
  name: plain(name).replaceAll('"', "'"),
  email: mailtoAddress(email),
});
