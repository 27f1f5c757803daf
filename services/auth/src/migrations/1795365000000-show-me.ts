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

/** What others who are coming to an event learn of a member, unless the registration says otherwise; the profile's form edits it. */
export class ShowMe1795365000000 implements MigrationInterface {
  name = 'ShowMe1795365000000';

  async up(runner: QueryRunner): Promise<void> {
    // a constant default: no row is rewritten, and replicas of the previous version go on inserting
    await runner.query(`
      ALTER TABLE auth.users
        ADD COLUMN show_me text NOT NULL DEFAULT 'name',
        ADD CONSTRAINT users_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin'))`);
    await runner.query('CREATE VIEW auth.member_consent AS SELECT id, show_me FROM auth.users');
    await runner.query('GRANT SELECT ON auth.member_consent TO meetmark_events');
    await rememberEdits(runner, { ...EDITED, show_me: 'showMe' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await rememberEdits(runner, EDITED);
    await runner.query('DROP VIEW auth.member_consent');
    await runner.query('ALTER TABLE auth.users DROP COLUMN show_me');
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
