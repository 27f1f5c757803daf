import type { DataSource } from 'typeorm';

/** The statements that TypeORM sends while `work` runs, without BEGIN and COMMIT. */
export async function statementsOf(dataSource: DataSource, work: () => Promise<unknown>): Promise<string[]> {
  const before = dataSource.logger;
  const statements: string[] = [];
  const ignore = () => undefined;
  dataSource.logger = {
    logQuery: (query) => void statements.push(query),
    logQueryError: ignore,
    logQuerySlow: ignore,
    logSchemaBuild: ignore,
    logMigration: ignore,
    log: ignore,
  };
  try {
    await work();
  } finally {
    dataSource.logger = before;
  }
  return statements.filter((query) => !/^(START TRANSACTION|COMMIT|ROLLBACK)/.test(query));
}
