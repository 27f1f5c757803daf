import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Users1795219200000 implements MigrationInterface {
  name = 'Users1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public');
    await runner.query(`
      CREATE TABLE auth.pictures (
        hash text CONSTRAINT pictures_pkey PRIMARY KEY,
        bytes bytea NOT NULL,
        mime text NOT NULL DEFAULT 'image/webp',
        width integer NOT NULL,
        height integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pictures_hash_check CHECK (hash ~ '^[0-9a-f]{64}$'),
        CONSTRAINT pictures_bytes_check CHECK (octet_length(bytes) BETWEEN 1 AND 358400),
        CONSTRAINT pictures_size_check CHECK (width > 0 AND height > 0)
      )`);
    // sort_name and search_text let the administrators' list sort, search and page by index alone.
    await runner.query(`
      CREATE TABLE auth.users (
        id uuid CONSTRAINT users_pkey PRIMARY KEY,
        email text NOT NULL,
        password_hash text NOT NULL,
        first_name text NOT NULL,
        last_name text NOT NULL,
        description text,
        linked_in_url text,
        profile_picture_hash text,
        is_admin boolean NOT NULL DEFAULT false,
        event_updates boolean NOT NULL DEFAULT true,
        reminders boolean NOT NULL DEFAULT true,
        session_epoch integer NOT NULL DEFAULT 1,
        version bigint NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        sort_name text NOT NULL GENERATED ALWAYS AS (lower(first_name || ' ' || last_name)) STORED,
        search_text text NOT NULL
          GENERATED ALWAYS AS (lower(first_name || ' ' || last_name || ' ' || email)) STORED,
        CONSTRAINT users_email_check CHECK (char_length(email) BETWEEN 3 AND 255 AND email = btrim(email)),
        CONSTRAINT users_password_hash_check CHECK (password_hash LIKE '$argon2id$%' AND char_length(password_hash) <= 255),
        CONSTRAINT users_first_name_check CHECK (char_length(first_name) BETWEEN 1 AND 100),
        CONSTRAINT users_last_name_check CHECK (char_length(last_name) BETWEEN 1 AND 100),
        CONSTRAINT users_description_check CHECK (char_length(description) <= 10000),
        CONSTRAINT users_linked_in_url_check
          CHECK (char_length(linked_in_url) <= 1000 AND linked_in_url ~* '^https?://'),
        CONSTRAINT users_profile_picture_hash_fkey
          FOREIGN KEY (profile_picture_hash) REFERENCES auth.pictures (hash)
      )`);
    await runner.query('CREATE UNIQUE INDEX users_email_key ON auth.users (lower(email))');
    await runner.query('CREATE INDEX users_sort_name_idx ON auth.users (sort_name, id)');
    await runner.query('CREATE INDEX users_created_at_idx ON auth.users (created_at, id)');
    await runner.query(
      'CREATE INDEX users_search_idx ON auth.users USING gin (search_text public.gin_trgm_ops)',
    );
    await runner.query('CREATE INDEX users_administrators_idx ON auth.users (id) WHERE is_admin');
    await runner.query(
      'CREATE INDEX users_profile_picture_hash_idx ON auth.users (profile_picture_hash) WHERE profile_picture_hash IS NOT NULL',
    );
    await runner.query(`
      CREATE FUNCTION auth.raise_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.version := OLD.version + 1;
        NEW.updated_at := now();
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_raise_version BEFORE UPDATE ON auth.users
      FOR EACH ROW EXECUTE FUNCTION auth.raise_version()`);
    await runner.query('GRANT USAGE ON SCHEMA auth TO meetmark_auth, meetmark_events, meetmark_worker');
    await runner.query('GRANT SELECT, INSERT, UPDATE, DELETE ON auth.users, auth.pictures TO meetmark_auth');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.users');
    await runner.query('DROP FUNCTION auth.raise_version');
    await runner.query('DROP TABLE auth.pictures');
    // pg_trgm stays: other owners' indexes may use it.
    await runner.query('REVOKE USAGE ON SCHEMA auth FROM meetmark_auth, meetmark_events, meetmark_worker');
  }
}
