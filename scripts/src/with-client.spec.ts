import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { withClient } from './with-client.js';

describe('a connection of one’s own', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await testDatabase()));
  afterAll(() => database.drop());

  it('answers what was asked on it', async () => {
    const { rows } = await withClient(database.url, (client) => client.query('SELECT 1 AS one'));
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('that is lost fails the work, and nothing else', async () => {
    const end = withClient(database.url, (client) =>
      client.query('SELECT pg_terminate_backend(pg_backend_pid())'),
    );
    await expect(end).rejects.toThrow(/terminat/);
  });
});
