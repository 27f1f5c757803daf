import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CommunitySettings1795390000000 implements MigrationInterface {
  name = 'CommunitySettings1795390000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE admin.pictures (
        hash text CONSTRAINT pictures_pkey PRIMARY KEY,
        bytes bytea NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pictures_hash_check CHECK (hash ~ '^[0-9a-f]{64}$'),
        CONSTRAINT pictures_bytes_check CHECK (octet_length(bytes) BETWEEN 1 AND 358400),
        CONSTRAINT pictures_size_check CHECK (width > 0 AND height > 0)
      )`);
    // The first one is that of the file, and nobody's. changes: [{name, before, after}].
    await runner.query(`
      CREATE TABLE admin.community_settings (
        version integer CONSTRAINT community_settings_pkey PRIMARY KEY,
        settings jsonb NOT NULL,
        changes jsonb NOT NULL DEFAULT '[]',
        changed_by uuid,
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT community_settings_version_check CHECK (version >= 1),
        CONSTRAINT community_settings_settings_check
          CHECK (jsonb_typeof(settings) = 'object' AND pg_column_size(settings) < 1000000),
        CONSTRAINT community_settings_changes_check CHECK (jsonb_typeof(changes) = 'array'),
        CONSTRAINT community_settings_seed_check CHECK ((version = 1) = (changed_by IS NULL))
      )`);
    // One version follows the other, and stays, whoever the role is.
    await runner.query(`
      CREATE FUNCTION admin.keep_settings() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          RAISE EXCEPTION 'admin.community_settings is append-only' USING ERRCODE = 'insufficient_privilege';
        END IF;
        IF NEW.version <> 1 + coalesce((SELECT max(version) FROM admin.community_settings), 0) THEN
          RAISE EXCEPTION 'version % does not follow', NEW.version
            USING ERRCODE = 'unique_violation', CONSTRAINT = 'community_settings_pkey';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER community_settings_follow BEFORE INSERT ON admin.community_settings
      FOR EACH ROW EXECUTE FUNCTION admin.keep_settings()`);
    await runner.query(`
      CREATE TRIGGER community_settings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON admin.community_settings
      FOR EACH STATEMENT EXECUTE FUNCTION admin.keep_settings()`);
    await runner.query(`
      CREATE VIEW admin.community AS
      SELECT version, settings FROM admin.community_settings ORDER BY version DESC LIMIT 1`);
    await runner.query('GRANT SELECT, INSERT ON admin.community_settings TO meetmark_admin');
    await runner.query('GRANT SELECT, INSERT, UPDATE (created_at) ON admin.pictures TO meetmark_admin');
    await runner.query('GRANT INSERT ON admin.audit_log TO meetmark_admin');
    // Every process that shows the community to people reads it here.
    await runner.query('GRANT USAGE ON SCHEMA admin TO meetmark_gateway, meetmark_events');
    await runner.query(
      'GRANT SELECT ON admin.community TO meetmark_admin, meetmark_gateway, meetmark_events, meetmark_worker',
    );
    // Pictures that no version shows are garbage that the worker collects.
    await runner.query('GRANT SELECT (hash, created_at), DELETE ON admin.pictures TO meetmark_worker');
    await runner.query('GRANT SELECT (settings) ON admin.community_settings TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE INSERT ON admin.audit_log FROM meetmark_admin');
    await runner.query('DROP VIEW admin.community');
    await runner.query('DROP TABLE admin.community_settings, admin.pictures');
    await runner.query('DROP FUNCTION admin.keep_settings');
    await runner.query('REVOKE USAGE ON SCHEMA admin FROM meetmark_gateway, meetmark_events');
  }
}
