import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Column to the name that the API has for it: what the forms of a profile and of an account edit. */
const EDITED = {
  email: 'email',
  first_name: 'firstName',
  last_name: 'lastName',
  description: 'description',
  linked_in_url: 'linkedInUrl',
  profile_picture_hash: 'profileImageUrl',
  is_admin: 'isAdmin',
};

/**
 * The version of a profile is raised by every change of what a form edits, by any writer, and each change is remembered with
 * its author: a save that began from an older version is refused with that name. 'meetmark.editor' is the user in whose name a
 * transaction changes; without it the user changes themselves, as by a link from a mail. Passwords, sessions and mail settings change no version of the profile, though one of the row.
 */
export class ProfileVersions1795340000000 implements MigrationInterface {
  name = 'ProfileVersions1795340000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE auth.users ADD COLUMN profile_version integer NOT NULL DEFAULT 1');
    await runner.query(`
      CREATE TABLE auth.profile_edits (
        user_id uuid NOT NULL,
        version integer NOT NULL,
        editor_id uuid,
        changed text[] NOT NULL,
        edited_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT profile_edits_pkey PRIMARY KEY (user_id, version),
        CONSTRAINT profile_edits_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE,
        CONSTRAINT profile_edits_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES auth.users (id) ON DELETE SET NULL
      )`);
    await runner.query('CREATE INDEX profile_edits_editor_id_idx ON auth.profile_edits (editor_id)');
    await runner.query('CREATE INDEX profile_edits_edited_at_idx ON auth.profile_edits (edited_at)');
    const columns = Object.keys(EDITED);
    const row = (name: string) => `ROW (${columns.map((column) => `${name}.${column}`).join(', ')})`;
    const differs = `${row('OLD')} IS DISTINCT FROM ${row('NEW')}`;
    // the service may write every column: whatever it wrote here does not count
    await runner.query(`
      CREATE FUNCTION auth.raise_profile_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.profile_version := OLD.profile_version + CASE WHEN ${differs} THEN 1 ELSE 0 END;
        RETURN NEW;
      END $$`);
    const changed = Object.entries(EDITED).map(
      ([column, name]) => `CASE WHEN OLD.${column} IS DISTINCT FROM NEW.${column} THEN '${name}' END`,
    );
    await runner.query(`
      CREATE FUNCTION auth.keep_profile_edit() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        INSERT INTO auth.profile_edits (user_id, version, editor_id, changed)
        VALUES (NEW.id, NEW.profile_version,
          coalesce(nullif(current_setting('meetmark.editor', true), '')::uuid, NEW.id),
          array_remove(ARRAY[${changed.join(', ')}], NULL));
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_raise_profile_version BEFORE UPDATE ON auth.users
      FOR EACH ROW EXECUTE FUNCTION auth.raise_profile_version()`);
    await runner.query(`
      CREATE TRIGGER users_keep_edit AFTER UPDATE ON auth.users
      FOR EACH ROW WHEN (${differs}) EXECUTE FUNCTION auth.keep_profile_edit()`);
    await runner.query('GRANT SELECT ON auth.profile_edits TO meetmark_auth');
    await runner.query(
      'GRANT SELECT (user_id, version, edited_at), DELETE ON auth.profile_edits TO meetmark_worker',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_keep_edit ON auth.users');
    await runner.query('DROP TRIGGER users_raise_profile_version ON auth.users');
    await runner.query('DROP FUNCTION auth.keep_profile_edit');
    await runner.query('DROP FUNCTION auth.raise_profile_version');
    await runner.query('DROP TABLE auth.profile_edits');
    await runner.query('ALTER TABLE auth.users DROP COLUMN profile_version');
  }
}
