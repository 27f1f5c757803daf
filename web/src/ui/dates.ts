import { wallClock } from './zoned-time';

/** How dates are written: `locale` for the words, the viewer's own time zone for the moment. */
interface DateContext {
  locale: string;
  /** The community's IANA time zone. Where the viewer's clock differs, its zone is named. */
  timeZone: string;
}

type Moment = string | Date;
const toDate = (moment: Moment) => (typeof moment === 'string' ? new Date(moment) : moment);

// Making an Intl formatter costs a hundred times as much as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** Plain spaces for thin ones; a no-break space keeps 'AM' in the line of its time. */
const spaced = (text: string) =>
  text.replaceAll(/[\u2009\u202f]/g, ' ').replaceAll(/ (?=[AP]M\b)/g, '\u00a0');

const format = (locale: string, options: Intl.DateTimeFormatOptions, moment: Moment) =>
  spaced(formatter(locale, options).format(toDate(moment)));

const zonePart = (
  zone: string | undefined,
  timeZoneName: 'longOffset' | 'short',
  locale: string,
  date: Date,
) =>
  formatter(locale, { timeZone: zone, timeZoneName })
    .formatToParts(date)
    .find((part) => part.type === 'timeZoneName')?.value ?? '';

/** ' EST' when the viewer's clock differs from the community's at that moment, else ''. */
function zoneSuffix(moment: Moment, { locale, timeZone }: DateContext): string {
  const date = toDate(moment);
  const same =
    zonePart(undefined, 'longOffset', locale, date) === zonePart(timeZone, 'longOffset', locale, date);
  return same ? '' : ` ${zonePart(undefined, 'short', locale, date)}`;
}

/** 'Sat, Nov 21, 09:00 AM': the upcoming-event banner and compact lists. */
export const shortMoment = (moment: Moment, context: DateContext) =>
  format(
    context.locale,
    { weekday: 'short', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    moment,
  ) + zoneSuffix(moment, context);

/** 'Nov 21, 2026, 9:00 AM': lists that reach over years. */
export const dateTime = (moment: Moment, context: DateContext) =>
  format(
    context.locale,
    { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    moment,
  ) + zoneSuffix(moment, context);

/** 'Nov 21, 2026'. */
export const shortDate = (moment: Moment, { locale }: Pick<DateContext, 'locale'>) =>
  format(locale, { month: 'short', day: 'numeric', year: 'numeric' }, moment);

/** 'Saturday, November 21, 2026'. */
export const longDate = (moment: Moment, { locale }: Pick<DateContext, 'locale'>) =>
  format(locale, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }, moment);

/** '9:00 AM'. */
export const timeOfDay = (moment: Moment, context: DateContext) =>
  format(context.locale, { hour: 'numeric', minute: '2-digit' }, moment) + zoneSuffix(moment, context);

/** 'November 2026'. */
export const monthTitle = (moment: Moment, { locale }: Pick<DateContext, 'locale'>) =>
  format(locale, { month: 'long', year: 'numeric' }, moment);

/** 'December'; 'January 2027' in another year than now's. */
export const monthName = (moment: Moment, { locale }: Pick<DateContext, 'locale'>, now: Date) =>
  toDate(moment).getFullYear() === now.getFullYear()
    ? format(locale, { month: 'long' }, moment)
    : monthTitle(moment, { locale });

/** 'in 2 days', 'tomorrow', 'in 3 hours'. */
export function timeUntil(moment: Moment, { locale }: Pick<DateContext, 'locale'>, now: Date): string {
  const date = toDate(moment);
  const midnight = (of: Date) => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime();
  const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
  const minutes = Math.max(1, Math.round((date.getTime() - now.getTime()) / 60_000));
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (days > 0) return relative.format(days, 'day');
  return minutes < 60
    ? relative.format(minutes, 'minute')
    : relative.format(Math.round(minutes / 60), 'hour');
}

/** Parts of the leaf of a tear-off calendar: 'NOV', '21'. */
export const calendarLeaf = (moment: Moment, isAllDay: boolean, context: DateContext) => {
  const timeZone = isAllDay ? context.timeZone : undefined;
  return {
    month: format(context.locale, { month: 'short', timeZone }, moment),
    day: format(context.locale, { day: 'numeric', timeZone }, moment),
  };
};

interface Span {
  startDate: string;
  endDate: string;
  isAllDay: boolean;
}

/** The last moment that belongs to an event: one that ends at midnight is not on the day that begins then. */
const lastMoment = ({ startDate, endDate }: Span) =>
  new Date(Math.max(Date.parse(startDate), Date.parse(endDate) - 1));

/**
 * 'Sat, Nov 21, 2026, 9:00 – 11:00 AM EST': as short as both ends allow. Whole days are those of the community's calendar, wherever
 * they are read. With `now`, the year is written only when it is another.
 */
export function eventSpan(span: Span, context: DateContext, now?: Date): string {
  const { startDate, endDate, isAllDay } = span;
  const time: Intl.DateTimeFormatOptions = isAllDay
    ? { timeZone: context.timeZone }
    : { hour: 'numeric', minute: '2-digit' };
  const day: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: now && isWithinYear(span, now) ? undefined : 'numeric',
  };
  const range = spaced(
    formatter(context.locale, { ...day, ...time }).formatRange(
      toDate(startDate),
      isAllDay ? lastMoment(span) : toDate(endDate),
    ),
  );
  return isAllDay ? range : range + zoneSuffix(startDate, context);
}

