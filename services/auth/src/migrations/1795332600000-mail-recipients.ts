import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MailRecipients1795332600000 implements MigrationInterface {
  name = 'MailRecipients1795332600000';

  /**
   * Whom a mail is for, for the administrators' System page: looked up and not stored, so that it is gone with the account. A mail
   * to the address before keeps that one in its payload.
   */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE VIEW auth.mail_address AS SELECT id, email FROM auth.users');
    await runner.query('GRANT SELECT ON auth.mail_address TO meetmark_admin');
    await runner.query(`
      CREATE OR REPLACE VIEW auth.mail_status AS
      SELECT o.id, o.job, o.created_at, o.done_at, o.attempts, o.last_error, o.skipped,
        coalesce(o.payload ->> 'oldEmail', u.email) AS recipient
      FROM auth.outbox o
      LEFT JOIN auth.password_reset_tokens t ON t.id = (o.payload ->> 'resetTokenId')::uuid
      LEFT JOIN auth.users u ON u.id = coalesce((o.payload ->> 'userId')::uuid, t.user_id)
      WHERE o.job LIKE 'mail.%'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW auth.mail_status, auth.mail_address');
    await runner.query(`
      CREATE VIEW auth.mail_status AS
      SELECT id, job, created_at, done_at, attempts, last_error, skipped FROM auth.outbox WHERE job LIKE 'mail.%'`);
    await runner.query('GRANT SELECT ON auth.mail_status TO meetmark_admin');
  }
}
