import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { DataSource } from 'typeorm';
import { databaseOptions } from './database-options.js';
import { PreparedStatements } from './transaction.js';

const END_MYSELF = { name: 'end-myself', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };
const ONE = { name: 'one', text: 'SELECT 1 AS one' };

describe('a prepared statement', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let statements: PreparedStatements;
  beforeAll(async () => {
    database = await testDatabase();
    const config = database.configFor('meetmark_events', 2);
    dataSource = await new DataSource(
      databaseOptions(config, { schema: 'events', entities: [] }),
    ).initialize();
    statements = new PreparedStatements(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('whose connection ends under it is refused, time and again, and the process lives on', async () => {
    for (let round = 0; round < 20; round += 1) {
      const ended = Promise.all([1, 2].map(() => statements.run(END_MYSELF, [])));
      await expect(ended).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    expect(await statements.run(ONE, [])).toEqual([{ one: 1 }]);
  });
});
