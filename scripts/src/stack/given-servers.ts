import { Redis } from 'ioredis';
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/** @throws Error with DATABASE_URL and the reason if PostgreSQL is unreachable or refuses the sign-in */
export async function checkDatabase(url: string): Promise<undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect().catch((error: unknown) => refuse('DATABASE_URL', 'PostgreSQL', error));
  await client.end();
}

/** @throws Error with REDIS_URL and the reason if Redis is unreachable or refuses the sign-in */
export async function checkRedis(url: string): Promise<undefined> {
  const client = new Redis(url, {
    ...{ lazyConnect: true, connectTimeout: CONNECT_TIMEOUT_MS },
    ...{ maxRetriesPerRequest: 0, retryStrategy: () => null },
  });
  // A failed command only reports that there is no connection. The error event contains the reason.
  let reason: unknown;
  client.on('error', (error) => (reason = error));
  try {
    await client.ping();
  } catch (error) {
    refuse('REDIS_URL', 'Redis', reason ?? error);
  } finally {
    client.disconnect();
  }
}

function refuse(variable: string, server: string, error: unknown): never {
  // If the host has several IP addresses, the error has a code but no message.
  const { message, code } = error as NodeJS.ErrnoException;
  throw new Error(
    `${variable}: cannot sign in to ${server} (${message || code}). Correct it, or unset ${variable} to start one automatically.`,
    { cause: error },
  );
}
