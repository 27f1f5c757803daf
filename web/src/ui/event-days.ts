import { type DateContext, format, localDate, shortDate } from './dates';
import { dateIn, type EventTimes, lastMoment, type Moment, type Placed, zoneFor } from './event-times';

export const eventDate = (event: Placed & Pick<EventTimes, 'startDate' | 'isAllDay'>, context: DateContext) =>
  shortDate(event.startDate, { ...context, viewerZone: zoneFor(event, context) });

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

export const eventMonth = (event: EventTimes, context: DateContext) =>
  format(
    context.locale,
    { month: 'long', year: 'numeric', timeZone: zoneFor(event, context) },
    event.startDate,
  );

export interface EventDays {
  first: string;
  last: string;
}

export function eventDays(event: EventTimes, context: DateContext): EventDays {
  const zone = zoneFor(event, context);
  return { first: dateIn(zone, event.startDate), last: dateIn(zone, lastMoment(event)) };
}

/**
 * Returns which day of the event this is, such as day 2 of 3. Returns null if the event isn't on this day.
 * @param day a day whose `start` is local midnight
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
