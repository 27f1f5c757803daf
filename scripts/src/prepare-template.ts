import { DATABASE_PROCESSES, type DatabaseProcess, migrateAll, getDatabaseRole } from './migrations.js';

export async function prepareTemplate(url: string): Promise<Record<string, string>> {
  const passwords = Object.fromEntries(DATABASE_PROCESSES.map((process) => [process, `test-${process}`]));
  await migrateAll(url, passwords as Record<DatabaseProcess, string>);
  return Object.fromEntries(
    DATABASE_PROCESSES.map((process) => [getDatabaseRole(process), `test-${process}`]),
  );
}
