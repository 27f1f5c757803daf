import { DATABASE_PROCESSES, type DatabaseProcess, migrateAll, roleOf } from './migrations.js';

/** Migrates the template of the test databases; resolves with the password of each role. */
export async function prepareTemplate(url: string): Promise<Record<string, string>> {
  const passwords = Object.fromEntries(DATABASE_PROCESSES.map((process) => [process, `test-${process}`]));
  await migrateAll(url, passwords as Record<DatabaseProcess, string>);
  return Object.fromEntries(DATABASE_PROCESSES.map((process) => [roleOf(process), `test-${process}`]));
}
