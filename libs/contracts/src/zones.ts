import type { Community } from './community.js';

/** Regions that have a word where others of the same language write an offset: 'CET' in Britain, 'EST' in the United States. */
const REGIONS: Partial<Record<string, readonly string[]>> = {
  en: ['en-GB', 'en-US', 'en-AU', 'en-IE', 'en-IN', 'en-SG', 'en-ZA'],
};

const isOffset = (name: string) => /^(GMT|UTC)[+\u2212-]/.test(name);

// Making an Intl formatter costs a hundred times as much as using it.
const formatters = new Map<string, Intl.DateTimeFormat>();

function shortName(moment: Date, timeZone: string, locale: string): string {
  const key = `${locale} ${timeZone}`;
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
  formatters.set(key, formatter);
  return formatter.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** A zone at a moment as people say it in a language: 'BST', 'MEZ'; 'GMT+5:45' where the language has no word. */
export function zoneName(moment: Date, timeZone: string, locale: string): string {
  const [language = locale] = locale.split('-');
  const names = [locale, ...(REGIONS[language] ?? [])].map((each) => shortName(moment, timeZone, each));
  const name = names.find((each) => !isOffset(each)) ?? names[0]!;
  return name.replace(/^(GMT|UTC)[+-]0$/, 'GMT');
}

/** '6:00 – 8:00 PM GMT'; with the zone at both ends where the clock changes in between, and both ends where the clock shows the same. */
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
  // Intl writes what reads the same at both ends once: in the hour that clocks repeat, and within a minute, the end would be missing
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

/** Whether this browser or process can tell the time there: one that is older than a zone does not know it. */
function isKnown(timeZone: string): boolean {
  try {
    shortName(new Date(0), timeZone, 'en');
    return true;
  } catch {
    return false;
  }
}

/**
 * The zone of the place where an event takes place, which is also that of its whole days: its own, else the community's. A service of the
 * version before leaves it out.
 */
export const zoneOf = (
  { timeZone: own }: { timeZone?: string | null },
  { timeZone }: Pick<Community, 'timeZone'>,
): string => (own && isKnown(own) ? own : timeZone);

/** Days before and after a month: those that complete its weeks, one more, and what the clocks of the world differ by. */
const AROUND = 8;

/** The span of events that a calendar may show with a month, whatever clock it follows and whatever day its weeks begin with. @param month from 0 */
export const monthSpan = (year: number, month: number): { from: string; until: string } => ({
  from: new Date(Date.UTC(year, month, 1 - AROUND)).toISOString(),
  until: new Date(Date.UTC(year, month + 1, 1 + AROUND)).toISOString(),
});
