import type { Pool, PoolClient } from 'pg';

/** A connection that the pool has lent us. */
export interface HeldConnection {
  client: PoolClient;
  /** `broken`: nobody is to be lent it again. */
  giveBack: (broken?: boolean) => void;
}

/**
 * Lends a connection, for what TypeORM cannot do. One that ends in our hands says so by an event too, which nobody hearing it
 * would make the end of the process.
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
      if (!lost) client.off('error', note); // the pool listens again; to what it threw away it does not
    },
  };
}
