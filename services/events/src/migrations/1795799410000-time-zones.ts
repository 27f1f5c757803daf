import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * The zone on whose clock an event stands, where that is not the community's. Whether it exists is asked by the service: which zones there
 * are changes with every release of the list, and a constraint has to hold for good.
 */
export class TimeZones1795799410000 implements Migration {
  name = 'TimeZones1795799410000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['events', 'deleted_events'])
      await runner.query(`
        ALTER TABLE events.${table} ADD COLUMN time_zone text,
          ADD CONSTRAINT ${table}_time_zone_check
            CHECK (char_length(time_zone) <= 64 AND time_zone ~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$')`);
    await runner.query('GRANT INSERT (time_zone), UPDATE (time_zone) ON events.events TO meetmark_events');
  }
}
