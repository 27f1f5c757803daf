import type { Event } from '@meetmark/contracts';
import { shortenText } from '@meetmark/contracts/cut-text';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { detailsText } from '@meetmark/i18n/texts/event-page';
import { getZone } from '@meetmark/contracts/zones';
import { useCommunity } from '../../../api/community';
import { wallClock } from '../../../ui/wall-clock';
import { daysLater } from '../../../ui/zoned-time';
import { formatLocation } from './event';
import { toPlainDescription } from './plain-description';

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

/** Calendars, proxies and some browsers refuse longer URLs. */
const URL_LENGTH = 2_000;

export type CalendarEvent = Pick<
  Event,
  | 'id'
  | 'slug'
  | 'title'
  | 'description'
  | 'descriptionFormat'
  | 'location'
  | 'format'
  | 'startDate'
  | 'endDate'
  | 'isAllDay'
  | 'timeZone'
>;

const compact = (moment: string) => new Date(moment).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');

function wholeDays(event: CalendarEvent, communityZone: string): [string, string] {
  const { startDate, endDate } = event;
  const timeZone = getZone(event, { timeZone: communityZone });
  const last = wallClock(Math.max(Date.parse(startDate), Date.parse(endDate) - 1), timeZone).date;
  return [wallClock(startDate, timeZone).date, daysLater(last, 1)];
}

function fitting(text: string, urlWith: (text: string) => string): string {
  let [fits, tooLong] = [0, text.length + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (urlWith(shortenText(text, middle)).length < URL_LENGTH) fits = middle;
    else tooLong = middle;
  }
  return fits === 0 ? '' : shortenText(text, fits);
}

function calendarUrl(
  event: CalendarEvent,
  origin: string,
  buildUrl: (title: string, location: string, notes: string) => string,
): string {
  const page = origin + eventPath(event);
  const notes = (description: string) => [description, page].filter(Boolean).join('\n\n');
  const description = toPlainDescription(event.description ?? '', event.descriptionFormat).trim();
  const title = fitting(event.title, (text) => buildUrl(text, '', page));
  const location = fitting(formatLocation(event) ?? '', (text) => buildUrl(title, text, page));
  const shown = fitting(description, (text) => buildUrl(title, location, notes(text)));
  return buildUrl(title, location, notes(shown));
}

const icsLink = (id: string) => `/api/events/${id}/calendar.ics`;

export function googleLink(event: CalendarEvent, origin: string, timeZone: string): string {
  const dates = event.isAllDay
    ? wholeDays(event, timeZone).map((date) => date.replaceAll('-', ''))
    : [compact(event.startDate), compact(event.endDate)];
  return calendarUrl(
    event,
    origin,
    (title, location, notes) =>
      `https://calendar.google.com/calendar/render?${new URLSearchParams({
        action: 'TEMPLATE',
        text: title,
        dates: dates.join('/'),
        location,
        details: notes,
      })}`,
  );
}

export function outlookLink(event: CalendarEvent, origin: string, timeZone: string): string {
  const [startdt, enddt] = event.isAllDay
    ? wholeDays(event, timeZone)
    : ([event.startDate, event.endDate] as const);
  return calendarUrl(
    event,
    origin,
    (title, location, notes) =>
      `https://outlook.live.com/calendar/0/deeplink/compose?${new URLSearchParams({
        path: '/calendar/action/compose',
        rru: 'addevent',
        subject: title,
        startdt,
        enddt,
        ...(event.isAllDay && { allday: 'true' }),
        location,
        body: notes,
      })}`,
  );
}
