import { Client, escapeIdentifier } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { admitRoles, ensureRoles, ensureSchemas, openOwnSchema } from './roles.js';

export interface MigrationOwner {
  schema: string;
  /** The database role of the process that owns the schema. */
  role: string;
  migrations: (new () => MigrationInterface)[];
}

export interface MigrateOptions {
  /** Connection string of the role that owns the database. */
  url: string;
  /** Role to password; roles that do not exist are made, passwords that changed are set once everything is migrated. */
  passwords: Record<string, string>;
  /** In the order in which they are migrated: whoever is referenced comes first. */
  owners: MigrationOwner[];
}

/** Names the lock that lets one migrator work at a time; any fixed number would do. */
const LOCK = 7_304_611_823;
/** Milliseconds: a migration rather fails than stands in everybody's way behind a long transaction. */
const LOCK_TIMEOUT = 5_000;
const LEDGER = 'migrations';

/** Brings the database up to date. Safe to run at any time, also several at once. Returns the names of what was run. */
export async function migrate({ url, passwords, owners }: MigrateOptions): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // held until the connection ends, however this process ends
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await ensureRoles(client, [...Object.keys(passwords), ...owners.map((owner) => owner.role)]);
    await ensureSchemas(
      client,
      owners.map((owner) => owner.schema),
    );
    const done: string[] = [];
    for (const owner of owners) {
      done.push(...(await migrateOwner(url, owner)));
      await openOwnSchema(client, owner);
    }
    // last: on a first install every process waits for this, and finds all tables when it comes in
    await admitRoles(client, passwords);
    return done;
  } finally {
    await client.end();
  }
}

async function migrateOwner(url: string, { schema, migrations }: MigrationOwner): Promise<string[]> {
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
    const run = await dataSource.runMigrations({ transaction: 'each' });
    return run.map((migration) => `${schema}: ${migration.name}`);
  } finally {
    await dataSource.destroy();
  }
}
