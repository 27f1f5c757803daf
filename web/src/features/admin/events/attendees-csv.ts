import type { RegistrationWithMember } from '@meetmark/contracts';
import { adminEventsText, adminUsersText } from '../../../strings/admin';
import { toCsv } from '../shared/csv';

const { csv: words } = adminUsersText;

/** First Name, Last Name, Email and Registered At in ISO 8601 (UTC), which every program reads alike. */
export const attendeesCsv = (registrations: RegistrationWithMember[]): string =>
  toCsv(
    registrations.map(({ member, registeredAt }) => ({
      [words.firstName]: member.firstName,
      [words.lastName]: member.lastName,
      [words.email]: member.email,
      [adminEventsText.registeredAt]: new Date(registeredAt).toISOString(),
    })),
  );

const LONGEST_SLUG = 60;

/** The title in a form that every file system takes. */
export function attendeesFileName(title: string, date: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|-+$/g, '');
  return `attendees-${slug || 'event'}-${date}.csv`;
}
