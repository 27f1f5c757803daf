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

const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A row of a table whose columns are named as the fields of `row`, in snake case. */
export async function insertRow(database: Queryable, table: string, row: object): Promise<void> {
  const columns = Object.keys(row).map(columnOf);
  const places = columns.map((_, index) => `$${index + 1}`);
  await database.query(
    `INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})`,
    Object.values(row),
  );
}

/** Changes what is named of a row, as nothing but a test may. */
export async function updateRow(
  database: Queryable,
  table: string,
  id: string,
  changes: object,
): Promise<void> {
  const changed = Object.keys(changes).map((field, index) => `${columnOf(field)} = $${index + 2}`);
  await database.query(`UPDATE ${table} SET ${changed.join()} WHERE id = $1`, [
    id,
    ...Object.values(changes),
  ]);
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
  await insertRow(database, 'auth.users', user);
  return user;
}

export const insertAdministrator = (database: Queryable, given: Partial<UserRow> = {}): Promise<UserRow> =>
  insertUser(database, { firstName: 'Grace', lastName: 'Hopper', ...given, isAdmin: true });
