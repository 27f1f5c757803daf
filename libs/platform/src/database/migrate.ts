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

/** Goes one way: what leads back is the backup that was made before. */
export type Migration = Pick<MigrationInterface, 'name' | 'up'>;

/** The tables of a version, with which an empty database begins. One of that version has them already, and its ledger says so. */
export interface Baseline {
  /** As people call it: `1.0.0`. */
  version: string;
  /** In the ledger, beside those of the migrations. */
  name: string;
  /** SQL with every table, index and right, from the root of the repository. */
  file: string;
  /** What the ledger of that version holds: the migrations that made the same tables. */
  replaces: string[];
}

export interface MigrationOwner {
  schema: string;
  /** The database role of the process that owns the schema. */
  role: string;
  baseline?: Baseline;
  /** What came after the baseline. */
  migrations: (new () => Migration)[];
  /** Loaded after the migrations, which neither make nor change functions, triggers and views. */
  code?: DatabaseCode;
}

interface MigrateOptions {
  /** Connection string of the role that owns the database. */
  url: string;
  /** Role to password: creates missing roles, and sets the passwords once everything is migrated. */
  passwords: Record<string, string>;
  /** In the order of migration: referenced schemas come first. */
  owners: MigrationOwner[];
}

/** Identifies the lock that allows one migrator at a time; any fixed number works. */
const LOCK = 7_304_611_823;
/** Milliseconds: a migration fails rather than block all others behind a long transaction. */
const LOCK_TIMEOUT = 5_000;
const LEDGER = 'migrations';

/** Brings the database up to date. Safe to run at any time, also several at once. Returns the names of what was run. */
export async function migrate({ url, passwords, owners }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // held until the connection ends, however this process ends
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await adoptBaselines(client, owners);
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
    // last: on a first install every process waits for this, and then finds all tables
    await admitRoles(client, passwords);
    return done;
  } finally {
    await client.end();
  }
}

const ledgerOf = (schema: string) => `${escapeIdentifier(schema)}.${LEDGER}`;

/** None in a schema that has no ledger yet. */
async function namesIn(client: Client, schema: string): Promise<Set<string>> {
  const ledger = ledgerOf(schema);
  const { rows: found } = await client.query<{ name: string | null }>('select to_regclass($1) as name', [
    ledger,
  ]);
  if (found[0]!.name === null) return new Set();
  const { rows } = await client.query<{ name: string }>(`select name from ${ledger}`);
  return new Set(rows.map(({ name }) => name));
}

/** TypeORM reads the moment of a migration from the end of its name. */
const enter = (query: Query, schema: string, names: string[]) =>
  query(
    `insert into ${ledgerOf(schema)} (timestamp, name) select right(name, 13)::bigint, name from unnest($1::text[]) as name`,
    [names],
  );

/**
 * Enters the baseline in the ledgers of the version that has its tables.
 * @throws Error for a database of a version before that one, in which nothing has changed then
 */
async function adoptBaselines(client: Client, owners: MigrationOwner[]): Promise<void> {
  const adopting: (MigrationOwner & { baseline: Baseline })[] = [];
  for (const owner of owners) {
    const { baseline, schema } = owner;
    const names = await namesIn(client, schema);
    if (baseline === undefined || names.size === 0 || names.has(baseline.name)) continue;
    if (!baseline.replaces.every((name) => names.has(name))) {
      throw new Error(
        `The database is of a version before ${baseline.version}. Upgrade it to ${baseline.version} first, then to this version.`,
      );
    }
    adopting.push({ ...owner, baseline });
  }
  const query = queryOf(client);
  for (const { schema, baseline } of adopting) await enter(query, schema, [baseline.name]);
}

/** Makes the tables of the baseline, in the caller's transaction. Its ledger is as that version's migrator left it: it finds nothing to do. */
export async function layBaseline(query: Query, schema: string, baseline: Baseline): Promise<void> {
  // as TypeORM makes it
  await query(`
    create table ${ledgerOf(schema)} (
      id serial constraint "PK_8c82d7f526340ab734260ea46be" primary key, timestamp bigint not null, name varchar not null
    )`);
  await query(readSql(baseline.file));
  await enter(query, schema, [...baseline.replaces, baseline.name]);
}

const queryOf =
  (client: Client): Query =>
  async (statement, values) =>
    (await client.query(statement, values)).rows;

/** In one transaction, so that no process meets tables of one version with functions of another. What is up to date is only read. */
async function migrateOwner(client: Client, url: string, owner: MigrationOwner): Promise<string[]> {
  const parts = owner.code === undefined ? [] : readCode(owner.schema, owner.code);
  const names = await namesIn(client, owner.schema);
  const isNew = owner.baseline !== undefined && !names.has(owner.baseline.name);
  if (isNew || owner.migrations.some(({ name }) => !names.has(name)))
    return runMigrations(url, owner, parts, isNew);
  const query = queryOf(client);
  if ((await outdated(query, owner.schema, parts)).length === 0) return [];
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
  const loaded = await load(query, owner, parts);
  await client.query('COMMIT'); // an error ends the connection, and with it the transaction
  return loaded;
}

async function runMigrations(
  url: string,
  owner: MigrationOwner,
  parts: Part[],
  isNew: boolean,
): Promise<string[]> {
  const { schema, migrations, baseline } = owner;
  // only here: it takes a second of processor time to load
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
      const laid = isNew && baseline !== undefined ? [baseline] : [];
      for (const each of laid) await layBaseline(query, schema, each);
      const run = await new MigrationExecutor(dataSource, queryRunner).executePendingMigrations();
      return [
        ...[...laid, ...run].map(({ name }) => `${schema}: ${name}`),
        ...(await load(query, owner, parts)),
      ];
    });
  } finally {
    await dataSource.destroy();
  }
}

/** Migrations may have dropped what stood in their way. Resolves with one line that says how much was loaded, or none. */
async function load(query: Query, { schema }: MigrationOwner, parts: Part[]): Promise<string[]> {
  const changed = await outdated(query, schema, parts);
  await loadCode(query, schema, changed);
  return changed.length > 0 ? [`${schema}: functions, triggers, views (${changed.length})`] : [];
}

/** Roles belong to the whole server, so another database's migrator may create the same one at the same time. */
const MADE_MEANWHILE = new Set(['42710', '23505']);

/** Roles without any right of their own. A new one cannot sign in before admitRoles(). */
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

/** Lets each role sign in with its password. */
async function admitRoles(client: Client, passwords: Record<string, string>): Promise<void> {
  for (const [role, password] of Object.entries(passwords))
    await client.query(`alter role ${escapeIdentifier(role)} login password ${escapeLiteral(password)}`);
}

/** No role may create anything in `public`; each owner has a schema. */
async function ensureSchemas(client: Client, schemas: string[]): Promise<void> {
  await client.query('revoke create on schema public from public');
  for (const schema of schemas) await client.query(`create schema if not exists ${escapeIdentifier(schema)}`);
}

/** The owner's role sees its schema first. The migrations grant its rights, table by table. */
async function openOwnSchema(
  client: Client,
  { schema, role }: { schema: string; role: string },
): Promise<void> {
  const [inSchema, to] = [escapeIdentifier(schema), escapeIdentifier(role)];
  await client.query(`grant usage on schema ${inSchema} to ${to}`);
  const database = escapeIdentifier(client.database ?? '');
  await client.query(`alter role ${to} in database ${database} set search_path = ${inSchema}, public`);
}
