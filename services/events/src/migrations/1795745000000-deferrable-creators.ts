import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * A transaction that deletes an account may hand its events over until it commits: the foreign key can wait for that, where the
 * transaction says so. Everywhere else the deletion of an account with events is refused at once, as before.
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
