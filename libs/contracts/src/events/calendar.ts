import { Matches } from 'class-validator';
import { EventIdRequest, type Event } from './events.js';
import { messagesTo, Nothing } from '../message.js';
import { TopicSlugRequest } from './topics.js';
import { ADDRESS_TOKEN } from '../validation.js';

const events = messagesTo('events');

export interface CalendarDocument {
  ics: string;
}

/**
 * Feeds and emails use the same UID, so that calendars show one entry per event. The entry's SEQUENCE is the
 * event's `sequence`, plus one if the event is deleted. In emails to a member, SEQUENCE also includes the
 * registration's `entry_revision`.
 */
export const calendarUid = (eventId: string) => `${eventId}@meetmark`;
/** Strict parsers require a final line break (RFC 5545, 3.1). */
export const endedLines = (ics: string) => (ics.endsWith('\r\n') ? ics : `${ics}\r\n`);
export const CALENDAR_PRODUCT = { company: 'Meetmark', product: 'Meetmark', language: 'EN' } as const;

interface WhereWords {
  alsoOnline: (place: string) => string;
  bothWays: string;
}

export function formatLocation(
  { format, location }: Pick<Event, 'format' | 'location'>,
  { alsoOnline, bothWays }: WhereWords,
): string | null {
  if (format === 'in_person') return location;
  if (format === 'hybrid') return location === null ? bothWays : alsoOnline(location);
  return location === null || location.toLowerCase() === 'online' ? 'Online' : `Online: ${location}`;
}

export const GetEventCalendar = events.public('calendar.event', EventIdRequest)<CalendarDocument>();

/** Omits events that ended more than 30 days ago, like GetTopicCalendar. */
export const GetPublicCalendar = events.public('calendar.public', Nothing)<CalendarDocument>();

/** @throws TOPIC_NOT_FOUND */
export const GetTopicCalendar = events.public('topics.calendar', TopicSlugRequest)<CalendarDocument>();

/** Published and cancelled events that the caller manages. */
export const GetManagedCalendar = events.organiser('calendar.managed', Nothing)<CalendarDocument>();

export class CalendarTokenRequest {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

/** @throws CALENDAR_NOT_FOUND if the secret URL was revoked */
export const GetMemberCalendar = events.public('calendar.member', CalendarTokenRequest)<CalendarDocument>();

export interface CalendarFeed {
  createdAt: string;
}

export interface NewCalendarFeed extends CalendarFeed {
  token: string;
}

export const GetCalendarFeed = events.member('calendar.getFeed', Nothing)<CalendarFeed | null>();

/** Creates a secret feed URL. The caller's previous URL stops working. */
export const CreateCalendarFeed = events.member('calendar.createFeed', Nothing)<NewCalendarFeed>();

export const RevokeCalendarFeed = events.member('calendar.revokeFeed', Nothing)<void>();

export interface Span {
  startDate: Date;
  endDate: Date;
  isAllDay: boolean;
  /** If null or absent, the community's time zone. Data of the previous version may lack this field. */
  timeZone?: string | null;
}

/**
 * Returns a time on the event's last day. All-day events need this, because they end at the midnight after
 * that day.
 */
export const getLastTime = ({ startDate, endDate, isAllDay }: Omit<Span, 'timeZone'>): Date =>
  isAllDay ? new Date(Math.max(startDate.getTime(), endDate.getTime() - 1)) : endDate;
