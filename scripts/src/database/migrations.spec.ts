import { RegistrationsService } from '@meetmark/events/registrations/registrations.service';
import { createCall, openEvents } from '@meetmark/events/testing/open-events';
import { migrate, type Migration } from '@meetmark/platform/database/migrate';
import { databaseForTests } from '@meetmark/platform/testing/database-for-tests';
import { testDatabase } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { DATABASE_PROCESSES, OWNERS, getDatabaseRole, SCHEMAS } from '../migrations.js';
import type { Secrets } from '../stack/secrets.js';
import { migrateDatabase } from '../stack/stack.js';
import { withClient } from '../with-client.js';

describe('the rights of the database roles', () => {
  const database = databaseForTests();

  const writable = async (role: string) => {
    const { rows } = await database.owner.query<{ name: string }>(
      `SELECT DISTINCT table_schema || '.' || table_name AS name FROM information_schema.role_column_grants
       WHERE grantee = $1 AND privilege_type IN ('INSERT', 'UPDATE') AND table_schema = ANY ($2)
       UNION SELECT table_schema || '.' || table_name FROM information_schema.role_table_grants
       WHERE grantee = $1 AND privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE') AND table_schema = ANY ($2)`,
      [role, SCHEMAS],
    );
    return rows.map(({ name }) => name);
  };

  it.each(DATABASE_PROCESSES.filter((name) => name !== 'worker'))(
    'let %s write only to its own schema',
    async (name) => {
      const tables = await writable(getDatabaseRole(name));
      expect(tables.filter((table) => !table.startsWith(`${name}.`))).toEqual([]);
    },
  );

  it('let the worker write to the audit log and outboxes, not to users or events', async () => {
    expect(SCHEMAS).not.toContain('worker');
    const tables = await writable(getDatabaseRole('worker'));
    expect(tables).toEqual(expect.arrayContaining(['admin.audit_log', 'auth.outbox', 'events.outbox']));
    expect(tables).not.toContain('auth.users');
    expect(tables).not.toContain('events.events');
  });
});

class Pets1900000000000 implements Migration {
  name = 'Pets1900000000000';
  async up(runner: Parameters<Migration['up']>[0]): Promise<void> {
    await runner.query('ALTER TABLE events.events ADD COLUMN pets_welcome boolean NOT NULL DEFAULT false');
  }
}

describe('an upgrade of a running installation', () => {
  it('runs the new migration while members register, and keeps the data', async () => {
    const events = await openEvents();
    const { url, urlFor } = events.database;
    const event = await insertEvent(events.owner, { createdById: (await events.administrator()).sub });
    const register = async (sub: string) => {
      const { registration } = await events
        .get(RegistrationsService)
        .register({ eventId: event.id }, createCall(sub));
      return registration.status;
    };
    const [before, ...others] = await events.members(20);
    expect(await register(before!)).toBe('registered');
    const passwords = Object.fromEntries(
      DATABASE_PROCESSES.map((name) => [
        getDatabaseRole(name),
        new URL(urlFor(getDatabaseRole(name))).password,
      ]),
    );
    const owners = OWNERS.map((owner) =>
      owner.schema === 'events' ? { ...owner, migrations: [...owner.migrations, Pets1900000000000] } : owner,
    );
    const [done, ...statuses] = await Promise.all([
      migrate({ url, passwords, owners }),
      ...others.map(register),
    ]);
    expect(done).toEqual(['events: Pets1900000000000']);
    expect(new Set(statuses)).toEqual(new Set(['registered']));
    const { rows } = await events.owner.query(
      'SELECT registration_count AS count, pets_welcome AS pets FROM events.events',
    );
    expect(rows).toEqual([{ count: 20, pets: false }]);
    expect(await migrate({ url, passwords, owners })).toEqual([]);
    await events.close();
  });
});

describe('migrateDatabase', () => {
  it('refuses an earlier build’s database and prints the command that moves it away', async () => {
    const database = await testDatabase();
    await withClient(database.url, (client) =>
      client.query("UPDATE events.migrations SET name = 'Baseline_0'"),
    );
    const migrated = migrateDatabase(
      { databaseUrl: database.url, dataFolder: '/data/postgres' },
      { databasePasswords: {} as Secrets['databasePasswords'] },
    );
    await expect(migrated).rejects.toThrow('mv /data/postgres /data/postgres-before');
    await database.drop();
  });
});
