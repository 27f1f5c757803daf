import type { EventFormat } from '@meetmark/contracts';
import { zonedRange, zoneName, zoneOf } from '@meetmark/contracts/zones';
import { browserZone, type DateContext, format, formatter, spaced } from './dates';
import { wallClock } from './wall-clock';

/**
 * When an event takes place, as its readers see it: on the clock of its place, with their own time beside it where that differs; online
 * on their own clock, with that of its place beside it: the event's own zone, else the community's. Whole days are those of the place, wherever they are read.
 */
export interface EventTimes {
  startDate: string;
  endDate: string;
  isAllDay: boolean;
  format: EventFormat;
  /** Null, or absent in answers of the version before: the community's. */
  timeZone?: string | null;
}

/** Stands in for an event that has no format yet, such as a proposal or the fields of a form: its times are those of the place. */
export const AT_PLACE = { format: 'in_person', timeZone: null } as const;

export type Moment = string | Date;
const toDate = (moment: Moment) => (typeof moment === 'string' ? new Date(moment) : moment);

const viewerZone = (context: DateContext) => context.viewerZone ?? browserZone();

/** What says on which clock an event stands. */
export type Placed = Pick<EventTimes, 'format' | 'timeZone'>;
type Timed = Placed & Pick<EventTimes, 'isAllDay'>;

/** The zone that an event stands in. */
export const zoneFor = (event: Timed, context: DateContext) =>
  event.format === 'online' && !event.isAllDay ? viewerZone(context) : zoneOf(event, context);

const clock = (moment: Moment, zone: string) => Object.values(wallClock(moment, zone)).join(' ');

/** The zone beside it; null where both clocks show the same at these moments. */
function zoneBeside(event: Timed, moments: Moment[], context: DateContext): string | null {
  if (event.isAllDay) return null;
  const [viewer, place] = [viewerZone(context), zoneOf(event, context)];
  if (moments.every((moment) => clock(moment, viewer) === clock(moment, place))) return null;
  return event.format === 'online' ? place : viewer;
}

/** The last moment that belongs to an event: one that ends at midnight is not on the day that begins then. */
export const lastMoment = ({ startDate, endDate }: Pick<EventTimes, 'startDate' | 'endDate'>) =>
  new Date(Math.max(Date.parse(startDate), Date.parse(endDate) - 1));

export const dateIn = (zone: string, moment: Moment) => wallClock(moment, zone).date;

const isWithinYear = (event: EventTimes, zone: string, now: Date) =>
  [event.startDate, lastMoment(event)].every(
    (day) => dateIn(zone, day).slice(0, 4) === dateIn(zone, now).slice(0, 4),
  );

const HOURS = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const;

const rangeIn = (
  zone: string,
  [start, end]: [Moment, Moment],
  context: DateContext,
  options: Intl.DateTimeFormatOptions,
) => spaced(zonedRange(toDate(start), toDate(end), { locale: context.locale, timeZone: zone }, options));

/** The same span on another clock: '12:30 – 2:30 PM EST', with its days where they are others. */
function spanBeside(zone: string, beside: string, span: [Moment, Moment], context: DateContext): string {
  const days = new Set(span.flatMap((moment) => [dateIn(zone, moment), dateIn(beside, moment)]));
  return rangeIn(beside, span, context, days.size === 1 ? HOURS : { ...DAY, ...HOURS });
}

/** '18:30 CET (12:30 PM EST)' where the clocks differ, else without zones. */
function written(
  event: Timed,
  span: [Moment, Moment],
  context: DateContext,
  options: Intl.DateTimeFormatOptions,
): string {
  const zone = zoneFor(event, context);
  const beside = zoneBeside(event, span, context);
  if (beside !== null)
    return `${rangeIn(zone, span, context, options)} (${spanBeside(zone, beside, span, context)})`;
  const [start, end] = span.map(toDate) as [Date, Date];
  return spaced(formatter(context.locale, { ...options, timeZone: zone }).formatRange(start, end));
}

