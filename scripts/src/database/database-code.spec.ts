import { testDatabase, type TestDatabase, until } from '@meetmark/testing';
import type { Client } from 'pg';
import {
  DATABASE_PROCESSES,
  type DatabaseProcess,
  migrateAll,
  getDatabaseRole,
  SCHEMAS,
} from '../migrations.js';
import { withClient } from '../with-client.js';

async function fetchCode(client: Client): Promise<{ kind: string; name: string }[]> {
  await client.query("SET search_path = ''"); // makes PostgreSQL print names with their schema
  const { rows } = await client.query<{ kind: string; name: string }>(
    `SELECT 'FUNCTION' AS kind, oid::regprocedure::text AS name FROM pg_proc WHERE pronamespace::regnamespace::text = ANY ($1)
     UNION ALL
     SELECT 'VIEW', oid::regclass::text FROM pg_class WHERE relkind = 'v' AND relnamespace::regnamespace::text = ANY ($1)
     UNION ALL
     SELECT 'TRIGGER', tgname || ' ON ' || tgrelid::regclass FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
      WHERE pronamespace::regnamespace::text = ANY ($1) AND NOT tgisinternal
     ORDER BY 1, 2`,
    [SCHEMAS],
  );
  return rows;
}

/**
 * Drops triggers, views and functions. Fails if anything else depends on them, because it uses no CASCADE.
 */
async function dropCode(client: Client): Promise<void> {
  const code = await fetchCode(client);
  for (const { name } of code.filter(({ kind }) => kind === 'TRIGGER'))
    await client.query(`DROP TRIGGER ${name}`);
  for (const each of ['VIEW', 'FUNCTION'])
    await client.query(
      `DROP ${each} ${code.flatMap(({ kind, name }) => (kind === each ? name : [])).join()}`,
    );
}

describe('the migration of functions, triggers and views', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  const migrate = () => {
    const getPassword = (name: DatabaseProcess) => new URL(database.urlFor(getDatabaseRole(name))).password;
    const passwords = Object.fromEntries(DATABASE_PROCESSES.map((name) => [name, getPassword(name)]));
    return migrateAll(database.url, passwords as Record<DatabaseProcess, string>);
  };

  it('restores dropped functions, triggers and views from files', () =>
    withClient(database.url, async (client) => {
      const before = await fetchCode(client);
      await dropCode(client);
      await migrate();
      expect(await fetchCode(client)).toEqual(before);
    }));

  it('locks no table if functions, triggers and views are up to date', async () => {
    await withClient(database.url, async (client) => {
      await client.query(
        'BEGIN; LOCK TABLE auth.users, events.events, events.outbox IN ACCESS EXCLUSIVE MODE',
      );
      expect(await migrate()).toEqual([]);
    });
  });

  it.each([
    ['events.events', 'events.event_registrations'],
    ['events.event_registrations', 'events.events'],
  ])('does not abort a concurrent transaction that locks %s before %s', async (first, second) => {
    await withClient(database.url, async (writer) => {
      await dropCode(writer);
      await writer.query(`BEGIN; LOCK TABLE ${first} IN ROW EXCLUSIVE MODE`);
      const migrated = migrate();
      await withClient(database.url, (observer) =>
        until('the migrator waits', 60_000, async () => {
          const { rowCount } = await observer.query('SELECT FROM pg_locks WHERE NOT granted');
          return rowCount !== 0;
        }),
      );
      // If the migrator didn't retry, a deadlock could abort either transaction here.
      await writer.query(`LOCK TABLE ${second} IN ROW EXCLUSIVE MODE`);
      await writer.query('COMMIT');
      expect(await migrated).toContainEqual(expect.stringMatching(/^events: functions/));
    });
  });
});
