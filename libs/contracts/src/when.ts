import { lastMomentOf, type Span } from './calendar.js';
import type { Community } from './community.js';
import { zonedRange, zoneName, zoneOf } from './zones.js';

type Place = Pick<Community, 'timeZone' | 'locale'>;

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

/** When an event takes place, on the clock of its place and in the reader's language. */
interface When {
  /** 'Thursday, November 26, 2026, 6:00 – 8:00 PM GMT'. */
  text: string;
  /** The same in two lines: 'Thursday, November 26, 2026' and '6:00 – 8:00 PM GMT'. */
  days: string;
  /** Null for whole days, and where the line of the days says them. */
  hours: string | null;
  /** The month and the day on which it begins, as on a sheet of a calendar: 'Nov' and '26'. */
  month: string;
  day: string;
}

export function whenOf(span: Span, community: Place): When {
  const { locale } = community;
  const timeZone = zoneOf(span, community);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const { startDate, isAllDay } = span;
  const last = lastMomentOf(span);
  const range = (options: Intl.DateTimeFormatOptions) =>
    withPlainSpaces(zonedRange(startDate, last, { locale, timeZone }, options));
  const text = isAllDay
    ? withPlainSpaces(format(DAY).formatRange(startDate, last))
    : range({ ...DAY, ...TIME });
  const isOneDay = format(DAY).format(startDate) === format(DAY).format(last);
  return {
    text,
    ...(isAllDay
      ? { days: text, hours: null }
      : isOneDay
        ? { days: withPlainSpaces(format(DAY).format(startDate)), hours: range(TIME) }
        : { days: text, hours: null }),
    month: format({ month: 'short' }).format(startDate),
    day: format({ day: 'numeric' }).format(startDate),
  };
}

export const formatMoment = (moment: Date, { timeZone, locale }: Place): string =>
  `${withPlainSpaces(new Intl.DateTimeFormat(locale, { ...DAY, ...TIME, timeZone }).format(moment))} ${zoneName(moment, timeZone, locale)}`;

// Intl sets narrow and thin spaces, which old mail programs show as boxes.
const withPlainSpaces = (text: string) => text.replaceAll(/[\u2009\u202f]/g, ' ');
