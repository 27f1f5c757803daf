import { UrlVariable } from '@meetmark/platform';
import { IsNotEmpty } from 'class-validator';
import { migrateAll } from './migrations.js';
import { runCommand } from './run-command.js';

const PASSWORD = { message: 'must be the password of the database role of that process' };

class MigratorConfig {
  /** Connection URL of the database's owner, who may create schemas and roles. */
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

// node scripts/dist/migrate.js: must run before a new version starts. Can safely run repeatedly or
// concurrently.
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
