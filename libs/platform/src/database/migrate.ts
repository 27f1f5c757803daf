import { createHash } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { MigrationInterface } from 'typeorm';
import {
  type DatabaseCode,
  loadCode,
  outdated,
  type Part,
  type Query,
  readCode,
  readSql,
} from './database-code.js';

/** A migration can't be reverted. Restore a backup instead. */
export type Migration = Pick<MigrationInterface, 'name' | 'up'>;

/** The SQL file creates the tables of a new database. It must not change after the release of 1.0.0. */
interface Baseline {
  file: string;
  fill?: (query: Query) => Promise<void>;
}

export interface MigrationOwner {
  schema: string;
  role: string;
  baseline?: Baseline;
  migrations: (new () => Migration)[];
  /** Functions, triggers and views. Migrations must not change them, because they are loaded afterwards. */
  code?: DatabaseCode;
}

interface MigrateOptions {
  url: string;
  passwords: Record<string, string>;
  /** The order matters: a schema must come before the schemas that reference it. */
  owners: MigrationOwner[];
}

const LOCK = 7_304_611_823;
/** Milliseconds that a migration waits for a lock. While it waits, it blocks other transactions. */
const LOCK_TIMEOUT = 5_000;
const LEDGER = 'migrations';

/**
 * Runs all pending migrations and returns their names. Safe to run at any time, even concurrently.
 * @throws EarlierDatabaseError if the database has another baseline; nothing is changed in this case
 */
export async function migrate({ url, passwords, owners }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // PostgreSQL releases the lock when the connection ends, even if this process crashes.
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await refuseEarlierDatabase(client, owners);
    await ensureRoles(client, [...Object.keys(passwords), ...owners.map((owner) => owner.role)]);
    await ensureSchemas(
      client,
      owners.map((owner) => owner.schema),
    );
    const done: string[] = [];
    for (const owner of owners) {
      done.push(...(await migrateOwner(client, url, owner)));
      await openOwnSchema(client, owner);
    }
    // Must be the last step. From then on, processes can sign in, and they need all tables.
    await admitRoles(client, passwords);
    return done;
  } finally {
    await client.end();
  }
}

const getLedgerTable = (schema: string) => `${escapeIdentifier(schema)}.${LEDGER}`;

async function namesIn(client: Client, schema: string): Promise<Set<string>> {
  const ledger = getLedgerTable(schema);
  const { rows: found } = await client.query<{ name: string | null }>('select to_regclass($1) as name', [
    ledger,
  ]);
  if (found[0]!.name === null) return new Set();
  const { rows } = await client.query<{ name: string }>(`select name from ${ledger}`);
  return new Set(rows.map(({ name }) => name));
}

export class EarlierDatabaseError extends Error {
  readonly code = 'EARLIER_DATABASE';

  constructor(schema: string) {
    super(
      `An earlier build of Meetmark made this database (schema ${schema}). Upgrades start with version 1.0.0: use an empty database.`,
    );
  }
}

const LAST_DIGITS = 13;

/** The name ends with digits, because TypeORM reads a timestamp there. */
function nameBaseline({ file }: Baseline): string {
  const digest = createHash('sha256').update(readSql(file)).digest('hex').slice(0, 12);
  return `Baseline_${digest}_${'0'.repeat(LAST_DIGITS)}`;
}

async function refuseEarlierDatabase(client: Client, owners: MigrationOwner[]): Promise<void> {
  for (const { baseline, schema } of owners) {
    const names = await namesIn(client, schema);
    if (baseline !== undefined && names.size > 0 && !names.has(nameBaseline(baseline)))
      throw new EarlierDatabaseError(schema);
  }
}

async function layBaseline(query: Query, schema: string, baseline: Baseline): Promise<string> {
  // TypeORM would create the same table.
  await query(`
    create table ${getLedgerTable(schema)} (
      id serial constraint "PK_8c82d7f526340ab734260ea46be" primary key, timestamp bigint not null, name varchar not null
    )`);
  await query(readSql(baseline.file));
  await baseline.fill?.(query);
  const name = nameBaseline(baseline);
  await query(`insert into ${getLedgerTable(schema)} (timestamp, name) values (0, $1)`, [name]);
  return name;
}

