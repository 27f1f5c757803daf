import { Matches } from 'class-validator';
import { EventIdRequest, type Event } from './events.js';
import { defineMessage, Nothing } from './message.js';
import { ADDRESS_TOKEN } from './validation.js';

/** An iCalendar document (RFC 5545). */
export interface CalendarDocument {
  ics: string;
}

/**
 * What feeds and mails agree on, so that a calendar sees one entry: the UID is made from the event's id alone and never changes; SEQUENCE is the
 * event row's `sequence`, and one more than its last when the event is deleted (CancelledEvent carries that number). The entry that mails give one
 * member adds the registration's `entry_revision`, which rises when the place is given up and when it is taken again.
 */
export const calendarUid = (eventId: string) => `${eventId}@meetmark`;
/** The library leaves the end of the last line out, and strict readers refuse what does not end in one (RFC 5545, 3.1). */
export const endedLines = (ics: string) => (ics.endsWith('\r\n') ? ics : `${ics}\r\n`);
export const CALENDAR_PRODUCT = { company: 'Meetmark', product: 'Meetmark', language: 'EN' } as const;

/** In the reader's language. */
interface WhereWords {
  alsoOnline: (place: string) => string;
  bothWays: string;
}

/** Where one takes part, as calendars, feeds and mails write it; null when it is unknown. */
export function whereOf(
  { format, location }: Pick<Event, 'format' | 'location'>,
  { alsoOnline, bothWays }: WhereWords,
): string | null {
  if (format === 'in_person') return location;
  if (format === 'hybrid') return location === null ? bothWays : alsoOnline(location);
  return location === null || location.toLowerCase() === 'online' ? 'Online' : `Online: ${location}`;
}

export const GetEventCalendar = defineMessage({
  service: 'events',
  name: 'calendar.event',
  access: 'public',
  reads: true,
  request: EventIdRequest,
})<CalendarDocument>();

/** Every public event from 30 days ago on. */
export const GetPublicCalendar = defineMessage({
  service: 'events',
  name: 'calendar.public',
  access: 'public',
  reads: true,
  request: Nothing,
})<CalendarDocument>();

export class CalendarTokenRequest {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

/** A member's own events by secret address; CALENDAR_NOT_FOUND when the token was revoked. */
export const GetMemberCalendar = defineMessage({
  service: 'events',
  name: 'calendar.member',
  access: 'public',
  request: CalendarTokenRequest,
})<CalendarDocument>();

/** Whether a feed exists; its address is shown once, when it is made. */
export interface CalendarFeed {
  createdAt: string;
}

export interface NewCalendarFeed extends CalendarFeed {
  token: string;
}

export const GetCalendarFeed = defineMessage({
  service: 'events',
  name: 'calendar.getFeed',
  access: 'member',
  request: Nothing,
})<CalendarFeed | null>();

/** Makes the caller's feed address, replacing an earlier one. */
export const CreateCalendarFeed = defineMessage({
  service: 'events',
  name: 'calendar.createFeed',
  access: 'member',
  request: Nothing,
})<NewCalendarFeed>();

export const RevokeCalendarFeed = defineMessage({
  service: 'events',
  name: 'calendar.revokeFeed',
  access: 'member',
  request: Nothing,
})<void>();

export interface Span {
  startDate: Date;
  endDate: Date;
  isAllDay: boolean;
  /** Of its place; null, or absent in what the version before has written: the community's. */
  timeZone?: string | null;
}

/** The last moment that belongs to an event: one for whole days ends at the midnight after its last day. */
export const lastMomentOf = ({ startDate, endDate, isAllDay }: Omit<Span, 'timeZone'>): Date =>
  isAllDay ? new Date(Math.max(startDate.getTime(), endDate.getTime() - 1)) : endDate;
