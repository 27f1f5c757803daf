import { currentZoneName } from '@meetmark/contracts/zone-names';
import { isKnownZone } from '@meetmark/contracts/zones';
import { findIana } from 'windows-iana';
import { daysLater, momentAt } from '../../../ui/zoned-time';

export type DateOrder = 'dayFirst' | 'monthFirst';

const ISO = /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ]+(.{1,30}))?$/;
const NUMERIC = /^(\d\d?)([/.-])(\d\d?)\2(\d{4})(?:[,T ]+(.{1,30}))?$/;
const MONTH_FIRST =
  /^(?:[a-z]{3,9}\.?,? )?([a-z]{3,9})\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})(?:,?(?: at)? (.{1,30}))?$/i;
const DAY_FIRST =
  /^(?:[a-z]{3,9}\.?,? )?(\d\d?)(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})(?:,?(?: at)? (.{1,30}))?$/i;
const CLOCK =
  /^(\d\d?)(?::(\d\d)(?::\d\d(?:\.\d{1,9})?)?)?\s?([ap])?\.?m?\.?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

interface DateParts {
  date: string;
  clock: string | undefined;
}

const toDate = (year: string, month: number | string, day: string) =>
  `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;

const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function parseDate(text: string, order: DateOrder): DateParts | null {
  const iso = ISO.exec(text);
  if (iso) return { date: toDate(iso[1]!, iso[2]!, iso[3]!), clock: iso[4] };
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [, first, sign, second, year, clock] = numeric;
    const isDayFirst = sign === '.' || order === 'dayFirst';
    return { date: isDayFirst ? toDate(year!, second!, first!) : toDate(year!, first!, second!), clock };
  }
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst && monthOf(monthFirst[1]!) > 0)
    return { date: toDate(monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2]!), clock: monthFirst[4] };
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst && monthOf(dayFirst[2]!) > 0)
    return { date: toDate(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1]!), clock: dayFirst[4] };
  return null;
}

interface Clock {
  time: string;
  offset: string | undefined;
}

function parseClock(text: string): Clock | null {
  const [, hours, minutes = '00', half, offset] = CLOCK.exec(text.trim()) ?? [];
  if (hours === undefined) return null;
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return { time: `${String(hour).padStart(2, '0')}:${minutes}`, offset };
}

const isDay = (date: string) =>
  !Number.isNaN(Date.parse(`${date}T00:00Z`)) && new Date(`${date}T00:00Z`).toISOString().startsWith(date);

interface Moment {
  /** The text itself if it isn't a date, so that the server reports it for the row. */
  moment: string;
  /** Set if the text has no time. */
  day?: string;
}

/** @param time text of another column, if the time isn't in the same one as the date */
export function parseMoment(text: string, time: string | null, zone: string, order: DateOrder): Moment {
  const parts = parseDate(text.trim(), order);
  const clockText = parts?.clock ?? time;
  if (parts === null || !isDay(parts.date)) return { moment: text };
  if (clockText === null)
    return { moment: momentAt(parts.date, '00:00', zone).toISOString(), day: parts.date };
  const clock = parseClock(clockText);
  if (clock === null) return { moment: `${text} ${clockText}` };
  const { offset, time: wall } = clock;
  const moment =
    offset === undefined
      ? momentAt(parts.date, wall, zone)
      : new Date(
          `${parts.date}T${wall}${/^[+-]/.test(offset) ? offset.replace(/(\d\d):?(\d\d)$/, '$1:$2') : 'Z'}`,
        );
  return { moment: Number.isNaN(moment.getTime()) ? `${text} ${clockText}` : moment.toISOString() };
}

/** Returns the order of day and month, or null if the dates leave it open. */
export function dateOrder(texts: string[]): DateOrder | null {
  const numeric = texts.flatMap((text) => {
    const [, first, sign, second] = NUMERIC.exec(text.trim()) ?? [];
    return first === undefined || sign === '.' ? [] : [[Number(first), Number(second)] as const];
  });
  if (numeric.some(([first]) => first > 12)) return 'dayFirst';
  if (numeric.some(([, second]) => second > 12) || numeric.every(([first, second]) => first === second))
    return 'monthFirst';
  return null;
}

/** Returns the IANA name of a zone that a file names, also for Windows' names. */
export function parseZone(name: string): string | null {
  if (/^[A-Za-z]/.test(name) && isKnownZone(name)) return currentZoneName(name);
  const [found] = findIana(name);
  return found !== undefined && isKnownZone(found) ? currentZoneName(found) : null;
}

/** Returns the end of a whole day. */
export function endOfDay(day: string, zone: string): string {
  const end = momentAt(daysLater(day, 1), '00:00', zone);
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}
