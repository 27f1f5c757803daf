import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a member wants new events about their topics, and the weekly digest. */
export class Announcements1795390000000 implements MigrationInterface {
  name = 'Announcements1795390000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE auth.users
        ADD COLUMN announcements boolean NOT NULL DEFAULT true,
        ADD COLUMN digest boolean NOT NULL DEFAULT true`);
    await runner.query(
      `CREATE OR REPLACE VIEW auth.mail_recipient AS ${RECIPIENT}, announcements, digest FROM auth.users`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW auth.mail_recipient');
    await runner.query(`CREATE VIEW auth.mail_recipient AS ${RECIPIENT} FROM auth.users`);
    await runner.query('GRANT SELECT ON auth.mail_recipient TO meetmark_worker');
    await runner.query('ALTER TABLE auth.users DROP COLUMN announcements, DROP COLUMN digest');
  }
}

const RECIPIENT =
  'SELECT id, email, first_name, last_name, event_updates, reminders, email_verified_at IS NOT NULL AS verified, messages';
