import { type Community, type SeriesStep, getZone } from '@meetmark/contracts';
import { DateTime } from 'luxon';
import { changedValues } from '../core/event-changes.js';
import type { EventEntity, EventValues } from '../core/event.entity.js';

// Events of a series keep their local time when the clocks change.

const DAY = 24 * 3_600_000;
const DAYS_OF_WEEK = 7;

/** Returns the local time in milliseconds, as if it were UTC. */
const onWall = (moment: Date, zone: string) =>
  DateTime.fromJSDate(moment, { zone }).setZone('utc', { keepLocalTime: true }).toMillis();

/**
 * Returns the difference in local time, in milliseconds.
 * @param there time zone of `to`, if it differs from `zone`
 */
export const wallBetween = (from: Date, to: Date, zone: string, there = zone) =>
  onWall(to, there) - onWall(from, zone);

/**
 * Moves a time by local milliseconds. If the clocks skip the result, it becomes the next valid time.
 * @param there time zone of the result
 */
export function moved(moment: Date, milliseconds: number, zone: string, there = zone): Date {
  if (milliseconds === 0 && zone === there) return moment;
  const wall = DateTime.fromMillis(onWall(moment, zone) + milliseconds, { zone: 'utc' });
  return wall.setZone(there, { keepLocalTime: true }).toJSDate();
}

/** Keeps the duration if a clock change would put the end before the start. */
export function movedSpan(
  [from, to]: [Date, Date],
  [byFrom, byTo]: [number, number],
  zone: string,
  there = zone,
): [Date, Date] {
  const [begin, end] = [moved(from, byFrom, zone, there), moved(to, byTo, zone, there)];
  return end > begin || to <= from
    ? [begin, end]
    : [begin, new Date(begin.getTime() + to.getTime() - from.getTime())];
}

/** Returns the difference in local time between the first event and a later step, in milliseconds. */
function stepsAfter(start: Date, every: SeriesStep, steps: number, zone: string): number {
  if (every !== 'month') return steps * DAYS_OF_WEEK * DAY * (every === 'week' ? 1 : 2);
  const first = DateTime.fromJSDate(start, { zone });
  const day = sameWeekday(first, first.plus({ months: steps }).startOf('month'));
  return wallBetween(first.startOf('day').toJSDate(), day.toJSDate(), zone);
}

/** Finds the same weekday: the last Friday stays the last, and other Fridays keep their number. */
function sameWeekday(day: DateTime, month: DateTime): DateTime {
  const isLast = day.plus({ weeks: 1 }).month !== day.month;
  const first = month.plus({ days: (day.weekday - month.weekday + DAYS_OF_WEEK) % DAYS_OF_WEEK });
  const nth = Math.ceil(day.day / DAYS_OF_WEEK) - 1;
  const last = first.plus({ weeks: 4 });
  if (isLast) return last.month === month.month ? last : first.plus({ weeks: 3 });
  return first.plus({ weeks: nth });
}

type Moment = 'startDate' | 'endDate' | 'publishAt' | 'registrationOpensAt' | 'registrationClosesAt';
const SPAN = ['startDate', 'endDate'] as const satisfies Moment[];
const AROUND = ['registrationOpensAt', 'registrationClosesAt', 'publishAt'] as const satisfies Moment[];

export function followers(
  event: EventValues,
  { every, count, zone }: { every: SeriesStep; count: number; zone: string },
): EventValues[] {
  return Array.from({ length: count - 1 }, (_, index) => {
    const by = stepsAfter(event.startDate, every, index + 1, zone);
    const [startDate, endDate] = movedSpan([event.startDate, event.endDate], [by, by], zone);
    return {
      ...event,
      startDate,
      endDate,
      ...registrationMoved(event, by, zone),
      publishAt: null,
    };
  });
}

type Registration = Pick<EventValues, 'registrationOpensAt' | 'registrationClosesAt'>;

function registrationMoved(
  { registrationOpensAt: opens, registrationClosesAt: closes }: Registration,
  by: number,
  zone: string,
): Registration {
  if (opens === null || closes === null)
    return {
      registrationOpensAt: opens && moved(opens, by, zone),
      registrationClosesAt: closes && moved(closes, by, zone),
    };
  const [registrationOpensAt, registrationClosesAt] = movedSpan([opens, closes], [by, by], zone);
  return { registrationOpensAt, registrationClosesAt };
}

/** Applies an edit to a later event. Changed registration and publishing times stay relative to the start. */
export function afterSameChange(
  before: EventValues,
  after: EventValues,
  other: EventValues & Pick<EventEntity, 'status'>,
  community: Pick<Community, 'timeZone'>,
): EventValues {
  const fields = Object.keys(after) as (keyof EventValues)[];
  const changed = changedValues(before, after);
  const plain = changed.filter((field) => ![...SPAN, ...AROUND].includes(field as Moment));
  const values = {
    ...Object.fromEntries(fields.map((field) => [field, other[field]])),
    ...Object.fromEntries(plain.map((field) => [field, after[field]])),
  } as EventValues;
  const [zone, there] = [getZone(before, community), getZone(after, community)];
  const own = getZone(values, community);
  const by = SPAN.map((field) => wallBetween(before[field], after[field], zone, there)) as [number, number];
  const span = [other.startDate, other.endDate] as [Date, Date];
  const [startDate, endDate] = movedSpan(span, by, getZone(other, community), own);
  Object.assign(values, { startDate, endDate });
  for (const field of AROUND) {
    if (!changed.includes(field) || (field === 'publishAt' && other.status !== 'draft')) continue;
    const moment = after[field];
    values[field] = moment && moved(values.startDate, wallBetween(after.startDate, moment, there), own);
  }
  return values;
}
