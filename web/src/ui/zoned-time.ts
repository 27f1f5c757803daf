import { wallClock } from './wall-clock';

const DAY = 86_400_000;
const MINUTE = 60_000;
/**
 * The moment at which the clock of a zone shows this date and time, the first of two. A time that the clock skips is as much later as it
 * skips; an invalid date for what is no time.
 */
export function momentAt(date: string, time: string, timeZone: string): Date {
  const wanted = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wanted)) return new Date(Number.NaN);
  const shownAt = (moment: number) => {
    const shown = wallClock(moment, timeZone);
    return Date.parse(`${shown.date}T${shown.time}Z`);
  };
  // No zone is a day away from UTC: these two lie on both sides of a change of the clock, if there is one about then.
  const [before, after] = [wanted - DAY, wanted + DAY].map((near) => wanted - (shownAt(near) - near));
  const isAfter = shownAt(before!) !== wanted && shownAt(after!) === wanted;
  return new Date(isAfter ? after! : before!);
}

/** '2026-11-21' and a number of days later. */
export const daysLater = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** The moment of the value of a `datetime-local` input. */
export function momentOfInput(input: string, timeZone: string): Date {
  const [date = '', time = ''] = input.split('T');
  return momentAt(date, time, timeZone);
}

/** What a `datetime-local` input has that many minutes later; empty after what is no time. */
export function inputLater(input: string, minutes: number): string {
  const later = new Date(Date.parse(`${input}Z`) + minutes * MINUTE);
  return Number.isNaN(later.getTime()) ? '' : later.toISOString().slice(0, 16);
}
