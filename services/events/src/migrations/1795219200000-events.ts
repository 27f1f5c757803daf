import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Events1795219200000 implements MigrationInterface {
  name = 'Events1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.pictures (
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
    // Milliseconds are all that JavaScript dates carry, so a cursor made from a row names exactly that row.
    await runner.query(`
      CREATE TABLE events.events (
        id uuid CONSTRAINT events_pkey PRIMARY KEY,
        title text NOT NULL,
        description text,
        start_date timestamptz(3) NOT NULL,
        end_date timestamptz(3) NOT NULL,
        location text,
        is_all_day boolean NOT NULL DEFAULT false,
        banner_hash text,
        price numeric(9, 2),
        capacity integer,
        created_by_id uuid NOT NULL,
        sequence integer NOT NULL DEFAULT 0,
        registration_count integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT events_title_check CHECK (char_length(title) BETWEEN 1 AND 255),
        CONSTRAINT events_description_check CHECK (char_length(description) <= 10000),
        CONSTRAINT events_location_check CHECK (char_length(location) <= 255),
        CONSTRAINT events_dates_check CHECK (end_date > start_date),
        CONSTRAINT events_dates_finite_check CHECK (isfinite(start_date) AND isfinite(end_date)),
        CONSTRAINT events_price_check CHECK (price > 0 AND price <= 1000000),
        CONSTRAINT events_capacity_check CHECK (capacity BETWEEN 1 AND 1000000),
        CONSTRAINT events_sequence_check CHECK (sequence >= 0),
        CONSTRAINT events_registration_count_check CHECK (registration_count >= 0),
        CONSTRAINT events_within_capacity_check CHECK (registration_count <= capacity),
        CONSTRAINT events_banner_hash_fkey FOREIGN KEY (banner_hash) REFERENCES events.pictures (hash),
        CONSTRAINT events_created_by_id_fkey
          FOREIGN KEY (created_by_id) REFERENCES auth.users (id) ON DELETE RESTRICT
      )`);
    await runner.query('CREATE INDEX events_start_date_idx ON events.events (start_date, id)');
    await runner.query('CREATE INDEX events_created_by_id_idx ON events.events (created_by_id)');
    await runner.query(
      'CREATE INDEX events_banner_hash_idx ON events.events (banner_hash) WHERE banner_hash IS NOT NULL',
    );
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public');
    // Events are written seldom and searched often, so a search never has a list of late entries to read besides.
    await runner.query(`
      CREATE INDEX events_search_idx ON events.events
      USING gin (title public.gin_trgm_ops, description public.gin_trgm_ops)
      WITH (fastupdate = off)`);
    await runner.query('GRANT USAGE ON SCHEMA events TO meetmark_events, meetmark_worker, meetmark_admin');
    await runner.query('GRANT SELECT, INSERT, UPDATE (created_at) ON events.pictures TO meetmark_events');
    // registration_count is missing on purpose: only the trigger on the registrations may write it.
    await runner.query(`
      GRANT SELECT, DELETE,
        INSERT (id, title, description, start_date, end_date, location, is_all_day, banner_hash, price, capacity,
          created_by_id, sequence, created_at, updated_at),
        UPDATE (title, description, start_date, end_date, location, is_all_day, banner_hash, price, capacity,
          created_by_id, sequence, updated_at)
      ON events.events TO meetmark_events`);
    await runner.query('GRANT SELECT ON events.events TO meetmark_worker');
    // Pictures that no event shows any more are garbage that the worker collects.
    await runner.query('GRANT SELECT (hash, created_at), DELETE ON events.pictures TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events.events');
    await runner.query('DROP TABLE events.pictures');
    // pg_trgm stays: other owners' indexes may use it.
    await runner.query('REVOKE USAGE ON SCHEMA events FROM meetmark_events, meetmark_worker, meetmark_admin');
  }
}
