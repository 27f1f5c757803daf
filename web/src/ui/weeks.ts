/** Countries whose week doesn't start on Monday, for browsers that don't know the first day of the week. */
const WEEK_STARTS: [day: number, countries: RegExp][] = [
  [0, /-(US|CA|MX|BR|CO|PE|VE|AR|JP|KR|TW|HK|IN|IL|ZA|PH|TH|SA)\b/],
  [6, /-(AE|EG|IR|AF|DZ|IQ|JO|KW|LY|OM|QA|SD|SY|BH)\b/],
];

interface WeekInfo {
  firstDay: number;
}

export function firstDayOfWeek(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => WeekInfo };
  const info = known.getWeekInfo?.();
  if (info) return info.firstDay % 7;
  return WEEK_STARTS.find(([, countries]) => countries.test(locale))?.[0] ?? 1;
}
