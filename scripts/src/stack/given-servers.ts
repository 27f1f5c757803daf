import { Redis } from 'ioredis';
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/** @throws Error that names DATABASE_URL and the reason when the user's own PostgreSQL does not let us in */
export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
  } catch (error) {
    throw refusal('DATABASE_URL', 'PostgreSQL', error);
  }
  await client.end();
}

/** @throws Error that names REDIS_URL and the reason when the user's own Redis does not let us in */
export async function checkRedis(url: string): Promise<void> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The reason comes with the rejected call; without a listener it would also be printed.
  let reason: unknown;
  client.on('error', (error) => (reason = error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw refusal('REDIS_URL', 'Redis', reason ?? error);
  } finally {
    client.disconnect();
  }
}

function refusal(variable: string, server: string, error: unknown): Error {
  // A name with several addresses fails with a list of errors and no message of its own.
  const { message, code } = error as NodeJS.ErrnoException;
  return new Error(
    `${variable}: ${server} does not let us in (${message || code}). Correct it, or unset ${variable} to have one started for you.`,
    { cause: error },
  );
}
