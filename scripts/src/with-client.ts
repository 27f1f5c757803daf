import pg from 'pg';

/**
 * Runs `work` with a new connection. If the connection is lost, the current or next query fails.
 * @param url connection string
 */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // queries report a lost connection, which would end the process without a listener
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
