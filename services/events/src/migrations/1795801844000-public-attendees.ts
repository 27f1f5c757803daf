import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** Who comes may let visitors see it, of a place and never by the profile, which says what a place begins with. */
export class PublicAttendees1795801844000 implements Migration {
  name = 'PublicAttendees1795801844000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.event_registrations
        DROP CONSTRAINT event_registrations_show_me_check,
        ADD CONSTRAINT event_registrations_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin', 'public'))`);
    await runner.query(`
      CREATE INDEX event_registrations_public_idx ON events.event_registrations (event_id, registered_at, id)
      WHERE show_me = 'public' AND status = 'registered'`);
  }
}
