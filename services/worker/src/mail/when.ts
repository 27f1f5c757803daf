import type { Community } from '@meetmark/contracts';

export interface Span {
  startDate: Date;
  endDate: Date;
  isAllDay: boolean;
}

type Place = Pick<Community, 'timeZone' | 'locale'>;

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** 'Thursday, November 26, 2026, 6:00 – 8:00 PM GMT': the community's zone and language. */
export function formatSpan({ startDate, endDate, isAllDay }: Span, { timeZone, locale }: Place): string {
  const format = new Intl.DateTimeFormat(locale, { ...DAY, ...(isAllDay ? {} : TIME), timeZone });
  // an all-day event ends at the midnight after its last day
  const end = isAllDay ? new Date(Math.max(startDate.getTime(), endDate.getTime() - 1)) : endDate;
  return withPlainSpaces(format.formatRange(startDate, end));
}

export const formatMoment = (moment: Date, { timeZone, locale }: Place): string =>
  withPlainSpaces(new Intl.DateTimeFormat(locale, { ...DAY, ...TIME, timeZone }).format(moment));

// Intl sets narrow and thin spaces, which old mail programs show as boxes.
const withPlainSpaces = (text: string) => text.replaceAll(/[\u2009\u202f]/g, ' ');
