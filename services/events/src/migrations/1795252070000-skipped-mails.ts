import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SkippedMails1795252070000 implements MigrationInterface {
  name = 'SkippedMails1795252070000';

  /** A row that is done without its mail: the member does not want it, or there is nothing to tell any more. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events.outbox ADD COLUMN skipped boolean NOT NULL DEFAULT false');
    await runner.query('GRANT UPDATE (skipped) ON events.outbox TO meetmark_worker');
    await runner.query(`
      CREATE OR REPLACE VIEW events.mail_status AS
      SELECT id, job, created_at, done_at, attempts, last_error, skipped FROM events.outbox WHERE job LIKE 'mail.%'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW events.mail_status');
    await runner.query(`
      CREATE VIEW events.mail_status AS
      SELECT id, job, created_at, done_at, attempts, last_error FROM events.outbox WHERE job LIKE 'mail.%'`);
    await runner.query('GRANT SELECT ON events.mail_status TO meetmark_admin');
    await runner.query('ALTER TABLE events.outbox DROP COLUMN skipped');
  }
}
