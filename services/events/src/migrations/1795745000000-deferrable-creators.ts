import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * Whoever deletes an account may hand its events over until the commit: the foreign key can wait for it, where a transaction says so.
 * Everywhere else a deletion of who has events is refused at once, as before.
 */
export class DeferrableCreators1795745000000 implements Migration {
  name = 'DeferrableCreators1795745000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.events DROP CONSTRAINT events_created_by_id_fkey,
        ADD CONSTRAINT events_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES auth.users DEFERRABLE`);
    await runner.query('GRANT USAGE ON SCHEMA events TO meetmark_auth');
  }
}
