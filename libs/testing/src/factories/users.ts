import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';

/** Anything that runs SQL as the owner or as meetmark_auth: pg client, DataSource or EntityManager. */
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
  /** Argon2 hash of the password. No password matches the default. */
  passwordHash: string | null;
  createdAt: Date;
  emailVerifiedAt: Date | null;
}

const toColumn = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export async function insertRow(database: Queryable, table: string, row: object): Promise<void> {
  const columns = Object.keys(row).map(toColumn);
  const places = columns.map((_, index) => `$${index + 1}`);
  await database.query(
    `INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})`,
    Object.values(row),
  );
}

export async function updateRow(
  database: Queryable,
  table: string,
  id: string,
  changes: object,
): Promise<void> {
  const changed = Object.keys(changes).map((field, index) => `${toColumn(field)} = $${index + 2}`);
  await database.query(`UPDATE ${table} SET ${changed.join()} WHERE id = $1`, [
    id,
    ...Object.values(changes),
  ]);
}

/** A well-formed hash that no password matches. */
const UNUSABLE_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

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
  await insertRow(database, 'auth.users', user);
  return user;
}

export const insertAdministrator = (database: Queryable, given: Partial<UserRow> = {}): Promise<UserRow> =>
  insertUser(database, { firstName: 'Grace', lastName: 'Hopper', ...given, isAdmin: true });
