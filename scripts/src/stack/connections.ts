import { availableParallelism } from 'node:os';
import { withClient } from '../with-client.js';
import type { ProcessName } from './processes.js';

/** Connections to keep free for migrations, backups and operators. */
const RESERVED = 10;
/** Connections with which a process listens for notifications, in addition to its pool. */
const LISTENING = 1;
const SMALLEST_POOL = 2;
/**
 * PostgreSQL runs on this machine. Connections beyond twice the number of processors plus one only add
 * contention (https://wiki.postgresql.org/wiki/Number_Of_Database_Connections).
 */
const LARGEST_POOL = Math.min(10, 2 * availableParallelism() + 1);

const LISTENERS: ProcessName[] = ['gateway', 'events', 'admin', 'worker'];

export function connectionsNeeded(
  processes: { name: ProcessName; replicas: number; pool: number }[],
): number {
  const each = processes.map(
    ({ name, replicas, pool }) => replicas * (pool + (LISTENERS.includes(name) ? LISTENING : 0)),
  );
  return each.reduce((sum, connections) => sum + connections, RESERVED);
}

/**
 * Returns the pool size for each process. All processes together stay below the server's limit.
 * @throws Error if the limit is too low even for the smallest pools
 */
export async function poolSizeFor(databaseUrl: string, processes: number): Promise<number> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ max_connections: string }>('SHOW max_connections'),
  );
  const limit = Number(rows[0]?.max_connections);
  const share = Math.floor((limit - RESERVED) / processes) - LISTENING;
  if (share >= SMALLEST_POOL) return Math.min(share, LARGEST_POOL);
  throw new Error(
    `${processes} processes need more than PostgreSQL's ${limit} connections. Start fewer (REPLICAS) or raise max_connections.`,
  );
}
