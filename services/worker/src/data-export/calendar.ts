import {
  CALENDAR_PRODUCT,
  calendarUid,
  type Community,
  endedLines,
  type Event,
  formatLocation,
  getZone,
} from '@meetmark/contracts';
import type { Links } from '@meetmark/platform/mail/links';
import { plain } from '@meetmark/platform/mail/plain';
import { whereWords } from '@meetmark/platform/mail/words';
import { ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { wholeDays } from '../mail/calendar-entry.js';

/** A row of `registrations.json`. */
export interface ExportedRegistration {
  state: 'registered' | 'waitlisted' | 'cancelled';
  event: {
    id: string;
    slug: string | null;
    title: string;
    startDate: string;
    endDate: string;
    isAllDay: boolean;
    timeZone: string | null;
    format: Event['format'];
    location: string | null;
    status: 'draft' | 'published' | 'cancelled';
    sequence: number;
  };
}

interface CalendarContext {
  community: Pick<Community, 'timeZone'>;
  links: Links;
  locale: string;
}

const END = 'END:VCALENDAR';
const newCalendar = () => new ICalCalendar({ prodId: CALENDAR_PRODUCT, method: ICalCalendarMethod.PUBLISH });

/** Yields an iCalendar document of the events that the member is registered for. */
export async function* writeCalendar(
  registrations: AsyncIterable<ExportedRegistration>,
  context: CalendarContext,
): AsyncGenerator<string> {
  yield newCalendar().toString().slice(0, -END.length);
  for await (const { state, event } of registrations) if (state === 'registered') yield entry(event, context);
  yield endedLines(END);
}

function entry(
  { startDate, endDate, ...event }: ExportedRegistration['event'],
  { community, links, locale }: CalendarContext,
): string {
  const calendar = newCalendar();
  const [start, end] = [new Date(startDate), new Date(endDate)];
  const location = formatLocation(event, whereWords(locale));
  calendar.createEvent({
    id: calendarUid(event.id),
    sequence: event.sequence,
    ...(event.isAllDay
      ? wholeDays({ ...event, startDate: start, endDate: end }, getZone(event, community))
      : { start, end }),
    summary: plain(event.title),
    location: location && plain(location),
    url: links.event(event),
    status: event.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  const document = calendar.toString();
  return document.slice(document.indexOf('BEGIN:VEVENT'), -END.length);
}
