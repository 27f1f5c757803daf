import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What leaves with an account, whichever statement deletes it: background work that names it, codes for its address, its picture. */
export class Deletion1795333400000 implements MigrationInterface {
  name = 'Deletion1795333400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE INDEX outbox_user_id_idx ON auth.outbox ((payload ->> 'userId')) WHERE payload ->> 'userId' IS NOT NULL",
    );
    // With the rights of their owner: the role that deletes a user may not delete outbox rows by itself.
    await runner.query(`
      CREATE FUNCTION auth.forget_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      BEGIN
        DELETE FROM auth.outbox WHERE payload ->> 'userId' = OLD.id::text;
        DELETE FROM auth.password_reset_tokens WHERE email = lower(OLD.email);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_forget AFTER DELETE ON auth.users
      FOR EACH ROW EXECUTE FUNCTION auth.forget_user()`);
    // A picture is stored once for all who show the same; one who begins to show it at this moment keeps it.
    await runner.query(`
      CREATE FUNCTION auth.drop_unshown_picture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      BEGIN
        DELETE FROM auth.pictures AS picture WHERE hash = OLD.profile_picture_hash
          AND NOT EXISTS (SELECT FROM auth.users WHERE profile_picture_hash = picture.hash);
        RETURN NULL;
      EXCEPTION WHEN foreign_key_violation THEN
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_drop_picture_on_delete AFTER DELETE ON auth.users
      FOR EACH ROW WHEN (OLD.profile_picture_hash IS NOT NULL) EXECUTE FUNCTION auth.drop_unshown_picture()`);
    await runner.query(`
      CREATE TRIGGER users_drop_picture_on_update AFTER UPDATE OF profile_picture_hash ON auth.users
      FOR EACH ROW WHEN (OLD.profile_picture_hash IS DISTINCT FROM NEW.profile_picture_hash)
      EXECUTE FUNCTION auth.drop_unshown_picture()`);
    // The audit log points to people by id: their names are read here, and gone with the account.
    await runner.query('GRANT SELECT (id, first_name, last_name) ON auth.member_card TO meetmark_admin');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE SELECT (id, first_name, last_name) ON auth.member_card FROM meetmark_admin');
    await runner.query('DROP TRIGGER users_drop_picture_on_update ON auth.users');
    await runner.query('DROP TRIGGER users_drop_picture_on_delete ON auth.users');
    await runner.query('DROP FUNCTION auth.drop_unshown_picture');
    await runner.query('DROP TRIGGER users_forget ON auth.users');
    await runner.query('DROP FUNCTION auth.forget_user');
    await runner.query('DROP INDEX auth.outbox_user_id_idx');
  }
}
