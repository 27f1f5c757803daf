import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One check of an administrator's right for every service that changes something on their behalf. */
export class RequiredRights1795357049000 implements MigrationInterface {
  name = 'RequiredRights1795357049000';

  async up(runner: QueryRunner): Promise<void> {
    // The row stays locked until the transaction ends: neither the right nor the sessions can be taken away before its commit.
    await runner.query(`
      CREATE FUNCTION auth.administrator_refusal(account uuid, epoch integer) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        present record;
      BEGIN
        SELECT is_admin, session_epoch INTO present FROM auth.users WHERE id = account FOR SHARE;
        RETURN CASE
          WHEN NOT FOUND OR present.session_epoch <> epoch THEN 'UNAUTHORIZED'
          WHEN NOT present.is_admin THEN 'FORBIDDEN' END;
      END $$`);
    await runner.query('REVOKE ALL ON FUNCTION auth.administrator_refusal(uuid, integer) FROM PUBLIC');
    await runner.query(
      'GRANT EXECUTE ON FUNCTION auth.administrator_refusal(uuid, integer) TO meetmark_auth, meetmark_events',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION auth.administrator_refusal');
  }
}
