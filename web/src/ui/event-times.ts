import type { EventFormat } from '@meetmark/contracts';
import { zonedRange, zoneName, getZone } from '@meetmark/contracts/zones';
import { browserZone, type DateContext, format, formatter, spaced } from './dates';
import { wallClock } from './wall-clock';

/**
 * In-person events show the venue's time first, online events the reader's time. If the two time zones
 * differ, both times are shown. The dates of an all-day event are the same for every reader.
 */
export interface EventTimes {
  startDate: string;
  endDate: string;
  isAllDay: boolean;
  format: EventFormat;
  /** Null means the community's time zone. Undefined in responses of the previous release. */
  timeZone?: string | null;
}

/** Stands in for the event fields that other data, such as a proposal, doesn't have. */
export const AT_PLACE = { format: 'in_person', timeZone: null } as const;

export type Moment = string | Date;
const toDate = (moment: Moment) => (typeof moment === 'string' ? new Date(moment) : moment);

const viewerZone = (context: DateContext) => context.viewerZone ?? browserZone();

export type Placed = Pick<EventTimes, 'format' | 'timeZone'>;
type Timed = Placed & Pick<EventTimes, 'isAllDay'>;

export const zoneFor = (event: Timed, context: DateContext) =>
  event.format === 'online' && !event.isAllDay ? viewerZone(context) : getZone(event, context);

const clock = (moment: Moment, zone: string) => Object.values(wallClock(moment, zone)).join(' ');

function zoneBeside(event: Timed, moments: Moment[], context: DateContext): string | null {
  if (event.isAllDay) return null;
  const [viewer, place] = [viewerZone(context), getZone(event, context)];
  if (moments.every((moment) => clock(moment, viewer) === clock(moment, place))) return null;
  return event.format === 'online' ? place : viewer;
}

/** Returns a time within the last day, so that an event that ends at midnight isn't on the next day. */
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

/** Returns text like '12:30 – 2:30 PM EST'. Adds the days unless all times are on the same day. */
function spanBeside(zone: string, beside: string, span: [Moment, Moment], context: DateContext): string {
  const days = new Set(span.flatMap((moment) => [dateIn(zone, moment), dateIn(beside, moment)]));
  return rangeIn(beside, span, context, days.size === 1 ? HOURS : { ...DAY, ...HOURS });
}

/** Returns text like '6:30 PM CET (12:30 PM EST)', or just '6:30 PM' if both clocks agree. */
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

export function calendarLeaf(event: Omit<EventTimes, 'endDate'>, context: DateContext) {
  const timeZone = zoneFor(event, context);
  return {
    month: format(context.locale, { month: 'short', timeZone }, event.startDate),
    day: format(context.locale, { day: 'numeric', timeZone }, event.startDate),
  };
}

/**
 * Returns text like 'Sat, Nov 21, 2026, 6:30 – 8:30 PM CET (12:30 – 2:30 PM EST)'. If `now` is given, omits
 * the year of an event in the current year.
 */
export function eventSpan(event: EventTimes, context: DateContext, now?: Date): string {
  const zone = zoneFor(event, context);
  const year = now && isWithinYear(event, zone, now) ? undefined : 'numeric';
  const end = event.isAllDay ? lastMoment(event) : event.endDate;
  return written(event, [event.startDate, end], context, { ...DAY, year, ...(event.isAllDay ? {} : HOURS) });
}

interface EventWhen {
  /** Such as 'Saturday, November 21', with the year unless it is the current one. */
  days: string;
  /** Such as '6:30 – 8:30 PM CET', always with the time zone; null for all-day events. */
  hours: string | null;
  /** The hours in the second time zone, and whose time zone that is. Null if both clocks agree. */
  beside: { of: 'viewer' | 'community' | 'place'; hours: string } | null;
}

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

/** Formats both times separately, because Intl adds dates to a range that ends on another day. */
function hoursOverMidnight(span: [Moment, Moment], timeZone: string, { locale }: DateContext): string {
  const [start, end] = span.map((moment) => format(locale, { ...HOURS, timeZone }, moment));
  const [first, last] = span.map((moment) => zoneName(toDate(moment), timeZone, locale));
  return first === last ? `${start} – ${end} ${last}` : `${start} ${first} – ${end} ${last}`;
}

/** Returns text like 'Sat, Nov 21, 06:30 PM CET (12:30 PM EST)', or 'Sat, Nov 21' for all-day events. */
export const eventStart = (event: EventTimes, context: DateContext): string =>
  written(event, [event.startDate, event.startDate], context, {
    ...DAY,
    ...(event.isAllDay ? {} : { hour: '2-digit', minute: '2-digit' }),
  });

/** Returns text like 'Nov 21, 2026, 6:30 PM CET (12:30 PM EST)', for the opening of registration. */
export const eventMoment = (event: Placed, moment: string, context: DateContext): string =>
  written({ ...event, isAllDay: false }, [moment, moment], context, {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    ...HOURS,
  });

/** Returns text like '6:30 – 7:00 PM CET (12:30 – 1:00 PM EST)'. */
export const eventHours = (event: Placed, start: string, end: string, context: DateContext): string =>
  written({ ...event, isAllDay: false }, [start, end], context, HOURS);
