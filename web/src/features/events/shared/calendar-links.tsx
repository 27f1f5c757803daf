import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/event-path';
import { detailsText } from '@meetmark/contracts/texts/event-page';
import { zoneOf } from '@meetmark/contracts/zones';
import { useCommunity } from '../../../api/community';
import { wallClock } from '../../../ui/wall-clock';
import { daysLater } from '../../../ui/zoned-time';
import { placeOf } from './event';

/** The three ways into a calendar. A file of its own, which the page of an event does not wait for. */
export default function CalendarLinks({ event }: { event: CalendarEvent }) {
  const { origin } = window.location;
  const { timeZone } = useCommunity();
  const links = [
    { label: detailsText.ics, href: icsLink(event.id), download: true },
    { label: detailsText.google, href: googleLink(event, origin, timeZone) },
    { label: detailsText.outlook, href: outlookLink(event, origin, timeZone) },
  ];
  return (
    <ul>
      {links.map(({ label, href, download }) => (
        <li key={label}>
          <a href={href} {...(download ? { download } : { target: '_blank', rel: 'noopener noreferrer' })}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Longer descriptions make addresses that calendars refuse. */
const DESCRIPTION_IN_LINK = 800;

export type CalendarEvent = Pick<
  Event,
  | 'id'
  | 'slug'
  | 'title'
  | 'description'
  | 'location'
  | 'format'
  | 'startDate'
  | 'endDate'
  | 'isAllDay'
  | 'timeZone'
>;

/** '20261121T090000Z' */
const compact = (moment: string) => new Date(moment).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

/** The first day, and the day after the last, of an event for whole days. */
function wholeDays(event: CalendarEvent, communityZone: string): [string, string] {
  const { startDate, endDate } = event;
  const timeZone = zoneOf(event, { timeZone: communityZone });
  const last = wallClock(Math.max(Date.parse(startDate), Date.parse(endDate) - 1), timeZone).date;
  return [wallClock(startDate, timeZone).date, daysLater(last, 1)];
}

const notes = (event: CalendarEvent, origin: string) =>
  [event.description?.slice(0, DESCRIPTION_IN_LINK), origin + eventPath(event)].filter(Boolean).join('\n\n');

const icsLink = (id: string) => `/api/events/${id}/calendar.ics`;

export function googleLink(event: CalendarEvent, origin: string, timeZone: string): string {
  const dates = event.isAllDay
    ? wholeDays(event, timeZone).map((date) => date.replaceAll('-', ''))
    : [compact(event.startDate), compact(event.endDate)];
  return `https://calendar.google.com/calendar/render?${new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: dates.join('/'),
    details: notes(event, origin),
    location: placeOf(event) ?? '',
  })}`;
}

export function outlookLink(event: CalendarEvent, origin: string, timeZone: string): string {
  const [startdt, enddt] = event.isAllDay
    ? wholeDays(event, timeZone)
    : ([event.startDate, event.endDate] as const);
  return `https://outlook.live.com/calendar/0/deeplink/compose?${new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.title,
    startdt,
    enddt,
    ...(event.isAllDay && { allday: 'true' }),
    body: notes(event, origin),
    location: placeOf(event) ?? '',
  })}`;
}
