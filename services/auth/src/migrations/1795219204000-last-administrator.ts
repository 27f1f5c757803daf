import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The system never has zero administrators, whatever happens at the same moment and whichever SQL is sent. */
export class LastAdministrator1795219204000 implements MigrationInterface {
  name = 'LastAdministrator1795219204000';

  async up(runner: QueryRunner): Promise<void> {
    // Held until the transaction ends. Every change of who is an administrator takes it first.
    await runner.query(`
      CREATE FUNCTION auth.lock_administrators() RETURNS void LANGUAGE sql AS $$
        SELECT pg_advisory_xact_lock(hashtextextended('auth.administrators', 0))
      $$`);
    // The count is a statement of its own after the lock: its snapshot then shows what the others have committed.
    await runner.query(`
      CREATE FUNCTION auth.keep_an_administrator() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM auth.lock_administrators();
        IF NOT EXISTS (SELECT FROM auth.users WHERE is_admin AND id <> OLD.id) THEN
          RAISE EXCEPTION 'at least one administrator must remain'
            USING ERRCODE = 'check_violation', SCHEMA = 'auth', TABLE = 'users', CONSTRAINT = 'users_last_administrator';
        END IF;
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_keep_an_administrator_on_update BEFORE UPDATE ON auth.users
      FOR EACH ROW WHEN (OLD.is_admin AND NOT NEW.is_admin) EXECUTE FUNCTION auth.keep_an_administrator()`);
    await runner.query(`
      CREATE TRIGGER users_keep_an_administrator_on_delete BEFORE DELETE ON auth.users
      FOR EACH ROW WHEN (OLD.is_admin) EXECUTE FUNCTION auth.keep_an_administrator()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_keep_an_administrator_on_delete ON auth.users');
    await runner.query('DROP TRIGGER users_keep_an_administrator_on_update ON auth.users');
    await runner.query('DROP FUNCTION auth.keep_an_administrator');
    await runner.query('DROP FUNCTION auth.lock_administrators');
  }
}