/** Parts of the leaf of a tear-off calendar: 'NOV', '21'. */
export function calendarLeaf(event: Omit<EventTimes, 'endDate'>, context: DateContext) {
  const timeZone = zoneFor(event, context);
  return {
    month: format(context.locale, { month: 'short', timeZone }, event.startDate),
    day: format(context.locale, { day: 'numeric', timeZone }, event.startDate),
  };
}

/**
 * 'Sat, Nov 21, 2026, 6:30 – 8:30 PM CET (12:30 – 2:30 PM EST)': as short as both ends allow. With `now`, the year is written only when
 * it is another.
 */
export function eventSpan(event: EventTimes, context: DateContext, now?: Date): string {
  const zone = zoneFor(event, context);
  const year = now && isWithinYear(event, zone, now) ? undefined : 'numeric';
  const end = event.isAllDay ? lastMoment(event) : event.endDate;
  return written(event, [event.startDate, end], context, { ...DAY, year, ...(event.isAllDay ? {} : HOURS) });
}

interface EventWhen {
  /** 'Saturday, November 21', with the year where it is another one. */
  days: string;
  /** '6:30 – 8:30 PM CET', always with the zone; null for whole days. */
  hours: string | null;
  /** The same on the other clock, and whose that is; null where it shows the same. */
  beside: { of: 'viewer' | 'community' | 'place'; hours: string } | null;
}

/** The parts of `eventSpan`, each for a line of its own. */
export function eventWhen(event: EventTimes, context: DateContext, now = new Date()): EventWhen {
  const timeZone = zoneFor(event, context);
  const { startDate, endDate, isAllDay } = event;
  const year = isWithinYear(event, timeZone, now) ? {} : ({ year: 'numeric' } as const);
  const end = lastMoment(event);
  const oneDay = dateIn(timeZone, startDate) === dateIn(timeZone, end);
  const length = oneDay ? 'long' : 'short';
  const days = spaced(
    formatter(context.locale, {
      weekday: length,
      month: length,
      day: 'numeric',
      ...year,
      timeZone,
    }).formatRange(toDate(startDate), end),
  );
  if (isAllDay) return { days, hours: null, beside: null };
  const span: [Moment, Moment] = [startDate, endDate];
  const beside = zoneBeside(event, span, context);
  return {
    days,
    hours:
      dateIn(timeZone, startDate) === dateIn(timeZone, endDate)
        ? rangeIn(timeZone, span, context, HOURS)
        : hoursOverMidnight(span, timeZone, context),
    beside:
      beside === null
        ? null
        : {
            of: event.format !== 'online' ? 'viewer' : event.timeZone ? 'place' : 'community',
            hours: spanBeside(timeZone, beside, span, context),
          },
  };
}

/** '6:00 PM – 1:30 AM GMT': a range over midnight, or to it, would repeat the dates. */
function hoursOverMidnight(span: [Moment, Moment], timeZone: string, { locale }: DateContext): string {
  const [start, end] = span.map((moment) => format(locale, { ...HOURS, timeZone }, moment));
  const [first, last] = span.map((moment) => zoneName(toDate(moment), timeZone, locale));
  return first === last ? `${start} – ${end} ${last}` : `${start} ${first} – ${end} ${last}`;
}

/** The start of an event in a line of a list: 'Sat, Nov 21, 06:30 PM CET (12:30 PM EST)'; for whole days 'Sat, Nov 21'. */
export const eventStart = (event: EventTimes, context: DateContext): string =>
  written(event, [event.startDate, event.startDate], context, {
    ...DAY,
    ...(event.isAllDay ? {} : { hour: '2-digit', minute: '2-digit' }),
  });

/** A moment that belongs to an event, such as that from which one can register: 'Nov 21, 2026, 6:30 PM CET (12:30 PM EST)'. */
export const eventMoment = (event: Placed, moment: string, context: DateContext): string =>
  written({ ...event, isAllDay: false }, [moment, moment], context, {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    ...HOURS,
  });

/** Hours of a part of an event: '6:30 PM', '6:30 – 7:00 PM CET (12:30 – 1:00 PM EST)'. */
export const eventHours = (event: Placed, start: string, end: string, context: DateContext): string =>
  written({ ...event, isAllDay: false }, [start, end], context, HOURS);
