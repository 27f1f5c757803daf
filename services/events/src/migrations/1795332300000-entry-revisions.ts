import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EntryRevisions1795332300000 implements MigrationInterface {
  name = 'EntryRevisions1795332300000';

  /**
   * What a member's calendar entry adds to the event's sequence: giving a place up takes the entry out, taking it again puts it
   * back, and a calendar believes each only under a higher number than the one before (RFC 5546, 2.1.4).
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE events.event_registrations ADD COLUMN entry_revision integer NOT NULL DEFAULT 0',
    );
    await runner.query('GRANT UPDATE (entry_revision) ON events.event_registrations TO meetmark_events');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events.event_registrations DROP COLUMN entry_revision');
  }
}
