import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SignInService } from '@meetmark/auth/accounts/sign-in.service';
import { openAuth } from '@meetmark/auth/testing/open-auth';
import { EventsService } from '@meetmark/events/events/events.service';
import { RegistrationsService } from '@meetmark/events/registrations/registrations.service';
import { openEvents } from '@meetmark/events/testing/open-events';
import { CommunityFollower, StoreConfig } from '@meetmark/platform';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import type { Client } from 'pg';
import { storedTables } from '../backup/stored-tables.js';
import { DATABASE_PROCESSES, type DatabaseProcess, migrateAll, roleOf, SCHEMAS } from '../migrations.js';
import { withClient } from '../with-client.js';
import { AMELIA, INA, LATE, MEMBERS_PASSWORD, OWNER, restoreCommunity } from './community-of-1.0.0.js';
import { codeOf, tablesOf } from './database-objects.js';

type Row = Record<string, unknown>;
/** Rows by table and key. */
type Content = Record<string, Record<string, Row>>;

async function contentOf(client: Client): Promise<Content> {
  const content: Content = {};
  for (const { name } of await storedTables(client)) {
    const { rows } = await client.query<{ key: string; row: Row }>(
      `SELECT to_jsonb(stored) AS row,
              (SELECT string_agg(to_jsonb(stored) ->> attname, ' ' ORDER BY attname) FROM pg_index
                 JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
                WHERE indrelid = $1::regclass AND indisprimary) AS key
         FROM ${name} AS stored`,
      [name],
    );
    content[name] = Object.fromEntries(rows.map(({ key, row }) => [key, row]));
  }
  return content;
}

const passwordsOf = (urlFor: TestDatabase['urlFor']) =>
  Object.fromEntries(
    DATABASE_PROCESSES.map((name) => [name, new URL(urlFor(roleOf(name))).password]),
  ) as Record<DatabaseProcess, string>;

const structureOf = async (client: Client) => ({ ...(await tablesOf(client)), ...(await codeOf(client)) });

/** By schema, in the order of its ledger. */
async function ledgersOf(client: Client): Promise<Record<string, Row[]>> {
  const ledgers: Record<string, Row[]> = {};
  for (const schema of SCHEMAS) {
    const { rows } = await client.query<Row>(`SELECT timestamp, name FROM ${schema}.migrations ORDER BY id`);
    ledgers[schema] = rows;
  }
  return ledgers;
}

