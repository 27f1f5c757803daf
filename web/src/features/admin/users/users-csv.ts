import type { User } from '@meetmark/contracts';
import { adminUsersText } from '../../../strings/admin';
import { toCsv } from '../shared/csv';

const { csv: words } = adminUsersText;

/** ID, Email, First Name, Last Name, Admin (Yes/No) and Created At as the community writes dates. */
export const usersCsv = (users: User[], locale: string): string =>
  toCsv(
    users.map((user) => ({
      [words.id]: user.id,
      [words.email]: user.email,
      [words.firstName]: user.firstName,
      [words.lastName]: user.lastName,
      [words.admin]: user.isAdmin ? words.yes : words.no,
      [words.createdAt]: new Date(user.createdAt).toLocaleDateString(locale),
    })),
  );

export const usersFileName = (date: string) => `users-export-${date}.csv`;
