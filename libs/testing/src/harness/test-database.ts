import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { testRedisAt, type TestRedis } from '../embedded/redis-users.js';
import { TEMPLATE_DATABASE, type SharedPostgres, BROKER_URL } from './broker.js';

/**
 * Returns an empty database of the Redis that tests share. Don't run FLUSHALL there, because it empties the
 * databases of other tests too. For FLUSHALL, use `startRedis`.
 */
export async function testRedis(): Promise<TestRedis> {
  const { url } = await askBroker<{ url: string }>('redis');
  return testRedisAt(url);
}

/**
 * Asks the broker of this test run.
 * @throws Error with the broker's reason
 * @throws Error if Jest doesn't use the configuration in the repository's root folder
 */
export async function askBroker<Answer>(question: string): Promise<Answer> {
  const base = process.env[BROKER_URL];
  if (!base)
    throw new Error('No test servers: start Jest with the configuration in the root of the repository');
  // Don't reuse connections, because the broker could close one just before the request.
  const response = await fetch(`${base}/${question}`, { headers: { connection: 'close' } });
  if (!response.ok) throw new Error(`The test servers did not start: ${await response.text()}`);
  return (await response.json()) as Answer;
}

const CLOSING_MS = 500;
const POLL_MS = 10;
const POOL_WAIT_MS = 60_000;

export interface TestDatabase {
  url: string;
  /**
   * Returns the connection URL of a role, such as `meetmark_auth`.
   * @throws Error if no migration created the role
   */
  urlFor(role: string): string;
  /**
   * Returns the configuration of a process that signs in with `role`. The timeout is long, for slow machines.
   */
  configFor(
    role: string,
    poolSize: number,
  ): { databaseUrl: string; databasePoolSize: number; databasePoolWait: number };
  drop(): Promise<void>;
}

/** Creates a migrated, empty database on the shared PostgreSQL. Safe in parallel tests. */
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

/**
 * Waits for connections to close first, because cutting a connection raises an error that nothing handles.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const end = Date.now() + CLOSING_MS;
  const inUse = async () =>
    (await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])).rowCount !== 0;
  while (Date.now() < end && (await inUse())) await pause(POLL_MS);
  await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
}

/**
 * Copies settings made by ALTER ROLE … IN DATABASE, such as search_path, because the template doesn't contain
 * them.
 */
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
