import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** Who was named is sorted into the index of their names at once: a list of those who are not yet is read by each search, whole. */
export class GuestSearchAtOnce1795523572000 implements Migration {
  name = 'GuestSearchAtOnce1795523572000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER INDEX events.event_registrations_named_search_idx SET (fastupdate = off)');
    await runner.query("SELECT gin_clean_pending_list('events.event_registrations_named_search_idx')");
  }
}
