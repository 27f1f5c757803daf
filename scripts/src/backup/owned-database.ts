import { loadConfig, UrlVariable } from '@meetmark/platform';
import { IsOptional } from 'class-validator';

class DatabaseConfig {
  /** PostgreSQL, as the owner of the database; without it the data of `npm start` is meant. */
  @IsOptional()
  @UrlVariable('postgres', 'postgresql')
  migrationDatabaseUrl?: string;
}

/** Runs `work` with the owner's connection string of the database that the environment names, or of `npm start`'s own. */
export async function withOwnedDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { migrationDatabaseUrl } = loadConfig(DatabaseConfig);
  if (migrationDatabaseUrl) return work(migrationDatabaseUrl);
  // Images know no embedded servers.
  const { withLocalDatabase } = await import('./local-database.js');
  return withLocalDatabase(work);
}
