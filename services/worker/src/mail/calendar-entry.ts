import {
  CALENDAR_PRODUCT,
  calendarUid,
  endedLines,
  type Event,
  lastMomentOf,
  type Span,
  zoneOf,
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
  /** Unknown of an event that was deleted by a version that did not keep it. */
  format?: Event['format'];
  /** One line; in words of `whereOf` where there is no format. */
  location: string | null;
  /** The SEQUENCE of the member's own calendar entry. */
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
  /** When this version of the entry was made: orders versions of the same sequence. */
  stamp: Date;
  /** The community's zone: all-day events without one of their own stand in it. */
  timeZone: string;
  /** The address of the event's page, which an entry that is withdrawn does not name. */
  url: string;
  /** In words, see whereOf. */
  location: string | null;
  /** How to join, for a person with a place; an entry that is withdrawn does not say it. */
  description: string | null;
}

/** Adds an event to the member's calendar, or updates it: same UID, higher SEQUENCE. */
export const invitation = (event: MailedEvent, context: EntryContext): CalendarEntry =>
  entry('REQUEST', event, context);

/** Removes it. */
export const withdrawal = (event: MailedEvent, context: EntryContext): CalendarEntry =>
  entry('CANCEL', event, context);

// Times in UTC, which every calendar reads alike: a zone matters only for recurring events.
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
      ? wholeDays(event, zoneOf(event, context))
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

/** First day, and the day after the last: DTEND is exclusive. */
function wholeDays(event: MailedEvent, zone: string) {
  return {
    allDay: true,
    start: DateTime.fromJSDate(event.startDate, { zone }),
    end: DateTime.fromJSDate(lastMomentOf(event), { zone }).plus({ days: 1 }),
  };
}

// A quote would end the parameter that a name stands in (RFC 5545, 3.2).
const named = ({ name, email }: Party) => ({
  name: plain(name).replaceAll('"', "'") || email,
  email: mailtoAddress(email),
});
