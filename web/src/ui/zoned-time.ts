import { wallClock } from './wall-clock';

const DAY = 86_400_000;
const MINUTE = 60_000;

/**
 * Converts a local time. When the clock changes, a repeated time means the first one, and a skipped time
 * moves forward. Invalid input gives an invalid date.
 */
export function momentAt(date: string, time: string, timeZone: string): Date {
  const wanted = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wanted)) return new Date(Number.NaN);
  const shownAt = (moment: number) => {
    const shown = wallClock(moment, timeZone);
    return Date.parse(`${shown.date}T${shown.time}Z`);
  };
  // offsets are less than a day, so these dates lie on both sides of a nearby clock change
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