describe('a community of 1.0.0, upgraded', () => {
  const SHIPPED = path.resolve(import.meta.dirname, '../../../config/community.json');
  const shipped = JSON.parse(readFileSync(SHIPPED, 'utf8')) as Record<string, unknown>;
  let content: { before: Content; after: Content };
  let database: TestDatabase;
  let empty: TestDatabase;
  beforeAll(async () => {
    [database, empty] = await Promise.all([testDatabase(), testDatabase()]);
    const { url, urlFor } = database;
    await restoreCommunity(url);
    const before = await withClient(url, contentOf);
    await migrateAll(url, passwordsOf(urlFor));
    content = { before, after: await withClient(url, contentOf) };
  });
  afterAll(() => Promise.all([database.drop(), empty.drop()]));

  it('has every row with every value that it had', () => {
    const { before, after } = content;
    for (const [table, rows] of Object.entries(before))
      for (const [key, row] of Object.entries(rows))
        expect({ table, ...after[table]?.[key] }).toMatchObject({ table, ...row });
    const counts = (some: Content) =>
      Object.fromEntries(Object.keys(before).map((table) => [table, Object.keys(some[table] ?? {}).length]));
    // the currency of the file of 1.0.0 is the first version of the settings
    expect(counts(after)).toEqual({ ...counts(before), 'admin.community_settings': 1 });
    // what the dump is known to hold
    expect(counts(before)).toMatchObject({
      ...{ 'auth.users': 42, 'auth.pictures': 40, 'gateway.sessions': 5, 'gateway.security_events': 7 },
      ...{ 'events.events': 37, 'events.event_registrations': 760, 'events.check_ins': 306 },
      ...{ 'events.deleted_events': 1, 'events.messages': 3, 'events.subscription_requests': 1 },
    });
  });

  it('has the same tables, functions, triggers, views, owners and rights as one that begins now', async () => {
    const [upgraded, begun] = [
      await withClient(database.url, structureOf),
      await withClient(empty.url, structureOf),
    ];
    expect(Object.keys(begun).length).toBeGreaterThan(1000);
    expect(upgraded).toEqual(begun);
  });

  it('has the same ledger as one that begins now: the migrator of 1.0.0 finds nothing to do in either', async () => {
    const begun = await withClient(empty.url, ledgersOf);
    expect(await withClient(database.url, ledgersOf)).toEqual(begun);
    expect(begun['auth']?.slice(0, 2)).toEqual([
      { timestamp: '1795219200000', name: 'Users1795219200000' },
      { timestamp: '1795219201000', name: 'PublishedViews1795219201000' },
    ]);
  });

  it('would be told apart by a column, an index, a right, a default or a constraint', async () => {
    await withClient(empty.url, async (client) => {
      const before = await structureOf(client);
      await client.query(`
        BEGIN;
        ALTER TABLE auth.wrong_codes DROP COLUMN since;
        ALTER TABLE auth.users ALTER COLUMN messages SET DEFAULT false;
        DROP INDEX events.events_series_id_idx;
        REVOKE DELETE ON gateway.sessions FROM meetmark_worker;
        ALTER TABLE admin.audit_log DROP CONSTRAINT audit_log_action_check;`);
      const after = await structureOf(client);
      await client.query('ROLLBACK');
      expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(
        expect.arrayContaining([
          ...['column auth.wrong_codes.since', 'column auth.users.messages', 'table gateway.sessions'],
          ...['index events.events_series_id_idx', 'constraint admin.audit_log.audit_log_action_check'],
        ]),
      );
      expect(after).not.toHaveProperty(['column auth.wrong_codes.since']);
    });
  });

  it('lets everybody in with the password that they had, and nobody with another', async () => {
    const auth = await openAuth(database);
    try {
      const signIn = (email: string, password: string) => auth.get(SignInService).signIn({ email, password });
      expect((await signIn(OWNER.email, OWNER.password)).user).toMatchObject({
        role: 'owner',
        isAdmin: true,
      });
      expect((await signIn(AMELIA, MEMBERS_PASSWORD)).user).toMatchObject({ role: 'member' });
      const { user: ina } = await signIn(INA.email, INA.password);
      expect(ina).toMatchObject({ firstName: 'Ina', emailVerifiedAt: null });
      const wrong = signIn(OWNER.email, MEMBERS_PASSWORD);
      await expect(wrong).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
    } finally {
      await auth.close();
    }
  });

  it('asks for euros as before where it lived by the file of 1.0.0; a file of its own says what it said', async () => {
    /** In which a process with this file says prices. */
    const currencyWith = (communityConfig: string) =>
      withClient(database.url, async (client) => {
        const query = async (statement: string, values: unknown[]) =>
          (await client.query(statement, values)).rows;
        const config = Object.assign(new StoreConfig(), { communityConfig });
        const follower = new CommunityFollower(config, { query } as never);
        await follower.look();
        return follower.community.currency;
      });
    const fileOf = (of: object) => {
      const file = path.join(mkdtempSync(path.join(tmpdir(), 'upgrade-')), 'community.json');
      writeFileSync(file, JSON.stringify(of));
      return file;
    };
    const paid = await withClient(database.url, (client) =>
      client.query('SELECT FROM events.events WHERE price > 0'),
    );
    expect(paid.rowCount).toBeGreaterThan(0);
    expect(await currencyWith(SHIPPED)).toBe('EUR');
    const { memberProposals: _added, ...before } = shipped;
    for (const currency of ['USD', 'GBP', 'EUR'])
      expect(await currencyWith(fileOf({ ...before, currency }))).toBe(currency);
    expect(await currencyWith(fileOf({ ...shipped, name: 'Rust Porto' }))).toBe('GBP');
  });

  it('shows members their places, and gives the places that are left', async () => {
    const events = await openEvents(database);
    try {
      const members = Object.values(content.before['auth.users'] ?? {});
      const idOf = (email: string) => String(members.find((row) => row['email'] === email)?.['id']);
      const places = Object.values(content.before['events.event_registrations'] ?? {}).filter(
        (row) => row['user_id'] === idOf(AMELIA) && row['status'] === 'registered',
      );
      const mine = await events.get(EventsService).myEvents(idOf(AMELIA), {});
      expect(mine.items.map(({ id }) => id).sort()).toEqual(places.map((row) => row['event_id']).sort());
      const late = mine.items.find(({ title }) => title === LATE);
      expect(late).toMatchObject({ capacity: 3, registrationCount: 2, registrationState: 'open' });
      const eventId = late?.id ?? '';
      const { registration } = await events
        .get(RegistrationsService)
        .register(idOf('daniel.okafor@members.example'), { eventId });
      expect(registration.status).toBe('registered');
      expect(await events.get(EventsService).countRegistrations(eventId)).toEqual({ count: 3 });
    } finally {
      await events.close();
    }
  });
});
