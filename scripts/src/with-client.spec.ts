import { testDatabase } from '@meetmark/testing';
import { withClient } from './with-client.js';

it('withClient rejects its work when the connection is lost', async () => {
  const database = await testDatabase();
  const work = withClient(database.url, (client) =>
    client.query('SELECT pg_terminate_backend(pg_backend_pid())'),
  );
  await expect(work).rejects.toThrow(/terminat/);
  await database.drop();
});
