import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { askBroker } from './ask-broker.js';
import { TEMPLATE_DATABASE, type SharedPostgres } from './broker.js';

export interface TestDatabase {
  /** Connection string of the owner, who may do everything. */
  url: string;
  /** Connection string of a process's own role, for example `meetmark_auth`. Throws for a role that no migration made. */
  urlFor(role: string): string;
  /** Removes the database, ending whatever is still connected. */
  drop(): Promise<void>;
}

/** A migrated, empty database of its own on the run's shared PostgreSQL. Works in parallel. */
export async function testDatabase(): Promise<TestDatabase> {
  const { url: maintenanceUrl, rolePasswords } = await askBroker<SharedPostgres>('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(maintenanceUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE}`);
  const url = new URL(maintenanceUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    urlFor(role) {
      const password = rolePasswords[role];
      if (password === undefined) throw new Error(`No migration made the role ${role}`);
      return Object.assign(new URL(url), { username: role, password }).href;
    },
    drop: () => execute(maintenanceUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function execute(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
