import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { Client, Pool } from 'pg';
import { databaseOptions } from '../database/database-options.js';
import { RetryingDataSource } from '../database/transaction.js';

type Config = Parameters<typeof databaseOptions>[0];

/** Everything that is opened here is closed after the tests. */
interface DatabaseForTests extends TestDatabase {
  owner: Client;
  openPool(url: string, max?: number): Pool;
  /** Opens two connections to a schema, by default with the role of the service that owns it. */
  connect(schema: string, config?: Config): Promise<RetryingDataSource>;
}

export function databaseForTests(): DatabaseForTests {
  const closes: (() => Promise<unknown>)[] = [];
  const database = {
    openPool: (connectionString, max = 1) => {
      const pool = new Pool({ connectionString, max });
      closes.push(() => pool.end());
      return pool;
    },
    connect: async (schema, config = database.configFor(`meetmark_${schema}`, 2)) => {
      const dataSource = new RetryingDataSource(databaseOptions(config, { schema, entities: [] }));
      closes.push(async () => dataSource.isInitialized && dataSource.destroy());
      return (await dataSource.initialize()) as RetryingDataSource;
    },
  } as DatabaseForTests;
  beforeAll(async () => {
    Object.assign(database, await testDatabase());
    database.owner = new Client({ connectionString: database.url });
    await database.owner.connect();
  });
  afterAll(async () => {
    for (const close of closes) await close();
    await database.owner.end();
    await database.drop();
  });
  return database;
}
