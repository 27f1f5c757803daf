import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { Client } from 'pg';

/** @param close runs before the database is dropped, and should close the connections of the test */
export function databaseForTests(
  close: () => Promise<unknown> = () => Promise.resolve(),
): TestDatabase & { owner: Client } {
  const database = {} as TestDatabase & { owner: Client };
  beforeAll(async () => {
    Object.assign(database, await testDatabase());
    database.owner = new Client({ connectionString: database.url });
    await database.owner.connect();
  });
  afterAll(async () => {
    await close();
    await database.owner.end();
    await database.drop();
  });
  return database;
}
