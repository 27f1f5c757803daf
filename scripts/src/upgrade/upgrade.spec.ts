import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SignInService } from '@meetmark/auth/accounts/sign-in.service';
import { openAuth } from '@meetmark/auth/testing/open-auth';
import { EventsService } from '@meetmark/events/events/events.service';
import { RegistrationsService } from '@meetmark/events/registrations/registrations.service';
import { openEvents } from '@meetmark/events/testing/open-events';
import { CommunityFollower, StoreConfig } from '@meetmark/platform';
import { migrate } from '@meetmark/platform/database/migrate';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import type { Client } from 'pg';
import { storedTables } from '../backup/stored-tables.js';
import { DATABASE_PROCESSES, type DatabaseProcess, migrateAll, OWNERS, roleOf } from '../migrations.js';
import { withClient } from '../with-client.js';
import { codeOf, tablesOf } from './database-objects.js';
import { AMELIA, INA, LATE, MEMBERS_PASSWORD, OWNER, restoreFirstVersion } from './first-version.js';

type Row = Record<string, unknown>;
/** Rows by table and key. */
type Content = Record<string, Record<string, Row>>;

/** What migrations take away on purpose: codes that are on their way, which are asked for again. */
const GONE = ['auth.password_reset_tokens'];

/** What they change on purpose: the audit log forgets names, and addresses get the one form that they are compared in. */
function expected(table: string, row: Row): Row {
  if (table === 'admin.audit_log') {
    const isOfEvent = String(row['action']).startsWith('event.');
    return { ...row, actor_name: null, subject_name: isOfEvent ? row['subject_name'] : null };
  }
  if (table !== 'auth.users') return row;
  const folded = (value: unknown) =>
    String(value)
      .replace('Ina@Bücher.example', 'ina@xn--bcher-kva.example')
      .replace('ina@bücher.example', 'ina@xn--bcher-kva.example');
  return { ...row, email: folded(row['email']), search_text: folded(row['search_text']) };
}

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

/** Migrates the first version's database as an operator does. */
async function upgrade({ url, urlFor }: TestDatabase): Promise<{ before: Content; after: Content }> {
  await restoreFirstVersion(url);
  const before = await withClient(url, contentOf);
  await migrateAll(url, passwordsOf(urlFor));
  return { before, after: await withClient(url, contentOf) };
}

describe('the first version’s community, upgraded', () => {
  let content: { before: Content; after: Content };
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    content = await upgrade(database);
  });
  afterAll(() => database.drop());

  it('has every row with every value that it had', () => {
    const { before, after } = content;
    expect(Object.keys(before).filter((table) => !(table in after))).toEqual(GONE);
    const kept = Object.entries(before).filter(([table]) => !GONE.includes(table));
    for (const [table, rows] of kept)
      for (const [key, row] of Object.entries(rows))
        expect({ table, ...after[table]?.[key] }).toMatchObject({ table, ...expected(table, row) });
    const counts = (some: Content) =>
      Object.fromEntries(kept.map(([table]) => [table, Object.keys(some[table] ?? {}).length]));
    expect(counts(after)).toEqual(counts(before));
    // what the dump is known to hold
    expect(counts(before)).toMatchObject({
      ...{ 'auth.users': 42, 'auth.pictures': 40, 'gateway.sessions': 4 },
      ...{ 'events.events': 29, 'events.event_registrations': 631, 'events.deleted_events': 1 },
    });
  });

  it('counts as many places as there are, at events that are published, and takes every address as verified', async () => {
    const wrong = await withClient(database.url, (client) =>
      client.query(
        `SELECT title FROM events.events AS event
         WHERE registration_count <> (SELECT count(*) FROM events.event_registrations
                                      WHERE event_id = event.id AND status = 'registered')
            OR waiting_count <> 0 OR status <> 'published' OR visibility <> 'public'
         UNION SELECT email FROM auth.users WHERE email_verified_at IS NULL`,
      ),
    );
    expect(wrong.rows).toEqual([]);
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
      const ina = await signIn('ina@xn--bcher-kva.example', INA.password);
      expect(ina.user.firstName).toBe('Ina');
      const wrong = signIn(OWNER.email, MEMBERS_PASSWORD);
      await expect(wrong).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
    } finally {
      await auth.close();
    }
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
      expect(late).toMatchObject({ capacity: 3, registrationCount: 1, registrationState: 'open' });
      const eventId = late?.id ?? '';
      const { registration } = await events
        .get(RegistrationsService)
        .register(idOf('daniel.okafor@members.example'), { eventId });
      expect(registration.status).toBe('registered');
      expect(await events.get(EventsService).countRegistrations(eventId)).toEqual({ count: 2 });
    } finally {
      await events.close();
    }
  });
});

describe('a community of 1.0.0, upgraded', () => {
  /** The last migrations of 1.0.0. */
  const LAST: Record<string, string> = {
    auth: 'FlowLocales1795419000000',
    events: 'GuestSearch1795398000000',
    admin: 'AuditValues1795391000000',
    gateway: 'SecurityEvents20261122084500',
  };
  const SHIPPED = path.resolve(import.meta.dirname, '../../../config/community.json');
  const shipped = JSON.parse(readFileSync(SHIPPED, 'utf8')) as Record<string, unknown>;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await restoreFirstVersion(database.url);
    const owners = OWNERS.map((owner) => {
      const last = owner.migrations.findIndex(({ name }) => name === LAST[owner.schema]);
      return { ...owner, migrations: owner.migrations.slice(0, last + 1), code: undefined };
    });
    await migrate({ url: database.url, passwords: {}, owners });
    await migrateAll(database.url, passwordsOf(database.urlFor));
  });
  afterAll(() => database.drop());

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
  const fileOf = (content: object) => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'upgrade-')), 'community.json');
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  it('has the same tables, functions, triggers, views and rights as one that begins now', async () => {
    const empty = await testDatabase();
    try {
      for (const objects of [tablesOf, codeOf])
        expect(await withClient(database.url, objects)).toEqual(await withClient(empty.url, objects));
    } finally {
      await empty.drop();
    }
  });

  it('asks for euros as before where it lived by the file of 1.0.0; a file of its own says what it said', async () => {
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
});
