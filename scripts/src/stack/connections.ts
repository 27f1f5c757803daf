import { availableParallelism } from 'node:os';
import { withClient } from '../with-client.js';
import type { ProcessName } from './processes.js';

/** Left for migrations, backups and people. */
const RESERVED = 10;
/** Beside its pool a process that follows settings or outboxes holds one connection that listens for notifications. */
const LISTENING = 1;
const SMALLEST_POOL = 2;
/**
 * PostgreSQL shares this machine: what it works at at once beyond twice its processors and a disk is only swapped in and out,
 * and keeps the gateways from refusing what is too much (https://wiki.postgresql.org/wiki/Number_Of_Database_Connections).
 */
const LARGEST_POOL = Math.min(10, 2 * availableParallelism() + 1);

const LISTENERS: ProcessName[] = ['gateway', 'events', 'admin', 'worker'];

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
