import { withClient } from '../with-client.js';
import type { ProcessName } from './processes.js';

/** Left for migrations, backups and people. */
const RESERVED = 10;
/** Beside its pool a process may hold one connection that listens for notifications. */
const LISTENING = 1;
const LARGEST_POOL = 10;
const SMALLEST_POOL = 2;

/** Holds that one more. */
const LISTENERS: ProcessName[] = ['worker'];

/** What PostgreSQL's max_connections has to be at least for so many replicas with such pools. */
export function connectionsNeeded(
  processes: { name: ProcessName; replicas: number; pool: number }[],
): number {
  const each = processes.map(
    ({ name, replicas, pool }) => replicas * (pool + (LISTENERS.includes(name) ? LISTENING : 0)),
  );
  return each.reduce((sum, connections) => sum + connections, RESERVED);
}

/**
 * Connections for each process's pool, so that all replicas together stay below the server's limit.
 * @throws Error when not even the smallest pools fit
 */
export async function poolSizeFor(databaseUrl: string, processes: number): Promise<number> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ max_connections: string }>('SHOW max_connections'),
  );
  const limit = Number(rows[0]?.max_connections);
  const share = Math.floor((limit - RESERVED) / processes) - LISTENING;
  if (share >= SMALLEST_POOL) return Math.min(share, LARGEST_POOL);
  throw new Error(
    `${processes} processes are too many for PostgreSQL's ${limit} connections. Start fewer (REPLICAS) or raise max_connections.`,
  );
}
