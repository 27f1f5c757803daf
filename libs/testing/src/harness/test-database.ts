import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { testRedisAt, type TestRedis } from '../embedded/redis-users.js';
import { TEMPLATE_DATABASE, type SharedPostgres, BROKER_URL } from './broker.js';

/** An empty, numbered database on the run's shared Redis. Never FLUSHALL there: use `startRedis`. */
export async function testRedis(): Promise<TestRedis> {
  const { url } = await askBroker<{ url: string }>('redis');
  return testRedisAt(url);
}

/** Asks the run's broker. Throws with its reason, or when the tests were not started through the root Jest configuration. */
export async function askBroker<Answer>(question: string): Promise<Answer> {
  const base = process.env[BROKER_URL];
  if (!base)
    throw new Error('No test servers: start Jest with the configuration in the root of the repository');
  // A kept connection that the broker closes at this very moment would fail the question on a busy machine.
  const response = await fetch(`${base}/${question}`, { headers: { connection: 'close' } });
  if (!response.ok) throw new Error(`The test servers did not start: ${await response.text()}`);
  return (await response.json()) as Answer;
}

const CLOSING_MS = 500;
const POLL_MS = 10;
const POOL_WAIT_MS = 60_000;

export interface TestDatabase {
  /** Connection string of the owner, who may do everything. */
  url: string;
  /** Connection string of a process's own role, for example `meetmark_auth`. Throws for a role that no migration made. */
  urlFor(role: string): string;
  /** What a process of that role reads of its configuration. It waits long: how fast this machine is, is not what is tested. */
  configFor(
    role: string,
    poolSize: number,
  ): { databaseUrl: string; databasePoolSize: number; databasePoolWait: number };
  /** Removes the database, ending whatever is still connected. */
  drop(): Promise<void>;
}

/** A migrated, empty database of its own on the run's shared PostgreSQL. Works in parallel. */
export async function testDatabase(): Promise<TestDatabase> {
  const { url: maintenanceUrl, rolePasswords } = await askBroker<SharedPostgres>('postgres');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withClient(maintenanceUrl, async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE}`);
    await copyRoleSettings(client, name);
  });
  const url = new URL(maintenanceUrl);
  url.pathname = `/${name}`;
  const urlFor = (role: string) => {
    const password = rolePasswords[role];
    if (password === undefined) throw new Error(`No migration made the role ${role}`);
    return Object.assign(new URL(url), { username: role, password }).href;
  };
  return {
    url: url.href,
    urlFor,
    configFor: (role, poolSize) => ({
      databaseUrl: urlFor(role),
      databasePoolSize: poolSize,
      databasePoolWait: POOL_WAIT_MS,
    }),
    drop: () => withClient(maintenanceUrl, (client) => dropDatabase(client, name)),
  };
}

/** Connections that were just ended may still be on their way out; to cut them would raise an error without a listener. */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const end = Date.now() + CLOSING_MS;
  const inUse = async () =>
    (await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])).rowCount !== 0;
  while (Date.now() < end && (await inUse())) await pause(POLL_MS);
  await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
}

/** What the migrator set with ALTER ROLE … IN DATABASE (the search path) is not part of the template. */
async function copyRoleSettings(client: pg.Client, database: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER ROLE %I IN DATABASE %I SET %s = %s', r.rolname, $2::text,
                   split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)) AS statement
       FROM pg_db_role_setting s
       JOIN pg_roles r ON r.oid = s.setrole
       JOIN pg_database d ON d.oid = s.setdatabase,
            unnest(s.setconfig) AS setting
      WHERE d.datname = $1`,
    [TEMPLATE_DATABASE, database],
  );
  for (const { statement } of rows) await client.query(statement);
}

async function withClient(
  connectionString: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
