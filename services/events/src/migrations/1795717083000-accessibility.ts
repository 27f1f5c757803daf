import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** What people need to know who use a wheelchair, hear or see little, in the organiser's words. */
export class Accessibility1795717083000 implements Migration {
  name = 'Accessibility1795717083000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.event_contents ADD COLUMN accessibility text,
        ADD CONSTRAINT event_contents_accessibility_check CHECK (char_length(accessibility) BETWEEN 1 AND 500)`);
    await runner.query(
      'GRANT INSERT (accessibility), UPDATE (accessibility) ON events.event_contents TO meetmark_events',
    );
  }
}
