import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A search of the guest list reads whom an organiser named here, and members by the index of their names. */
export class GuestSearch1795398000000 implements MigrationInterface {
  name = 'GuestSearch1795398000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX event_registrations_named_idx ON events.event_registrations (event_id)
      WHERE guest_name IS NOT NULL OR added_as IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events.event_registrations_named_idx');
  }
}
