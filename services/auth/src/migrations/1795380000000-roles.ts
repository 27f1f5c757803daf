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
  show_me: 'showMe',
};

/** Organisers: members who create events and manage their own. An administrator may be one besides, and is one again afterwards. */
export class Roles1795380000000 implements MigrationInterface {
  name = 'Roles1795380000000';

  async up(runner: QueryRunner): Promise<void> {
    // a constant default: no row is rewritten, and replicas of the previous version go on inserting
    await runner.query('ALTER TABLE auth.users ADD COLUMN is_organiser boolean NOT NULL DEFAULT false');
    await runner.query(
      'CREATE INDEX users_organisers_idx ON auth.users (id) WHERE is_organiser AND NOT is_admin',
    );
    await runner.query(
      'CREATE VIEW auth.organiser AS SELECT id FROM auth.users WHERE is_admin OR is_organiser',
    );
    await runner.query('GRANT SELECT ON auth.organiser TO meetmark_auth, meetmark_events, meetmark_admin');
    // as auth.administrator_refusal: the row stays locked until the transaction ends
    await runner.query(`
      CREATE FUNCTION auth.organiser_refusal(account uuid, epoch integer) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        present record;
      BEGIN
        SELECT is_admin OR is_organiser AS may, session_epoch INTO present FROM auth.users WHERE id = account FOR SHARE;
        RETURN CASE
          WHEN NOT FOUND OR present.session_epoch <> epoch THEN 'UNAUTHORIZED'
          WHEN NOT present.may THEN 'FORBIDDEN' END;
      END $$`);
    await runner.query('REVOKE ALL ON FUNCTION auth.organiser_refusal(uuid, integer) FROM PUBLIC');
    await runner.query(
      'GRANT EXECUTE ON FUNCTION auth.organiser_refusal(uuid, integer) TO meetmark_auth, meetmark_events',
    );
    await rememberEdits(runner, { ...EDITED, is_organiser: 'role' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await rememberEdits(runner, EDITED);
    await runner.query('DROP FUNCTION auth.organiser_refusal');
    await runner.query('DROP VIEW auth.organiser');
    await runner.query('ALTER TABLE auth.users DROP COLUMN is_organiser');
  }
}

/** A change of these columns raises the version of the profile and is remembered as an edit. */
async function rememberEdits(runner: QueryRunner, edited: Record<string, string>): Promise<void> {
  const row = (name: string) =>
    `ROW (${Object.keys(edited)
      .map((column) => `${name}.${column}`)
      .join(', ')})`;
  const differs = `${row('OLD')} IS DISTINCT FROM ${row('NEW')}`;
  const changed = Object.entries(edited).map(
    ([column, name]) => `CASE WHEN OLD.${column} IS DISTINCT FROM NEW.${column} THEN '${name}' END`,
  );
  await runner.query(`
    CREATE OR REPLACE FUNCTION auth.raise_profile_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.profile_version := OLD.profile_version + CASE WHEN ${differs} THEN 1 ELSE 0 END;
      RETURN NEW;
    END $$`);
  await runner.query(`
    CREATE OR REPLACE FUNCTION auth.keep_profile_edit() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
    BEGIN
      INSERT INTO auth.profile_edits (user_id, version, editor_id, changed)
      VALUES (NEW.id, NEW.profile_version,
        coalesce(nullif(current_setting('meetmark.editor', true), '')::uuid, NEW.id),
        array_remove(ARRAY[${changed.join(', ')}], NULL));
      RETURN NULL;
    END $$`);
  await runner.query(`
    CREATE OR REPLACE TRIGGER users_keep_edit AFTER UPDATE ON auth.users
    FOR EACH ROW WHEN (${differs}) EXECUTE FUNCTION auth.keep_profile_edit()`);
}
