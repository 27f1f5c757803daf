import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** What a scan at the door was answered, so that of one guest's scans one is `ok`, and when by the phone's own clock it was. */
export class DoorAnswers1795509217000 implements Migration {
  name = 'DoorAnswers1795509217000';

  async up(runner: QueryRunner): Promise<void> {
    // null as the previous version writes it, which answered ok to each
    await runner.query(
      'ALTER TABLE events.check_ins ADD COLUMN let_in boolean, ADD COLUMN phone_at timestamptz(3)',
    );
    await runner.query(`
      CREATE UNIQUE INDEX check_ins_let_in_key ON events.check_ins (registration_id)
      WHERE let_in AND undone_at IS NULL`);
  }
}
