import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An address that was asked for and not confirmed within a day is forgotten. The worker may do this and change nothing else. */
export class ForgottenPendingEmails1795341000000 implements MigrationInterface {
  name = 'ForgottenPendingEmails1795341000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION auth.forget_pending_emails() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      DECLARE
        forgotten integer;
      BEGIN
        UPDATE auth.users SET pending_email = NULL, pending_email_at = NULL
        WHERE pending_email_at < now() - interval '1 day';
        GET DIAGNOSTICS forgotten = ROW_COUNT;
        RETURN forgotten;
      END $$`);
    await runner.query('REVOKE ALL ON FUNCTION auth.forget_pending_emails() FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION auth.forget_pending_emails() TO meetmark_worker');
    await runner.query(
      'CREATE INDEX users_pending_email_at_idx ON auth.users (pending_email_at) WHERE pending_email_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX auth.users_pending_email_at_idx');
    await runner.query('DROP FUNCTION auth.forget_pending_emails');
  }
}
