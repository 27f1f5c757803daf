import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MailRecipients1795332600000 implements MigrationInterface {
  name = 'MailRecipients1795332600000';

  /** Whose mail it is, for the administrators' System page; the address is the auth service's. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE VIEW events.mail_status AS
      SELECT o.id, o.job, o.created_at, o.done_at, o.attempts, o.last_error, o.skipped,
        coalesce((o.payload ->> 'userId')::uuid, r.user_id) AS recipient_id
      FROM events.outbox o
      LEFT JOIN events.event_registrations r ON r.id = (o.payload ->> 'registrationId')::uuid
      WHERE o.job LIKE 'mail.%'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW events.mail_status');
    await runner.query(`
      CREATE VIEW events.mail_status AS
      SELECT id, job, created_at, done_at, attempts, last_error, skipped FROM events.outbox WHERE job LIKE 'mail.%'`);
    await runner.query('GRANT SELECT ON events.mail_status TO meetmark_admin');
  }
}
