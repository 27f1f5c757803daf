import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { Client } from 'pg';
import { DATABASE_PROCESSES, roleOf, SCHEMAS } from './migrations.js';
import { withClient } from './with-client.js';

describe('the rights of the database roles', () => {
  let database: TestDatabase;
  let owner: Client;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new Client({ connectionString: database.url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  /** What a role may write, as `schema.table`. */
  const writable = async (role: string) => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT DISTINCT table_schema || '.' || table_name AS name FROM information_schema.role_column_grants
       WHERE grantee = $1 AND privilege_type IN ('INSERT', 'UPDATE') AND table_schema = ANY ($2)
       UNION SELECT table_schema || '.' || table_name FROM information_schema.role_table_grants
       WHERE grantee = $1 AND privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE') AND table_schema = ANY ($2)`,
      [role, SCHEMAS],
    );
    return rows.map(({ name }) => name);
  };

  it.each(DATABASE_PROCESSES.filter((name) => name !== 'worker'))(
    '%s writes the schema that it owns and no other',
    async (name) => {
      const tables = await writable(roleOf(name));
      expect(tables.filter((table) => !table.startsWith(`${name}.`))).toEqual([]);
    },
  );

  it('the worker owns no schema and writes in those of others what its jobs need', async () => {
    expect(SCHEMAS).not.toContain('worker');
    const tables = await writable(roleOf('worker'));
    expect(tables).toEqual(expect.arrayContaining(['admin.audit_log', 'auth.outbox', 'events.outbox']));
    expect(tables).not.toContain('auth.users');
    expect(tables).not.toContain('events.events');
  });
});

/** Migrates as `npm start` does, and says what was run and whether TypeORM was loaded. */
const MIGRATION = `
  import Module from 'node:module';
  const [migrations, url, passwords] = process.argv.slice(1);
  const { migrateAll } = await import(migrations);
  const done = await migrateAll(url, JSON.parse(passwords));
  const loaded = Object.keys(Module._cache).some((file) => /node_modules.typeorm./.test(file));
  console.log(JSON.stringify({ done: done.length, loaded }));`;

describe('a migration', () => {
  const BUILT = new URL('../dist/migrations.js', import.meta.url).href;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  const migrate = async () => {
    const passwords = DATABASE_PROCESSES.map((name) => [
      name,
      new URL(database.urlFor(roleOf(name))).password,
    ]);
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--input-type=module', '-e', MIGRATION],
      ...[BUILT, database.url, JSON.stringify(Object.fromEntries(passwords))],
    ]);
    return JSON.parse(stdout) as unknown;
  };

  it('loads TypeORM only where the ledger of a schema lacks one, not for what is loaded from files', async () => {
    expect(await migrate()).toEqual({ done: 0, loaded: false });
    await withClient(database.url, (client) => client.query('DROP VIEW admin.community'));
    expect(await migrate()).toEqual({ done: 1, loaded: false });
    const forget = "DELETE FROM admin.migrations WHERE name LIKE 'KeptCurrency%'"; // which may run again
    await withClient(database.url, (client) => client.query(forget));
    expect(await migrate()).toEqual({ done: 1, loaded: true });
  });
});
