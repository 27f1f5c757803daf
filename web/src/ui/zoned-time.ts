import { wallClock } from './wall-clock';

const DAY = 86_400_000;
const MINUTE = 60_000;

/**
 * Converts a local time to a date. If a clock change repeats the time, this is the first occurrence. If a
 * clock change skips the time, this is a later time. Invalid input gives an invalid date.
 */
export function momentAt(date: string, time: string, timeZone: string): Date {
  const wanted = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wanted)) return new Date(Number.NaN);
  const shownAt = (moment: number) => {
    const shown = wallClock(moment, timeZone);
    return Date.parse(`${shown.date}T${shown.time}Z`);
  };
  // offsets are under a day, so a day earlier and a day later are on both sides of a nearby clock change
  const [before, after] = [wanted - DAY, wanted + DAY].map((near) => wanted - (shownAt(near) - near));
  const isAfter = shownAt(before!) !== wanted && shownAt(after!) === wanted;
  return new Date(isAfter ? after! : before!);
}

const toInput = (time: number, length: number): string =>
  Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, length);

export const daysLater = (date: string, days: number): string =>
  toInput(Date.parse(`${date}T00:00Z`) + days * DAY, 10);

export const inputLater = (input: string, minutes: number): string =>
  toInput(Date.parse(`${input}Z`) + minutes * MINUTE, 16);
