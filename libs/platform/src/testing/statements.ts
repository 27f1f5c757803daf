import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource } from 'typeorm';

/** Returns the statements that `work` sends through TypeORM, except BEGIN and COMMIT. */
export async function recordStatements(
  dataSource: DataSource,
  work: () => Promise<unknown>,
): Promise<string[]> {
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
