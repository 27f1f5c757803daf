export interface CalendarDay {
  start: Date;
  end: Date;
  inMonth: boolean;
}

const DAYS_PER_WEEK = 7;

export function parseMonth(text: string | null, now: Date): Date {
  const match = text?.match(/^(\d{4})-(0[1-9]|1[0-2])$/);
  return match
    ? new Date(Number(match[1]), Number(match[2]) - 1, 1)
    : new Date(now.getFullYear(), now.getMonth(), 1);
}

export const monthKey = (month: Date) =>
  `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`;

export const addMonths = (month: Date, count: number) =>
  new Date(month.getFullYear(), month.getMonth() + count, 1);

const addDays = (day: Date, count: number) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + count);

export function buildWeeks(month: Date, firstDay: number): CalendarDay[][] {
  const first = addDays(month, -((month.getDay() - firstDay + DAYS_PER_WEEK) % DAYS_PER_WEEK));
  const weeks: CalendarDay[][] = [];
  for (let week = first; week < addMonths(month, 1); week = addDays(week, DAYS_PER_WEEK))
    weeks.push(
      Array.from({ length: DAYS_PER_WEEK }, (_, index) => {
        const start = addDays(week, index);
        return { start, end: addDays(start, 1), inMonth: start.getMonth() === month.getMonth() };
      }),
    );
  return weeks;
}
