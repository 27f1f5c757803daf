import { UrlVariable } from '@meetmark/platform';
import { IsNotEmpty } from 'class-validator';
import { migrateAll } from './migrations.js';
import { runCommand } from './run-command.js';

const PASSWORD = { message: 'must hold the password of that process’s database role' };

class MigratorConfig {
  /** PostgreSQL, as the owner of the database: may create schemas and roles. */
  @UrlVariable('postgres', 'postgresql')
  migrationDatabaseUrl!: string;

  @IsNotEmpty(PASSWORD)
  gatewayDbPassword!: string;

  @IsNotEmpty(PASSWORD)
  authDbPassword!: string;

  @IsNotEmpty(PASSWORD)
  eventsDbPassword!: string;

  @IsNotEmpty(PASSWORD)
  adminDbPassword!: string;

  @IsNotEmpty(PASSWORD)
  workerDbPassword!: string;
}

// Run before a new version starts; safe to run again and several at once: node scripts/dist/migrate.js
await runCommand(MigratorConfig, async (config) => {
  const done = await migrateAll(config.migrationDatabaseUrl, {
    gateway: config.gatewayDbPassword,
    auth: config.authDbPassword,
    events: config.eventsDbPassword,
    admin: config.adminDbPassword,
    worker: config.workerDbPassword,
  });
  for (const name of done) console.log(name);
  console.log(done.length > 0 ? `${done.length} changes made` : 'The database is up to date');
});
