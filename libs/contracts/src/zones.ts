import type { Community } from './community.js';

/**
 * Locales to try if a locale shows an offset instead of a name. Only British English has 'CET', and only
 * American English has 'EST'.
 */
const REGIONS: Partial<Record<string, readonly string[]>> = {
  en: ['en-GB', 'en-US', 'en-AU', 'en-IE', 'en-IN', 'en-SG', 'en-ZA'],
};

const isOffset = (name: string) => /^(GMT|UTC)[+\u2212-]/.test(name);

// Creating an Intl formatter takes a hundred times longer than using one.
const formatters = new Map<string, Intl.DateTimeFormat>();

function shortName(moment: Date, timeZone: string, locale: string): string {
  const key = `${locale} ${timeZone}`;
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  formatters.set(key, formatter);
  return formatter.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Returns a short name such as 'BST' or 'MEZ', or 'GMT+5:45' if the zone has no name. */
export function zoneName(moment: Date, timeZone: string, locale: string): string {
  const [language = locale] = locale.split('-');
  const names = [locale, ...(REGIONS[language] ?? [])].map((each) => shortName(moment, timeZone, each));
  const name = names.find((each) => !isOffset(each)) ?? names[0]!;
  return name.replace(/^(GMT|UTC)[+-]0$/, 'GMT');
}

/**
 * Returns a range such as '6:00 – 8:00 PM GMT'. Shows both zone names if the clock changes during the range.
 */
export function zonedRange(
  start: Date,
  end: Date,
  { locale, timeZone }: Pick<Community, 'locale' | 'timeZone'>,
  options: Intl.DateTimeFormatOptions,
): string {
  const [first, last] = [zoneName(start, timeZone, locale), zoneName(end, timeZone, locale)];
  const changes = first !== last;
  const formatter = (given: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...given, timeZone });
  const parts = formatter({ ...options, ...(changes && { timeZoneName: 'short' }) }).formatRangeToParts(
    start,
    end,
  );
  // If start and end look the same, Intl shows only one time. This happens in a repeated hour and within one
  // minute. Then show both times.
  if (
    start.getTime() !== end.getTime() &&
    !parts.some(({ type, source }) => type === (changes ? 'timeZoneName' : 'minute') && source !== 'shared')
  ) {
    const { hour, minute } = options;
    const begin = formatter(options).format(start);
    return `${begin}${changes ? ` ${first}` : ''} – ${formatter({ hour, minute }).format(end)} ${last}`;
  }
  const range = parts.map(({ type, source, value }) =>
    type !== 'timeZoneName' ? value : source === 'startRange' ? first : last,
  );
  return changes ? range.join('') : `${range.join('')} ${last}`;
}

/** Old browsers and Node versions don't know new zones. */
export function isKnownZone(timeZone: string): boolean {
  try {
    shortName(new Date(0), timeZone, 'en');
    return true;
  } catch {
    return false;
  }
}

export const getZone = (
  { timeZone: own }: { timeZone?: string | null },
  { timeZone }: Pick<Community, 'timeZone'>,
): string => (own && isKnownZone(own) ? own : timeZone);

/** Days around the month: six to complete its weeks, one for time zones, and one to spare. */
const AROUND = 8;

/**
 * Returns a span that covers the month's weeks in any time zone, with any first day of the week. `month`
 * starts at 0.
 */
export const monthSpan = (year: number, month: number): { from: string; until: string } => ({
  from: new Date(Date.UTC(year, month, 1 - AROUND)).toISOString(),
  until: new Date(Date.UTC(year, month + 1, 1 + AROUND)).toISOString(),
});
