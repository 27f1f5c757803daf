import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { testDatabase, type TestDatabase, until } from '@meetmark/testing';
import type { Client } from 'pg';
import { DATABASE_PROCESSES, type DatabaseProcess, migrateAll, roleOf } from './migrations.js';
import { codeOf } from './upgrade/database-objects.js';
import { withClient } from './with-client.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The last migration that had to hold functions, triggers and views. */
const LAST_WITH_CODE = '1795537775000-running-events.ts';

/** Takes away what files hold, and nothing that hangs on it: that would be an error. */
async function dropCode(client: Client): Promise<void> {
  const names = Object.keys(await codeOf(client));
  const of = (kind: string) =>
    names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  for (const trigger of of('trigger ')) await client.query(`DROP TRIGGER ${trigger}`);
  await client.query(`DROP VIEW ${of('view ').join()}`);
  await client.query(`DROP FUNCTION ${of('function ').join()}`);
}

describe('the functions, triggers and views of the database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  const migrate = () => {
    const passwordOf = (name: DatabaseProcess) => new URL(database.urlFor(roleOf(name))).password;
    const passwords = Object.fromEntries(DATABASE_PROCESSES.map((name) => [name, passwordOf(name)]));
    return migrateAll(database.url, passwords as Record<DatabaseProcess, string>);
  };

  /** What the database has otherwise than the files say, or what one of the two lacks. */
  const differences = () =>
    withClient(database.url, async (client) => {
      const found = await codeOf(client);
      await dropCode(client);
      await migrate();
      const written = await codeOf(client);
      const names = [...new Set([...Object.keys(found), ...Object.keys(written)])];
      return names.filter((name) => found[name] !== written[name]).sort();
    });

  it('are what the files say, all of them', async () => {
    expect(await differences()).toEqual([]);
  });

  it('differ where somebody changed, made or removed one by hand', async () => {
    await withClient(database.url, (client) =>
      client.query(`
        CREATE OR REPLACE FUNCTION events.refuse_status_backwards() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
        CREATE VIEW auth.everybody AS SELECT * FROM auth.users;
        GRANT SELECT (id) ON auth.mail_address TO meetmark_events;
        GRANT EXECUTE ON FUNCTION events.lapse_places TO meetmark_events;
        DROP TRIGGER users_forget ON auth.users;
        CREATE TRIGGER users_keep_places_again AFTER UPDATE ON auth.users
        FOR EACH ROW EXECUTE FUNCTION events.keep_places_of_member()`),
    );
    expect(await differences()).toEqual([
      'function events.lapse_places()',
      'function events.refuse_status_backwards()',
      'trigger users_forget on auth.users',
      'trigger users_keep_places_again on auth.users',
      'view auth.everybody',
      'view auth.mail_address',
    ]);
  });

  it('are up to date afterwards, also where a role waits for a table', async () => {
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
  ])('end no transaction that writes to %s and then to %s while they are loaded', async (first, second) => {
    await withClient(database.url, async (writer) => {
      await dropCode(writer);
      await writer.query(`BEGIN; LOCK TABLE ${first} IN ROW EXCLUSIVE MODE`);
      const migrated = migrate();
      await withClient(database.url, (observer) =>
        until('the migrator waits', 5_000, async () => {
          const { rowCount } = await observer.query('SELECT FROM pg_locks WHERE NOT granted');
          return rowCount !== 0;
        }),
      );
      // without the attempts one of the two is ended for a deadlock
      await writer.query(`LOCK TABLE ${second} IN ROW EXCLUSIVE MODE`);
      await writer.query('COMMIT');
      expect(await migrated).toContainEqual(expect.stringMatching(/^events: functions/));
    });
  });

  it('stand in no migration', () => {
    const folders = ['services/auth', 'services/events', 'services/admin', 'gateway'].map((owner) =>
      path.join(ROOT, owner, 'src/migrations'),
    );
    const migrations = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => /^179\d+-.*\.ts$/.test(file) && file > LAST_WITH_CODE)
        .map((file) => readFileSync(path.join(folder, file), 'utf8')),
    );
    for (const text of migrations)
      expect(text).not.toMatch(/\bCREATE\s+(OR REPLACE\s+)?(FUNCTION|VIEW|TRIGGER)\b/i);
  });
});
