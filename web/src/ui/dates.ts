import { zoneName } from '@meetmark/contracts/zones';
import { wallClock } from './wall-clock';

/** How dates are written: `locale` for the words, the viewer's own time zone for a moment. Those of events are in event-times.ts. */
export interface DateContext {
  locale: string;
  /** The community's IANA time zone. Where the viewer's clock differs, its zone is named. */
  timeZone: string;
  /** The reader's IANA time zone; that of the browser when it is not given. */
  viewerZone?: string;
}

type Moment = string | Date;
const toDate = (moment: Moment) => (typeof moment === 'string' ? new Date(moment) : moment);

// Making an Intl formatter costs a hundred times as much as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();
export function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** Plain spaces for thin ones; a no-break space keeps 'AM' in the line of its time. */
export const spaced = (text: string) =>
  text.replaceAll(/[\u2009\u202f]/g, ' ').replaceAll(/ (?=[AP]M\b)/g, '\u00a0');

export const format = (locale: string, options: Intl.DateTimeFormatOptions, moment: Moment) =>
  spaced(formatter(locale, options).format(toDate(moment)));

/** Some browsers without a zone name one that they do not take themselves. */
export function browserZone(): string {
  const { timeZone } = formatter('en-US', {}).resolvedOptions();
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}

/** ' EST' when the viewer's clock differs from the community's at that moment, else ''. */
function zoneSuffix(moment: Moment, { locale, timeZone }: DateContext): string {
  const date = toDate(moment);
  const there = wallClock(date, timeZone);
  const viewer = browserZone();
  const here = wallClock(date, viewer);
  return here.date === there.date && here.time === there.time ? '' : ` ${zoneName(date, viewer, locale)}`;
}

/** 'Sat, Nov 21, 09:00 AM': compact lists. */
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
export const shortDate = (moment: Moment, { locale, viewerZone: timeZone }: Omit<DateContext, 'timeZone'>) =>
  format(locale, { month: 'short', day: 'numeric', year: 'numeric', timeZone }, moment);

/** 'Saturday, November 21, 2026'. */
export const longDate = (moment: Moment, { locale }: Pick<DateContext, 'locale'>) =>
  format(locale, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }, moment);

/** '9:00 AM'. */
export const timeOfDay = (moment: Moment, context: DateContext) =>
  format(context.locale, { hour: 'numeric', minute: '2-digit' }, moment) + zoneSuffix(moment, context);

/** 'November 2026'. */
export const monthTitle = (moment: Moment, { locale }: Pick<DateContext, 'locale'>) =>
  format(locale, { month: 'long', year: 'numeric' }, moment);

export const localDate = (moment: Date) =>
  [
    String(moment.getFullYear()).padStart(4, '0'),
    ...[moment.getMonth() + 1, moment.getDate()].map((figure) => String(figure).padStart(2, '0')),
  ].join('-');

/** The viewer's time zone in words, when its clock differs from the community's now; else null. */
export function viewerZone(context: DateContext, now = new Date()): string | null {
  return zoneSuffix(now, context) === '' ? null : browserZone();
}
