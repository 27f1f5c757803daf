import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Calendars1795219203000 implements MigrationInterface {
  name = 'Calendars1795219203000';

  async up(runner: QueryRunner): Promise<void> {
    // One secret address per member; a reader of the table cannot subscribe with what is in it.
    await runner.query(`
      CREATE TABLE events.calendar_feeds (
        user_id uuid CONSTRAINT calendar_feeds_pkey PRIMARY KEY,
        token_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT calendar_feeds_token_hash_key UNIQUE (token_hash),
        CONSTRAINT calendar_feeds_token_hash_check CHECK (octet_length(token_hash) = 32),
        CONSTRAINT calendar_feeds_user_id_fkey
          FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    // What subscribers must still hear of after an event is gone: STATUS:CANCELLED under the same UID. No foreign keys: a
    // lock on a user here would let the deletion of an event and of a member wait for each other.
    await runner.query(`
      CREATE TABLE events.deleted_events (
        id uuid CONSTRAINT deleted_events_pkey PRIMARY KEY,
        title text NOT NULL,
        location text,
        start_date timestamptz(3) NOT NULL,
        end_date timestamptz(3) NOT NULL,
        is_all_day boolean NOT NULL,
        sequence integer NOT NULL,
        registered_user_ids uuid[] NOT NULL,
        created_at timestamptz(3) NOT NULL,
        deleted_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX deleted_events_end_date_idx ON events.deleted_events (end_date)');
    await runner.query(
      'CREATE INDEX deleted_events_users_idx ON events.deleted_events USING gin (registered_user_ids)',
    );
    await runner.query(
      'GRANT SELECT, INSERT, UPDATE (token_hash, created_at), DELETE ON events.calendar_feeds TO meetmark_events',
    );
    await runner.query('GRANT SELECT, INSERT ON events.deleted_events TO meetmark_events');
    await runner.query('GRANT SELECT (id, end_date), DELETE ON events.deleted_events TO meetmark_worker');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events.deleted_events');
    await runner.query('DROP TABLE events.calendar_feeds');
  }
}
