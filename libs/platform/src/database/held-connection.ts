import type { Pool, PoolClient } from 'pg';

/** A connection checked out of the pool. */
export interface HeldConnection {
  client: PoolClient;
  /** `broken`: the pool discards it. */
  giveBack: (broken?: boolean) => void;
}

/**
 * Checks a connection out, for what TypeORM cannot do. One that ends meanwhile also emits an error event, which without a listener
 * would end the process.
 */
export async function holdConnection(pool: Pool): Promise<HeldConnection> {
  const client = await pool.connect();
  let ended = false;
  const note = () => (ended = true);
  client.on('error', note);
  return {
    client,
    giveBack(broken = false) {
      const lost = broken || ended;
      client.release(lost);
      if (!lost) client.off('error', note); // the pool listens again, but not to a discarded connection
    },
  };
}
