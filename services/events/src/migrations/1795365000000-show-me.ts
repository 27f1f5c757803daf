import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What others who are coming learn of a member. Who registered before this was listed by name. */
export class ShowMe1795365000000 implements MigrationInterface {
  name = 'ShowMe1795365000000';

  async up(runner: QueryRunner): Promise<void> {
    // a constant default: no row is rewritten, and replicas of the previous version go on inserting
    await runner.query(`
      ALTER TABLE events.event_registrations
        ADD COLUMN show_me text NOT NULL DEFAULT 'name',
        ADD CONSTRAINT event_registrations_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin'))`);
    await runner.query('GRANT UPDATE (show_me) ON events.event_registrations TO meetmark_events');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events.event_registrations DROP COLUMN show_me');
  }
}
