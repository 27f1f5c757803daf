import { type Community, lastMomentOf, type Span } from '@meetmark/contracts';

type Place = Pick<Community, 'timeZone' | 'locale'>;

const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

/** 'Thursday, November 26, 2026, 6:00 – 8:00 PM GMT': in the community's zone and language. */
export function formatSpan(span: Span, { timeZone, locale }: Place): string {
  const format = new Intl.DateTimeFormat(locale, { ...DAY, ...(span.isAllDay ? {} : TIME), timeZone });
  return withPlainSpaces(format.formatRange(span.startDate, lastMomentOf(span)));
}

export const formatMoment = (moment: Date, { timeZone, locale }: Place): string =>
  withPlainSpaces(new Intl.DateTimeFormat(locale, { ...DAY, ...TIME, timeZone }).format(moment));

// Intl sets narrow and thin spaces, which old mail programs show as boxes.
const withPlainSpaces = (text: string) => text.replaceAll(/[\u2009\u202f]/g, ' ');
