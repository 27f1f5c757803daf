import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EventFormat1795248054000 implements MigrationInterface {
  name = 'EventFormat1795248054000';

  /** A constant default rewrites no row, and gives replicas of the previous version, which do not know the column, a value. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.events
        ADD COLUMN format text NOT NULL DEFAULT 'in_person',
        ADD CONSTRAINT events_format_check CHECK (format IN ('in_person', 'online', 'hybrid'))`);
    await runner.query('GRANT INSERT (format), UPDATE (format) ON events.events TO meetmark_events');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events.events DROP COLUMN format');
  }
}
