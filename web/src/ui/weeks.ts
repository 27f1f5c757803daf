/** Where the week begins on another day than Monday, by country: for browsers that do not know. */
const WEEK_STARTS: [day: number, countries: RegExp][] = [
  [0, /-(US|CA|MX|BR|CO|PE|VE|AR|JP|KR|TW|HK|IN|IL|ZA|PH|TH|SA)\b/],
  [6, /-(AE|EG|IR|AF|DZ|IQ|JO|KW|LY|OM|QA|SD|SY|BH)\b/],
];

interface WeekInfo {
  /** The day of the week; Monday is 1. */
  firstDay: number;
}

/** The day that a week begins with, 0 being Sunday. */
export function firstDayOfWeek(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => WeekInfo };
  const info = known.getWeekInfo?.();
  if (info) return info.firstDay % 7;
  return WEEK_STARTS.find(([, countries]) => countries.test(locale))?.[0] ?? 1;
}

/** The midnight that ends the week of `day`. */
export function endOfWeek(day: Date, locale: string): Date {
  const passed = (day.getDay() - firstDayOfWeek(locale) + 7) % 7;
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - passed + 7);
}
