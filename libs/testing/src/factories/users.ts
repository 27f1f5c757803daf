import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';

/** A pg client, a TypeORM DataSource or EntityManager: whatever runs SQL. Needs the owner's connection or meetmark_auth's. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

export interface UserRow {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  isAdmin: boolean;
  isOrganiser: boolean;
  description: string | null;
  linkedInUrl: string | null;
  /** An Argon2 string; without a real one the account's password never matches. */
  passwordHash: string | null;
  createdAt: Date;
  emailVerifiedAt: Date | null;
}

/** Well-formed, and the hash of nothing. */
const UNUSABLE_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** A user in the database, with values of its own wherever the test does not care. */
export async function insertUser(database: Queryable, given: Partial<UserRow> = {}): Promise<UserRow> {
  const user: UserRow = {
    id: uuid(),
    email: `member-${randomBytes(6).toString('hex')}@example.com`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    isAdmin: false,
    isOrganiser: false,
    description: null,
    linkedInUrl: null,
    passwordHash: UNUSABLE_HASH,
    createdAt: new Date(),
    emailVerifiedAt: new Date(),
    ...given,
  };
  await database.query(
    `INSERT INTO auth.users
       (id, email, password_hash, first_name, last_name, description, linked_in_url, is_admin, is_organiser, created_at,
        email_verified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      user.id,
      user.email,
      user.passwordHash,
      user.firstName,
      user.lastName,
      user.description,
      user.linkedInUrl,
      user.isAdmin,
      user.isOrganiser,
      user.createdAt,
      user.emailVerifiedAt,
    ],
  );
  return user;
}

export const insertAdministrator = (database: Queryable, given: Partial<UserRow> = {}): Promise<UserRow> =>
  insertUser(database, { firstName: 'Grace', lastName: 'Hopper', ...given, isAdmin: true });
