import { zoneName } from '@meetmark/contracts/zones';
import { wallClock } from './wall-clock';

/** For event times, see event-times.ts. */
export interface DateContext {
  locale: string;
  timeZone: string;
  viewerZone?: string;
}

type Moment = string | Date;
const toDate = (moment: Moment) => (typeof moment === 'string' ? new Date(moment) : moment);

// cached, because creating an Intl formatter takes a hundred times longer than using it
const formatters = new Map<string, Intl.DateTimeFormat>();
export function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** A no-break space keeps 'AM' next to its time. */
export const spaced = (text: string) =>
  text.replaceAll(/[\u2009\u202f]/g, ' ').replaceAll(/ (?=[AP]M\b)/g, '\u00a0');

export const format = (locale: string, options: Intl.DateTimeFormatOptions, moment: Moment) =>
  spaced(formatter(locale, options).format(toDate(moment)));

/** Some browsers report the time zone 'Etc/Unknown', but don't accept it. */
export function browserZone(): string {
  const { timeZone } = formatter('en-US', {}).resolvedOptions();
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}

function zoneSuffix(moment: Moment, { locale, timeZone }: DateContext): string {
  const date = toDate(moment);
  const there = wallClock(date, timeZone);
  const viewer = browserZone();
  const here = wallClock(date, viewer);
  return here.date === there.date && here.time === there.time ? '' : ` ${zoneName(date, viewer, locale)}`;
}

/** Returns text like 'Sat, Nov 21, 09:00 AM', for compact lists. */
export const shortMoment = (moment: Moment, context: DateContext) =>
  format(
    context.locale,
    { weekday: 'short', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    moment,
  ) + zoneSuffix(moment, context);

/** Returns text like 'Nov 21, 2026, 9:00 AM'. */
export const dateTime = (moment: Moment, context: DateContext) =>
  format(
    context.locale,
    { month: 'short', day: 'numeric', year: 'numeric', hour: 'numeric', minute: '2-digit' },
    moment,
  ) + zoneSuffix(moment, context);

export const shortDate = (moment: Moment, { locale, viewerZone: timeZone }: Omit<DateContext, 'timeZone'>) =>
  format(locale, { month: 'short', day: 'numeric', year: 'numeric', timeZone }, moment);

/** Returns text like 'Saturday, November 21, 2026'. */
export const longDate = (moment: Moment, { locale }: Pick<DateContext, 'locale'>) =>
  format(locale, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }, moment);

export const timeOfDay = (moment: Moment, context: DateContext) =>
  format(context.locale, { hour: 'numeric', minute: '2-digit' }, moment) + zoneSuffix(moment, context);

export const monthTitle = (moment: Moment, { locale }: Pick<DateContext, 'locale'>) =>
  format(locale, { month: 'long', year: 'numeric' }, moment);

export const localDate = (moment: Date) =>
  [
    String(moment.getFullYear()).padStart(4, '0'),
    ...[moment.getMonth() + 1, moment.getDate()].map((figure) => String(figure).padStart(2, '0')),
  ].join('-');

export function viewerZone(context: DateContext, now = new Date()): string | null {
  return zoneSuffix(now, context) === '' ? null : browserZone();
}
