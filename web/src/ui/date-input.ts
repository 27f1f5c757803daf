import { YEARS } from '@meetmark/contracts/limits';
import { fieldsText } from '@meetmark/i18n/texts/fields';
import { momentAt } from './zoned-time';

export function isDateInput(input: string): boolean {
  const year = Number(/^(\d{4})-\d\d-\d\d/.exec(input)?.[1]);
  return year >= YEARS.first && year <= YEARS.last && !Number.isNaN(Date.parse(input));
}

export function toTimestamp(input: string, timeZone: string): string {
  if (!isDateInput(input)) return '';
  const [date = '', time = ''] = input.split('T');
  const moment = momentAt(date, time, timeZone);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}

export const dateError = (input: string): string | undefined =>
  input === '' || isDateInput(input)
    ? undefined
    : fieldsText.dateInvalid({ first: String(YEARS.first), last: String(YEARS.last) });
