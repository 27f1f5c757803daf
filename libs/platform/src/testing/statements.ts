import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource } from 'typeorm';

/** The statements that `work` sends by TypeORM, without BEGIN and COMMIT; not those that others send meanwhile. */
export async function statementsOf(dataSource: DataSource, work: () => Promise<unknown>): Promise<string[]> {
  const before = dataSource.logger;
  const own = new AsyncLocalStorage<string[]>();
  const statements: string[] = [];
  const ignore = () => undefined;
  dataSource.logger = {
    logQuery: (query) => void own.getStore()?.push(query),
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  try {
    await own.run(statements, work);
  } finally {
    dataSource.logger = before;
  }
  return statements.filter((query) => !/^(START TRANSACTION|COMMIT|ROLLBACK)/.test(query));
}