const isWithinYear = (span: Span, now: Date) =>
  [toDate(span.startDate), lastMoment(span)].every((day) => day.getFullYear() === now.getFullYear());

/**
 * As `eventSpan` in two lines: 'Saturday, November 21' with the year where it is another one, and '9:00 – 11:00 AM GMT', always with
 * its zone. Whole days have no second line.
 */
export function eventWhen(
  span: Span,
  context: DateContext,
  now = new Date(),
): { days: string; hours: string | null } {
  const { startDate, isAllDay } = span;
  const [start, end] = [toDate(startDate), lastMoment(span)];
  const zone = isAllDay ? { timeZone: context.timeZone } : {};
  const year = isWithinYear(span, now) ? {} : ({ year: 'numeric' } as const);
  const range = (options: Intl.DateTimeFormatOptions, last: Date) =>
    spaced(formatter(context.locale, options).formatRange(start, last));
  const written = (weekday: 'long' | 'short', month: 'long' | 'short') =>
    range({ weekday, month, day: 'numeric', ...year, ...zone }, end);
  const oneDay = isAllDay
    ? wallClock(start, context.timeZone).date === wallClock(end, context.timeZone).date
    : localDate(start) === localDate(end);
  const days = oneDay ? written('long', 'long') : written('short', 'short');
  if (isAllDay) return { days, hours: null };
  const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  // A range over midnight would repeat the dates.
  const hours = oneDay
    ? range(clock, toDate(span.endDate))
    : `${format(context.locale, { hour: 'numeric', minute: '2-digit' }, startDate)} – ${format(context.locale, clock, span.endDate)}`;
  return { days, hours };
}

/** When it starts, in a line of a list: 'Sat, Nov 21, 09:00 AM'; for whole days 'Sat, Nov 21'. */
export const eventStart = ({ startDate, isAllDay }: Omit<Span, 'endDate'>, context: DateContext): string =>
  isAllDay
    ? format(
        context.locale,
        { weekday: 'short', month: 'short', day: 'numeric', timeZone: context.timeZone },
        startDate,
      )
    : shortMoment(startDate, context);

/**
 * Which of its days an event has on a day of the viewer's calendar, from 1, and how many it has; null when it is not on. `day`:
 * midnight to midnight.
 */
export function dayOfEvent(
  span: Span,
  day: { start: Date; end: Date },
  { timeZone }: Pick<DateContext, 'timeZone'>,
): { day: number; of: number } | null {
  const dateOf = (moment: Date) => (span.isAllDay ? wallClock(moment, timeZone).date : localDate(moment));
  const [first, last, shown] = [
    dateOf(toDate(span.startDate)),
    dateOf(lastMoment(span)),
    localDate(day.start),
  ];
  if (shown < first || shown > last) return null;
  const count = (end: string) => Math.round((Date.parse(end) - Date.parse(first)) / 86_400_000) + 1;
  return { day: count(shown), of: count(last) };
}

/** Where the week begins on another day than Monday, by country: for browsers that do not know. */
const WEEK_STARTS: [day: number, countries: RegExp][] = [
  [0, /-(US|CA|MX|BR|CO|PE|VE|AR|JP|KR|TW|HK|IN|IL|ZA|PH|TH|SA)\b/],
  [6, /-(AE|EG|IR|AF|DZ|IQ|JO|KW|LY|OM|QA|SD|SY|BH)\b/],
];

interface WeekInfo {
  /** From 1, Monday. */
  firstDay: number;
}

/** The day that a week begins with, 0 being Sunday. */
export function firstDayOfWeek(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => WeekInfo };
  const info = known.getWeekInfo?.();
  if (info) return info.firstDay % 7;
  return WEEK_STARTS.find(([, countries]) => countries.test(locale))?.[0] ?? 1;
}

/** The midnight that ends the week of `day`. */
export function endOfWeek(day: Date, locale: string): Date {
  const passed = (day.getDay() - firstDayOfWeek(locale) + 7) % 7;
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - passed + 7);
}

const localDate = (moment: Date) =>
  [
    String(moment.getFullYear()).padStart(4, '0'),
    ...[moment.getMonth() + 1, moment.getDate()].map((figure) => String(figure).padStart(2, '0')),
  ].join('-');

/** The viewer's time zone in words, when its clock differs from the community's now; else null. */
export function viewerZone(context: DateContext, now = new Date()): string | null {
  return zoneSuffix(now, context) === '' ? null : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
