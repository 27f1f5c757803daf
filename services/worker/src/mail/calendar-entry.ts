import {
  CALENDAR_PRODUCT,
  calendarUid,
  endedLines,
  type Event,
  getLastTime,
  type Span,
  getZone,
} from '@meetmark/contracts';
import {
  type ICalAttendeeData,
  ICalAttendeeStatus,
  ICalCalendar,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator';
import { DateTime } from 'luxon';
import { mailtoAddress, plain } from '@meetmark/platform/mail/plain';

export interface MailedEvent extends Span {
  id: string;
  slug?: string | null;
  title: string;
  /** Undefined for events that an older version of Meetmark deleted. */
  format?: Event['format'];
  /** A single line. If `format` is undefined, the location is a result of `formatLocation`. */
  location: string | null;
  sequence: number;
}

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
  /** Decides which entry is newer if the sequence is the same. */
  stamp: Date;
  timeZone: string;
  url: string;
  location: string | null;
  description: string | null;
}

/** An update has the same UID and a higher SEQUENCE. */
export const invitation = (event: MailedEvent, context: EntryContext): CalendarEntry =>
  entry('REQUEST', event, context);

export const withdrawal = (event: MailedEvent, context: EntryContext): CalendarEntry =>
  entry('CANCEL', event, context);

// Times are in UTC, because time zones only matter for recurring events.
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
    ...(event.isAllDay
      ? wholeDays(event, getZone(event, context))
      : { start: event.startDate, end: event.endDate }),
    summary: plain(event.title),
    location: context.location === null ? null : plain(context.location),
    description: method === 'CANCEL' ? null : context.description,
    url: method === 'CANCEL' ? null : context.url,
    status: method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: named(context.organizer),
    attendees: [attendee],
  });
  return { method, content: endedLines(calendar.toString()) };
}

/** Ends on the next day, because DTEND is exclusive. */
export function wholeDays(event: Span, zone: string) {
  return {
    allDay: true,
    start: DateTime.fromJSDate(event.startDate, { zone }),
    end: DateTime.fromJSDate(getLastTime(event), { zone }).plus({ days: 1 }),
  };
}

// A quotation mark would end the parameter that contains the name (RFC 5545, 3.2).
const named = ({ name, email }: Party) => ({
  name: plain(name).replaceAll('"', "'") || email,
  email: mailtoAddress(email),
});
