import pg from 'pg';

/**
 * Runs `work` on a connection of its own. When the connection is lost, the query under way fails, or the next one.
 * @param url connection string
 */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the queries tell; without a listener a lost connection would end the process
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
