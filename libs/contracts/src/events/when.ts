import { getLastTime, type Span } from './calendar.js';
import type { Community } from '../community.js';
import { zonedRange, zoneName, getZone } from '../zones.js';

type Place = Pick<Community, 'timeZone' | 'locale'>;

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

interface When {
  /** Such as 'Thursday, November 26, 2026, 6:00 – 8:00 PM GMT'. */
  text: string;
  /** Without the time if `hours` is set: 'Thursday, November 26, 2026'. Otherwise the same as `text`. */
  days: string;
  hours: string | null;
  month: string;
  day: string;
}

export function formatWhen(span: Span, community: Place): When {
  const { locale } = community;
  const timeZone = getZone(span, community);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const { startDate, isAllDay } = span;
  const last = getLastTime(span);
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

// Intl writes narrow and thin spaces, which old email programs show as boxes.
const withPlainSpaces = (text: string) => text.replaceAll(/[\u2009\u202f]/g, ' ');
