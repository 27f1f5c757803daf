import { type DateContext, format, localDate, shortDate } from './dates';
import { dateIn, type EventTimes, lastMoment, type Moment, type Placed, zoneFor } from './event-times';

// The days of an event, on the clock that it stands on: for lists, calendars and programmes.

/** The day that it starts on: 'Nov 21, 2026'. */
export const eventDate = (event: Placed & Pick<EventTimes, 'startDate' | 'isAllDay'>, context: DateContext) =>
  shortDate(event.startDate, { ...context, viewerZone: zoneFor(event, context) });

/** The day of a part of an event: 'Saturday, November 21, 2026'. */
export const eventDay = (event: Placed, moment: string, context: DateContext): string =>
  format(
    context.locale,
    {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      year: 'numeric',
      timeZone: zoneFor({ ...event, isAllDay: false }, context),
    },
    moment,
  );

/** The month that it starts in: 'November 2026'; with `now` the year only when it is another. */
export function eventMonth(event: EventTimes, context: DateContext, now?: Date): string {
  const timeZone = zoneFor(event, context);
  const isThisYear =
    now && dateIn(timeZone, event.startDate).slice(0, 4) === dateIn(timeZone, now).slice(0, 4);
  return format(
    context.locale,
    { month: 'long', year: isThisYear ? undefined : 'numeric', timeZone },
    event.startDate,
  );
}

/** First and last day, as '2026-11-21'. */
export interface EventDays {
  first: string;
  last: string;
}

export function eventDays(event: EventTimes, context: DateContext): EventDays {
  const zone = zoneFor(event, context);
  return { first: dateIn(zone, event.startDate), last: dateIn(zone, lastMoment(event)) };
}

/**
 * Which of its days an event has on a day of a calendar, from 1, and how many it has; null when it is not on. `day`: its midnight on the
 * clock of the browser.
 */
export function partOnDay(
  { first, last }: EventDays,
  day: { start: Date },
): { day: number; of: number } | null {
  const shown = localDate(day.start);
  if (shown < first || shown > last) return null;
  const count = (end: string) => Math.round((Date.parse(end) - Date.parse(first)) / 86_400_000) + 1;
  return { day: count(shown), of: count(last) };
}

/** 'in 2 days', 'tomorrow', 'in 3 hours'; days are those of the clock that it stands on. */
export function timeUntil(event: EventTimes, context: DateContext, now: Date): string {
  const zone = zoneFor(event, context);
  const midnight = (moment: Moment) => Date.parse(dateIn(zone, moment));
  const days = Math.round((midnight(event.startDate) - midnight(now)) / 86_400_000);
  const minutes = Math.max(1, Math.round((Date.parse(event.startDate) - now.getTime()) / 60_000));
  const relative = new Intl.RelativeTimeFormat(context.locale, { numeric: 'auto' });
  if (days > 0) return relative.format(days, 'day');
  return minutes < 60
    ? relative.format(minutes, 'minute')
    : relative.format(Math.round(minutes / 60), 'hour');
}