const createQuery =
  (client: Client): Query =>
  async (statement, values) =>
    (await client.query(statement, values)).rows;

/** Runs in one transaction, so that no process sees tables and functions of different versions. */
async function migrateOwner(client: Client, url: string, owner: MigrationOwner): Promise<string[]> {
  const parts = owner.code === undefined ? [] : readCode(owner.schema, owner.code);
  const names = await namesIn(client, owner.schema);
  const isNew = owner.baseline !== undefined && names.size === 0;
  if (isNew || owner.migrations.some(({ name }) => !names.has(name)))
    return runMigrations(url, owner, parts, isNew);
  const query = createQuery(client);
  if ((await outdated(query, owner.schema, parts)).length === 0) return [];
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
  const loaded = await load(query, owner, parts);
  await client.query('COMMIT'); // If anything fails, closing the connection rolls the transaction back.
  return loaded;
}

async function runMigrations(
  url: string,
  owner: MigrationOwner,
  parts: Part[],
  isNew: boolean,
): Promise<string[]> {
  const { schema, migrations, baseline } = owner;
  // Imported only when needed, because loading TypeORM takes a second of processor time.
  const { DataSource, MigrationExecutor } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema,
    migrations,
    migrationsTableName: LEDGER,
    installExtensions: false,
    poolSize: 1,
    extra: { lock_timeout: LOCK_TIMEOUT, options: `-c search_path=${escapeIdentifier(schema)},public` },
  });
  await dataSource.initialize();
  try {
    return await dataSource.transaction(async ({ queryRunner }) => {
      const query: Query = (statement, values) => queryRunner!.query(statement, values);
      const laid = isNew && baseline !== undefined ? [await layBaseline(query, schema, baseline)] : [];
      const run = await new MigrationExecutor(dataSource, queryRunner).executePendingMigrations();
      return [
        ...[...laid, ...run.map(({ name }) => name)].map((name) => `${schema}: ${name}`),
        ...(await load(query, owner, parts)),
      ];
    });
  } finally {
    await dataSource.destroy();
  }
}

/** Loads changed functions, triggers and views, and restores those that migrations have dropped. */
async function load(query: Query, { schema }: MigrationOwner, parts: Part[]): Promise<string[]> {
  const changed = await outdated(query, schema, parts);
  await loadCode(query, schema, changed);
  return changed.length > 0 ? [`${schema}: functions, triggers, views (${changed.length})`] : [];
}

/**
 * PostgreSQL's error codes for a role that a concurrent migration has created. Migrations of other databases
 * count too, because all databases of a server share its roles.
 */
const MADE_MEANWHILE = new Set(['42710', '23505']);

/** Creates missing roles. They can't sign in until admitRoles() runs. */
async function ensureRoles(client: Client, roles: string[]): Promise<void> {
  for (const role of new Set(roles)) {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    if (rowCount === 0) await createRole(client, role);
  }
}

async function createRole(client: Client, role: string): Promise<void> {
  try {
    await client.query(`create role ${escapeIdentifier(role)}`);
  } catch (error) {
    if (!MADE_MEANWHILE.has((error as { code?: string }).code ?? '')) throw error;
  }
}

async function admitRoles(client: Client, passwords: Record<string, string>): Promise<void> {
  for (const [role, password] of Object.entries(passwords))
    await client.query(`alter role ${escapeIdentifier(role)} login password ${escapeLiteral(password)}`);
}

async function ensureSchemas(client: Client, schemas: string[]): Promise<void> {
  await client.query('revoke create on schema public from public');
  for (const schema of schemas) await client.query(`create schema if not exists ${escapeIdentifier(schema)}`);
}

async function openOwnSchema(
  client: Client,
  { schema, role }: { schema: string; role: string },
): Promise<void> {
  const [inSchema, to] = [escapeIdentifier(schema), escapeIdentifier(role)];
  await client.query(`grant usage on schema ${inSchema} to ${to}`);
  const database = escapeIdentifier(client.database ?? '');
  await client.query(`alter role ${to} in database ${database} set search_path = ${inSchema}, public`);
}
